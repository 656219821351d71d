"""`daide-server tournament add`: one more bot for a ladder."""

from pathlib import Path

import click

from daide_server.running.tournament_texts import add_bot

from .option_types import Utf8Text
from .printing import print_line
from .tournament_options import folder_argument


@click.command("add")
@folder_argument
@click.argument("bot", type=Utf8Text())
@click.option("--name", type=Utf8Text(), default="", help="What the table calls it.")
def command(folder: Path, bot: str, name: str) -> None:
    """Add BOT to a ladder: a built-in name, or a command in one argument.

    A run that is going on takes it from its next game on.
    """
    added = add_bot(folder, bot, name)
    print_line(f"{folder}: {added} plays from the next game on")
