"""`daide-server tournament`: plan, play and evaluate many games between bots."""

from collections.abc import Mapping
from typing import ClassVar, Final

import click

from . import ListedCommands

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
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


class TournamentCommands(ListedCommands):
    """The commands of the table above."""

    listed: ClassVar = {
        "Commands": {name: text for name, (_, text) in COMMANDS.items()}
    }
    places: ClassVar = {name: place for name, (place, _) in COMMANDS.items()}


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
