"""`daide-server show`: recorded games in plain text."""

from collections.abc import Iterator

import click

from daide_server.records.record import GameRecord
from daide_server.reports.game_report import centre_table, game_report, story_report

from .common.game_arguments import GameFiles
from .common.option_types import Boards, board_option
from .common.printing import print_line


@click.command("show")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--press", is_flag=True, help="Print the press as well.")
@click.option("--story", is_flag=True, help="Print only a headline for each turn.")
@click.option("--centres", is_flag=True, help="Print only the supply centre table.")
@board_option()
def command(
    files: tuple[str, ...], boards: Boards, *, press: bool, story: bool, centres: bool
) -> None:
    """Print games turn by turn: each order, its outcome, and the reason.

    The exit code is 1 if a file cannot be read.
    """
    games = GameFiles(files, boards)
    for found, record in games.records():
        print_line(f"== {found}")
        for line in _lines(record, press=press, story=story, centres=centres):
            print_line(line)
        print_line()
    games.exit()


def _lines(
    record: GameRecord, *, press: bool, story: bool, centres: bool
) -> Iterator[str]:
    if centres:
        return centre_table(record)
    tell = story_report if story else game_report
    return tell(record, press=press)
