"""`daide-server show`: recorded games, printed for a person."""

import click

from daide_server.reports.game_report import centre_table, game_report, printable

from .game_arguments import Games
from .map_option import Boards, board_option


@click.command("show")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--press", is_flag=True, help="Print what was said as well.")
@click.option("--centres", is_flag=True, help="Only the table of centres.")
@board_option()
def command(
    files: tuple[str, ...], boards: Boards, *, press: bool, centres: bool
) -> None:
    """Print games turn by turn: every order, what became of it, and why.

    The exit code is 1 if a file cannot be read.
    """
    games = Games(files, boards)
    for name, record in games.records():
        click.echo(f"== {name}")
        lines = centre_table(record) if centres else game_report(record, press=press)
        for line in lines:
            click.echo(printable(line))
        click.echo()
    games.exit()
