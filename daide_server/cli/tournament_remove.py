"""`daide-server tournament remove`: one bot less in a ladder."""

from pathlib import Path

import click

from daide_server.running.tournament_texts import retire_bot

from .printing import print_line
from .tournament_options import folder_argument


@click.command("remove")
@folder_argument
@click.argument("bot")
def command(folder: Path, bot: str) -> None:
    """Take BOT, a name of the table, out of a ladder; its games go on counting."""
    retire_bot(folder, bot)
    print_line(f"{folder}: {bot} plays no more games")
