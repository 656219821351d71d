"""`daide-server serve`: run the server."""

from pathlib import Path

import click

from daide_server.server.settings import TABLE, in_force

from .common import options, printing

FIRST_OPTIONS = (
    *("config", "host", "port", "games", "variant", "level", "mtl", "records"),
    *("journal", "web", "log_level", "help", "help_all"),
)
"""The options that `--help` shows, by their names in Python: what most people need."""


class ServeCommand(click.Command):
    """A command with many options, of which `--help` shows the first ones."""

    shows_all = False

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the options into the help: the first ones, or all."""
        shown = [
            record
            for param in self.get_params(ctx)
            if self.shows_all or param.name in FIRST_OPTIONS or "--help" in param.opts
            if (record := param.get_help_record(ctx)) is not None
        ]
        with formatter.section("Options"):
            formatter.write_dl(shown)


def _show_all(ctx: click.Context, _param: click.Parameter, asked: object) -> None:
    """Print the help with all options, and end the command."""
    command = ctx.command
    if asked and isinstance(command, ServeCommand):
        command.shows_all = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


@click.command(cls=ServeCommand)
@click.option(
    "--config",
    envvar="DAIDE_CONFIG",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings as TOML; command-line options override them.",
)
@click.option(
    "--print-config",
    is_flag=True,
    help="Print all settings as TOML with the source of each value, and exit.",
)
@options.setting_options(*TABLE.options, from_environment=True)
@click.option(
    "--help-all",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options and exit.",
)
def command(config: Path | None, *, print_config: bool, **given: object) -> None:
    """Run the server: seat clients as they connect, run games, write records.

    A game starts when its seats are taken; the next game opens immediately,
    and any number of games run at the same time. The address is the first line on
    standard output; the log goes to standard error, or to --log-file.

    \b
    SIGINT (Ctrl-C) ends the running games, which are recorded as aborted; SIGTERM
    or a crash keeps them in the journal, and the next start resumes them. A second
    signal stops immediately. SIGUSR1 saves the running games, SIGHUP reopens the log
    file. Clients receive SVE, and LOD when a game is loaded again.
    Every setting, with its default:  config/server.toml
    Every option is an environment variable as well: DAIDE_PORT, DAIDE_MTL ...
    """
    layers = (options.read_config(config), options.given_options(given))
    settings = options.gather(*layers)
    if print_config:
        printing.print_text(in_force(*layers))
    else:
        # Imported here, because a wrong option must not wait for the server.
        from daide_server.server.process import run  # noqa: PLC0415

        raise SystemExit(run(settings, _announce))


def _announce(line: str) -> None:
    """Print *line*; a server continues if standard output is closed."""
    try:
        printing.print_line(line)
    except printing.OutputError:
        printing.discard_output()
