"""`daide-server check`: everything that is wrong with records."""

import click

from daide_server.reports.game_check import faults_in

from .game_arguments import Games
from .map_option import Boards, board_option


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@board_option()
def command(files: tuple[str, ...], boards: Boards) -> None:
    """Print a line for every fault in games: FILE: place: what was found.

    Stricter than the commands that read files: whatever another program would
    refuse or misread is a fault, and positions must follow from orders.

    The exit code is 1 if there is any fault.
    """
    games = Games(files, boards)
    for found in games.found():
        for fault in faults_in(found.content, boards.find):
            games.clean = False
            click.echo(f"{click.format_filename(str(found))}: {fault}")
    games.exit()
