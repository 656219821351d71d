"""`daide-server export` and `show`: game records in other formats, tables and text."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from daide_server.formats.registry import FORMATS
from daide_server.formats.tables import TABLE_FORMATS
from daide_server.records.record import GameRecord
from daide_server.reports.game_report import centre_table, game_report, story_report
from daide_server.storage.archive import ArchiveError, write_output, write_text
from daide_server.storage.game_files import Found, read_game
from daide_server.storage.table_files import TableFiles, TableRows, rows_as

from .common.failures import writing
from .common.game_arguments import GameFiles
from .common.option_types import STDOUT, Boards, OutputPaths, board_option
from .common.printing import print_bytes, print_line

WriteGame = Callable[[Found, Any], None]
"""Writes the result of `_rows` or `_text` for a game."""


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
    help="A file for one game, - for standard output; a folder for several games, and "
    "for tables.",
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
    if output == STDOUT and form in TABLE_FORMATS:
        message = f"--output: found -, expected a folder for the tables of {form}"
        raise click.UsageError(message)
    games = GameFiles(files, boards)
    work = _rows if form in TABLE_FORMATS else _text
    with _writer(form, output, alone=len(files) == 1) as write:
        for found, written in games.worked(partial(work, form)):
            write(found, written)
    games.exit()


def _rows(form: str, found: Found, boards: Boards) -> Iterator[TableRows]:
    yield rows_as(read_game(found, boards.find), TABLE_FORMATS[form])


def _text(form: str, found: Found, boards: Boards) -> Iterator[str]:
    yield FORMATS[form].write(read_game(found, boards.find))


@contextmanager
def _writer(form: str, output: Path, *, alone: bool) -> Iterator[WriteGame]:
    """Yield the function that writes a game in the format *form*."""
    if form in TABLE_FORMATS:
        with writing(output), TableFiles(output, form) as tables:
            yield _to_tables(tables, output)
    elif output == STDOUT:
        yield _of_one_game("standard output", _print)
    elif alone and not output.is_dir() and (output.suffix or output.exists()):
        yield _of_one_game(str(output), partial(_to_file, output))
    else:
        yield _to_folder(form, output)


def _to_tables(tables: TableFiles, output: Path) -> WriteGame:
    def write(_: Found, written: TableRows) -> None:
        with writing(output):
            tables.add_rows(written)

    return write


def _to_folder(form: str, folder: Path) -> WriteGame:
    paths = OutputPaths()

    def write(found: Found, written: str) -> None:
        write_text(written, paths.take(folder, found.stem, FORMATS[form].suffix))

    return write


def _print(written: str) -> None:
    # What a file would have, byte for byte.
    print_bytes(written.encode())


def _to_file(path: Path, written: str) -> None:
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_output(path, written.encode())


def _of_one_game(output: str, put: Callable[[str], None]) -> WriteGame:
    """Return a function that passes one game to *put*, and refuses others."""
    done: list[Found] = []

    def write(found: Found, written: str) -> None:
        if done:
            message = f"a second game for {output}: name a folder instead"
            raise ArchiveError(message)
        done.append(found)
        put(written)

    return write


@click.command("show")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--press", is_flag=True, help="Print the press as well.")
@click.option("--story", is_flag=True, help="Print only a headline for each turn.")
@click.option("--centres", is_flag=True, help="Print only the supply centre table.")
@board_option()
def show(
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
