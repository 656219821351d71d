"""Words on a command line to one call each.

Each command is a module of this package with a click command called `command`;
it is imported when it is used, so that `--help` stays quick.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Final

import click

from daide_server import __version__

COMMANDS: Final[Mapping[str, str]] = {
    "serve": "Run the server.",
    "play": "Watch bots play a game on a server of their own.",
    "bot": "Let one of our bots join a server.",
    "adjudicate": "Resolve turns: JSON lines in, JSON lines out.",
    "replay": "Adjudicate recorded games again, and tell every difference.",
    "export": "Turn records of any format into any other, or into tables.",
    "show": "Print recorded games for a person.",
    "check": "Name everything that is wrong with records.",
    "score": "Tell what games are worth to each power, by every scoring system.",
    "assist": "Rank what a power may order against what others are expected to.",
    "render": "Draw positions and turns as pictures.",
    "talk": "Speak DAIDE with a server by hand.",
    "decode": "Turn messages of the wire into text, and back.",
    "maps": "List, show, check and convert boards.",
}


class Commands(click.Group):
    """The commands of the table above, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that is called *cmd_name*."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the table into the help."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    epilog="Every command teaches itself: daide-server COMMAND --help.",
)
@click.version_option(__version__, prog_name="daide-server")
def main() -> None:
    """Run the server for Diplomacy bots that speak DAIDE.

    \b
    Try this first:   daide-server play
    Then this:        daide-server serve --games 1
                      daide-server bot dumb --port 16713   (seven times)
    """
