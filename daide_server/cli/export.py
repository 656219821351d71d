"""`daide-server export`: records of any format into any other, or into tables."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from daide_server.formats.errors import FormatError
from daide_server.formats.registry import FORMATS, TABLE_FORMATS
from daide_server.records.record import GameRecord, RecordError
from daide_server.storage.archive import ArchiveError, write_file
from daide_server.storage.game_files import Found, read_game
from daide_server.storage.table_files import TableError, TableFiles

from .game_arguments import Games
from .map_option import Boards, board_option
from .paths import Paths

FEW_GAMES = 3
"""So many files need no bar."""

Put = Callable[[Found, GameRecord], None]


@click.command("export")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--to",
    "form",
    type=click.Choice([*FORMATS, *TABLE_FORMATS]),
    required=True,
    help="The format to write.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="PATH",
    help="A file for one game; a folder for many, and for tables.",
)
@board_option()
def command(files: tuple[str, ...], form: str, output: Path, boards: Boards) -> None:
    """Write games in another format; what FILE is in is found out.

    csv, jsonl and parquet are tables of all games together: orders, powers and
    messages, a row each. The other formats are a file for each game.

    The exit code is 1 if a file cannot be read, or the format cannot hold a game;
    the others are written nevertheless.
    """
    games = Games(files, boards)
    with ExitStack() as stack:
        try:
            put = _put(stack, form, output, alone=len(files) == 1)
        except (OSError, TableError) as error:
            raise click.ClickException(str(error)) from error
        for found in _tracked(games.found(), len(files)):
            try:
                put(found, read_game(found, boards.find))
            except (FormatError, RecordError, ArchiveError) as error:
                games.complain(str(found), str(error))
    games.exit()


def _put(stack: ExitStack, form: str, output: Path, *, alone: bool) -> Put:
    """Return what writes a game in the format *form*."""
    if form in TABLE_FORMATS:
        tables = stack.enter_context(TableFiles(output, form))
        return lambda _, record: tables.add(record)
    if alone and not output.is_dir() and output.suffix:
        return _one_file(form, output)
    paths = Paths()

    def put(found: Found, record: GameRecord) -> None:
        path = paths.take(output, found.stem, FORMATS[form].suffix)
        write_file(record, path, file_format=form)

    return put


def _one_file(form: str, output: Path) -> Put:
    """Return what writes a single game to *output*, and refuses a second one."""
    done: list[Found] = []

    def put(found: Found, record: GameRecord) -> None:
        if done:
            message = f"a second game for {output}: name a folder instead"
            raise ArchiveError(message)
        done.append(found)
        write_file(record, output, file_format=form)

    return put


def _tracked(games: Iterable[Found], files: int) -> Iterator[Found]:
    """Show a bar on a terminal if there are many files; their games come one by one."""
    console = Console(stderr=True)
    if files <= FEW_GAMES or not console.is_terminal:
        return iter(games)
    return iter(track(games, "Exporting", total=files, console=console))
