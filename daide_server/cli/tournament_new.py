"""`daide-server tournament new`, and `add` and `remove` for ladders: its file."""

import secrets
from pathlib import Path
from shlex import quote

import click

from daide_server.running.bot_program import TOURNAMENT_FILE
from daide_server.running.errors import TournamentFolderError
from daide_server.running.tournament_texts import add_bot, new_file, retire_bot
from daide_server.storage.archive import replace
from daide_server.tournament.chance import SEED_BITS

from .common.option_types import Utf8Text, WholeNumber, folder_argument
from .common.printing import print_line, printable


@click.command("new")
@folder_argument
@click.option("--seed", type=WholeNumber(0, (1 << SEED_BITS) - 1), help="Its seed.")
def command(folder: Path, seed: int | None) -> None:
    """Write a folder with an annotated tournament.toml.

    It is playable as it is: 42 games of the built-in bots, in a minute at most.
    """
    path = folder / TOURNAMENT_FILE
    if path.exists():
        message = f"{path}: found a tournament, expected none"
        raise TournamentFolderError(message)
    seed = secrets.randbelow(1 << SEED_BITS) if seed is None else seed
    name = folder.resolve().name or "cup"
    # A name that begins with a dash would be read as an option.
    quoted = quote(f"./{folder}" if str(folder).startswith("-") else str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    replace(path, new_file(name, seed, printable(quoted)).encode())
    print_line(f"{path}: written")
    print_line(f"next: daide-server tournament run {quoted}")


@click.command("add")
@folder_argument
@click.argument("bot", type=Utf8Text())
@click.option(
    "--name",
    type=Utf8Text(),
    default="",
    show_default=False,
    help="What the table calls it.",
)
def add(folder: Path, bot: str, name: str) -> None:
    """Add BOT to a ladder: a built-in name, or a add in one argument.

    A run that is going on takes it from its next game on.
    """
    added = add_bot(folder, bot, name)
    print_line(f"{folder}: {added} plays from the next game on")


@click.command("remove")
@folder_argument
@click.argument("bot")
def remove(folder: Path, bot: str) -> None:
    """Take BOT, a name of the table, out of a ladder; its games still count."""
    retire_bot(folder, bot)
    print_line(f"{folder}: {bot} plays no more games")
