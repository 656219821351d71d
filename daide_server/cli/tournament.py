"""`daide-server tournament`: plan, play and evaluate many games between bots."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

import click

from daide_server.app.settings import TABLE

from . import ListedCommands
from .common.option_types import Duration, executor_option, folder_argument
from .common.options import setting_options

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "new": ("tournament_new", "Write a folder with an annotated tournament.toml."),
    "plan": ("tournament_plan", "Show the games that will be played, and balance."),
    "check": ("tournament_check", "Start each bot once, and say what is wrong."),
    "run": ("tournament.run", "Play; the same command resumes."),
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


@click.command("run")
@folder_argument
@executor_option
@click.option(
    "--for", "seconds", type=Duration(), metavar="TIME", help="End after 90s, 30m, 2h."
)
@setting_options("web", defaults=TABLE.compose())
@click.option("--quiet", is_flag=True, help="Print nothing but the table at the end.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON lines; the last is the status."
)
def run(folder: Path, **options: Any) -> None:  # noqa: ANN401 - what click has read
    """Play what is left of a tournament; the same command goes on after any end.

    Ctrl-C begins no more games and waits for those that are played; a second one
    breaks them off. Nothing that is stored is lost, and nothing is counted twice.
    With --web, the table and the games that are played here can be watched in a
    browser; `daide-server watch FOLDER` shows them afterwards.

    The exit code is 0 when the plan is played, [stop] holds or the time of --for is
    over, 1 if games are unplayed after their retries, and 130 after Ctrl-C.
    """
    from .tournament_play import run_tournament  # noqa: PLC0415 - not for the help

    sys.exit(run_tournament(folder, **options))
