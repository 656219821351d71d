"""`daide-server export` and `show`: game records in other formats, tables and text."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click

from daide_server.library.archive import ArchiveError, write_output, write_text
from daide_server.library.game_files import Found, read_game
from daide_server.library.table_files import TableFiles, TableRows, rows_as
from daide_server.records.formats.registry import FORMATS
from daide_server.records.formats.tables import TABLE_FORMATS
from daide_server.records.record import GameRecord
from daide_server.text.game_report import centre_table, game_report, story_report

from .common import failures, game_arguments
from .common.option_types import STDOUT, Boards, OutputPaths, board_option
from .common.printing import print_content, print_line


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
    help="A file for one game, or - for standard output; a folder for several games"
    " and for tables.",
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
    games = game_arguments.GameFiles(files, boards)
    is_file = not output.is_dir() and (output.suffix or output.exists())
    if form in TABLE_FORMATS:
        with failures.writing(output), TableFiles(output, form) as tables:
            for _, rows in games.worked(partial(_rows, form)):
                tables.add_rows(rows)
    elif output == STDOUT or (len(files) == 1 and is_file):
        _write_one(games, form, output)
    else:
        paths = OutputPaths()
        for found, text in games.worked(partial(_text, form)):
            write_text(text, paths.take(output, found.stem, FORMATS[form].suffix))
    games.exit()


def _rows(form: str, found: Found, boards: Boards) -> Iterator[TableRows]:
    yield rows_as(read_game(found, boards.find), TABLE_FORMATS[form])


def _text(form: str, found: Found, boards: Boards) -> Iterator[str]:
    yield FORMATS[form].write(read_game(found, boards.find))


def _write_one(games: game_arguments.GameFiles, form: str, output: Path) -> None:
    """Write the only game; raises `ArchiveError` if there is a second one."""
    for number, (_, text) in enumerate(games.worked(partial(_text, form))):
        if number:
            name = "standard output" if output == STDOUT else output
            raise ArchiveError(f"a second game for {name}: name a folder instead")
        if output == STDOUT:
            # The content of a file, byte for byte.
            print_content(text.encode())
            continue
        with failures.writing(output):
            output.parent.mkdir(parents=True, exist_ok=True)
            write_output(output, text.encode())


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
    tell: Callable[[GameRecord], Iterator[str]] = centre_table
    if not centres:
        tell = partial(story_report if story else game_report, press=press)
    games = game_arguments.GameFiles(files, boards)
    for found, record in games.records():
        print_line(f"== {found}")
        for line in tell(record):
            print_line(line)
        print_line()
    games.exit()
