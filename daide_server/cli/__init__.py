"""The command line: options and arguments in, one call, text and an exit code out.

A command is in the module of this package that has its name, as `command`, or in the
one that `places` says. It is imported when it is used, so that `--help` stays quick.

Four things are done in one place for all commands, in `common`:

- failures: a line on standard error and an exit code (`failures`);
- printing: unprintable characters are escaped, pipes get complete lines (`printing`);
- inputs: files of games (`game_arguments`), positions to draw or to search from
  (`input_scenes`), boards (`option_types`);
- settings of the server as options (`options`).

To add a command, write its module and add its name to `GROUPS`.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import click
from click.exceptions import NoSuchCommand

from daide_server import __version__

from .common.failures import failures_as_exit_codes
from .common.printing import escape_unencodable, open_closed_streams

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Play": {
        "play": "Run a game between bots on a private server, and show it.",
        "match": "Let bots play against another one, and say who is better.",
        "tournament": "Let bots play many games, and say who is better.",
        "branch": "Play on from a phase of a record, again and again.",
    },
    "Bots": {
        "bot": "Play on a server as a built-in bot.",
        "bridge": "Let a bot that speaks JSON lines play on a server.",
        "ask": "Ask a bot for its orders in a phase of a record.",
        "examine": "Play scenes with a bot, and say what it does wrong.",
        "talk": "Exchange DAIDE messages with a server by hand.",
    },
    "Look": {
        "watch": "Show folders of records and tournaments as a web page.",
        "observe": "Watch the games of a server in the terminal, as an observer.",
        "show": "Print recorded games in plain text.",
        "render": "Draw positions and turns as SVG or PNG.",
        "trace": "Show a kept conversation of a client, turn by turn.",
        "decode": "Convert DAIDE messages from bytes to text, and back.",
    },
    "Records and rules": {
        "check": "Print every fault in game records.",
        "replay": "Adjudicate recorded games again; print every difference.",
        "export": "Convert game records to another format, or to tables.",
        "score": "Print the points of each power, by every scoring system.",
        "adjudicate": "Adjudicate turns: JSON lines in, JSON lines out.",
        "assist": "Rank the order sets of a power against expected orders.",
        "maps": "List, show, check and convert boards.",
    },
    "Operate": {
        "serve": "Run the server.",
        "admin": "Look at a running server, drain it, end a game, close a client.",
        "health": "Say whether a server answers, or is ready for players.",
        "journal": "Show, record and copy the running games of a server's journal.",
        "completion": "Print a script that completes command lines in a shell.",
    },
}
"""The commands with their help, in groups as `--help` lists them."""


class ListedCommands(click.Group):
    """Commands of a table, each imported when it is used.

    `listed` has the help of each command, by group and name. `places` is for commands
    whose module has another name: MODULE or MODULE.FUNCTION.
    """

    listed: ClassVar[Mapping[str, Mapping[str, str]]]
    places: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the table."""
        del ctx
        return [name for group in self.listed.values() for name in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that is called *cmd_name*."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module, _, name = self.places.get(cmd_name, cmd_name).partition(".")
        found = import_module(f"{__package__}.{module}")
        command: click.Command = getattr(found, name or "command")
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that *args* names; an error names similar ones."""
        if args[0].startswith("-") or self.get_command(ctx, args[0]) is not None:
            return super().resolve_command(ctx, args)
        raise NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the groups of commands into the help."""
        del ctx
        for title, group in self.listed.items():
            with formatter.section(title):
                formatter.write_dl(list(group.items()))


class Commands(ListedCommands):
    """The commands of the table above; fails as `failures` describes."""

    listed = GROUPS
    places: ClassVar = {"replay": "check.replay_command", "show": "export.show"}

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - as click declares it
    ) -> click.Context:
        """Return the context of the command line; `--help` is printed here."""
        open_closed_streams()
        escape_unencodable()
        with failures_as_exit_codes():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that the command line names."""
        with failures_as_exit_codes():
            return super().invoke(ctx)


@click.group(
    cls=Commands,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 80,
        "show_default": True,
    },
    epilog="For the options and examples of a command: daide-server COMMAND --help.",
)
@click.version_option(__version__, prog_name="daide-server")
def main() -> None:
    """Run a server for Diplomacy bots that speak DAIDE, and work with its games.

    \b
    Try this first:   daide-server play
    Then this:        daide-server serve --games 1
                      daide-server bot dumb --port 16713   (seven times)

    Exit codes: 0 success; 1 failure, or a fault or difference found; 2 wrong options
    or arguments; 130 interrupted by Ctrl-C; 141 the reader of the output has gone.
    """
