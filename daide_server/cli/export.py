"""`daide-server export`: game records in another format, or as tables."""

from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import track

from daide_server.formats.registry import FORMATS, TABLE_FORMATS
from daide_server.records.record import GameRecord
from daide_server.storage.archive import ArchiveError, write_file
from daide_server.storage.game_files import Found
from daide_server.storage.table_files import TableFiles

from .failures import writing
from .game_arguments import GameFiles
from .map_option import Boards, board_option
from .output_paths import OutputPaths

FEW_FILES: Final = 3
"""Up to this number of files, no progress bar is shown."""

WriteGame = Callable[[Found, GameRecord], None]


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
    help="A file for one game; a folder for several games, and for tables.",
)
@board_option()
def command(files: tuple[str, ...], form: str, output: Path, boards: Boards) -> None:
    """Convert games to another format; the format of FILE is recognised.

    csv, jsonl and parquet are tables of all games together, with a row for each order,
    power and phase, message, promise, and power of a game (its end, and its share of
    the points by each scoring system). The other formats are a file for each game.

    The exit code is 1 if a file cannot be read, or the format cannot hold a game; the
    other games are written nevertheless. If the output cannot be written, the command
    ends.
    """
    games = GameFiles(files, boards)
    with _writer(form, output, alone=len(files) == 1) as write:
        for found, record in _with_progress(games.records(), files):
            with games.reporting(str(found)):
                write(found, record)
    games.exit()


@contextmanager
def _writer(form: str, output: Path, *, alone: bool) -> Iterator[WriteGame]:
    """Yield the function that writes a game in the format *form*."""
    if form in TABLE_FORMATS:
        with writing(output), TableFiles(output, form) as tables:
            yield _to_tables(tables, output)
    elif alone and not output.is_dir() and output.suffix:
        yield _to_single_file(form, output)
    else:
        yield _to_folder(form, output)


def _to_tables(tables: TableFiles, output: Path) -> WriteGame:
    def write(_: Found, record: GameRecord) -> None:
        with writing(output):
            tables.add(record)

    return write


def _to_folder(form: str, folder: Path) -> WriteGame:
    paths = OutputPaths()

    def write(found: Found, record: GameRecord) -> None:
        path = paths.take(folder, found.stem, FORMATS[form].suffix)
        write_file(record, path, file_format=form)

    return write


def _to_single_file(form: str, output: Path) -> WriteGame:
    """Return what writes one game to *output*, and refuses a second one."""
    written: list[Found] = []

    def write(found: Found, record: GameRecord) -> None:
        if written:
            message = f"a second game for {output}: name a folder instead"
            raise ArchiveError(message)
        written.append(found)
        write_file(record, output, file_format=form)

    return write


def _with_progress(
    games: Iterator[tuple[Found, GameRecord]], files: Sized
) -> Iterator[tuple[Found, GameRecord]]:
    """Yield the games; show a progress bar on a terminal if there are many files."""
    console = Console(stderr=True)
    if len(files) <= FEW_FILES or not console.is_terminal:
        return games
    return iter(track(games, "Exporting", total=len(files), console=console))
