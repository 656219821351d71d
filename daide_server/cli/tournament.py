"""`daide-server tournament`: plan, play and evaluate many games between bots."""

import click

from . import ListedCommands


class TournamentCommands(ListedCommands):
    """The commands of a tournament."""

    listed = {  # noqa: RUF012 - declared there
        "Commands": {
            "new": "Write a folder with an annotated tournament.toml.",
            "plan": "Show the games that will be played, and balance.",
            "check": "Start each bot once, and say what is wrong.",
            "run": "Play; the same command resumes.",
            "status": "Print the table, also while a run plays.",
            "report": "Write the report for people and programs.",
            "compare": "Compare the bots of two tournaments.",
            "publish": "Write a static site with replays.",
            "again": "Play one game once more, and compare.",
            "add": "Add a bot to a ladder.",
            "remove": "Take a bot out of a ladder.",
        }
    }
    places = {  # noqa: RUF012
        "new": "tournament_new",
        "plan": "tournament_plan",
        "check": "tournament_check",
        "run": "tournament_play",
        "status": "tournament_report.status",
        "report": "tournament_report",
        "compare": "tournament_report.compare",
        "publish": "tournament_report.publish_site",
        "again": "tournament_check.again",
        "add": "tournament_new.add",
        "remove": "tournament_new.remove",
    }


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
