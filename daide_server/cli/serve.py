"""`daide-server serve`: run the server."""

import sys
from pathlib import Path

import click
import trio

from daide_server import app
from daide_server.server import observing

from .options import HELP, gather, setting_options


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings as TOML; options on the command line win.",
)
@setting_options(*HELP)
def command(config: Path | None, **given: object) -> None:
    """Run the server: seat clients as they come, play, write records.

    A game starts when its seats are taken; the next table opens at once,
    and any number of games run side by side. The address is the first line on
    standard output; the log goes to standard error.

    \b
    SIGINT or SIGTERM stops it in good order, a second one at once; SIGUSR1 saves
    the running games. Clients are told SVE, and LOD when a game is loaded again.
    Every setting, with its default:  config/server.toml
    """
    settings = gather(config, given)
    observing.configure(settings.log_level)
    try:
        trio.run(app.serve, settings, _announce)
    except app.ServeError as error:
        click.echo(f"daide-server: {error}", err=True)
        sys.exit(1)


def _announce(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
