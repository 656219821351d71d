"""`daide-server tournament`: plan, play and evaluate many games between bots."""

from collections.abc import Mapping
from typing import Final

import click
from click.exceptions import NoSuchCommand

from . import imported_command

TOURNAMENT_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "new": ("tournament_new", "Write a folder with an annotated tournament.toml."),
    "plan": ("tournament_plan", "Show the games that will be played, and balance."),
    "check": ("tournament_check", "Start each bot once, and say what is wrong."),
    "run": ("tournament_play", "Play; the same command resumes."),
    "status": ("tournament_report.status", "Print the table, also while a run plays."),
    "report": ("tournament_report", "Write the report for people and programs."),
    "compare": ("tournament_report.compare", "Compare the bots of two tournaments."),
    "publish": ("tournament_report.publish_site", "Write a static site with replays."),
    "again": ("tournament_check.again", "Play one game once more, and compare."),
    "add": ("tournament_new.add", "Add a bot to a ladder."),
    "remove": ("tournament_new.remove", "Take a bot out of a ladder."),
}
"""The module of each command, and the name there if it is another; its help."""


class TournamentCommands(click.Group):
    """The commands of the table above, each imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the table."""
        del ctx
        return list(TOURNAMENT_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that is called *cmd_name*."""
        del ctx
        if cmd_name not in TOURNAMENT_COMMANDS:
            return None
        return imported_command(TOURNAMENT_COMMANDS[cmd_name][0])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that *args* names; an error names similar ones."""
        if args[0].startswith("-") or args[0] in TOURNAMENT_COMMANDS:
            return super().resolve_command(ctx, args)
        raise NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the table into the help."""
        del ctx
        with formatter.section("Commands"):
            rows = [(name, words) for name, (_, words) in TOURNAMENT_COMMANDS.items()]
            formatter.write_dl(rows)


@click.group("tournament", cls=TournamentCommands)
def command() -> None:
    """Let bots play many games, balanced and repeatable, and say who is better.

    A folder is a tournament: what is played stands in its tournament.toml, results
    are kept in results.db and games/, and nothing that is killed loses a game.

    \b
    Try this:
      daide-server tournament new cup
      daide-server tournament run cup
    """
