"""`daide-server check`: every fault in game records."""

from collections.abc import Iterable

import click

from daide_server.formats.format import RecordFault
from daide_server.reports.difference_text import faults_in
from daide_server.storage.game_files import Found

from .common.game_arguments import GameFiles
from .common.option_types import Boards, board_option
from .common.printing import print_line


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@board_option()
def command(files: tuple[str, ...], boards: Boards) -> None:
    """Print a line for each fault in games: FILE: place: what was found.

    This is stricter than the commands that read games. Anything that another program
    would refuse or misread is a fault, and each position must follow from the orders
    before it, and so must each recorded result.

    A line that begins with "remark:" is a known habit of another program, and no fault.

    The exit code is 1 if there is any fault.
    """
    games = GameFiles(files, boards)
    for found, fault in games.worked(_faults):
        games.succeeded = games.succeeded and fault.remark
        remark = "remark: " if fault.remark else ""
        print_line(f"{remark}{found}: {fault}")
    games.exit()


def _faults(found: Found, boards: Boards) -> Iterable[RecordFault]:
    return faults_in(found.content, boards.find)
