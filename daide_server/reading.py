"""Games for notebooks: records of any format, and their tables as data frames.

    import daide_server
    games = daide_server.read("records")
    games.frame("powers").groupby("power")["centres"].mean()

The tables are those of `export` (docs/records.md). Frames need pandas or pyarrow:
pip install 'daide-server[tables]'.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from attrs import frozen
from msgspec.structs import astuple

from daide_server.board.map import Variant
from daide_server.library.game_files import games_in, may_be_games, read_game
from daide_server.library.variants import find_variant, load_variant
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.tables import ROWS, Row, columns, rows
from daide_server.records.record import GameRecord, RecordError

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table


class ReadingError(Exception):
    """A file has no game, or a table cannot be made; the message says where and why."""


@frozen
class Games(Sequence[GameRecord]):
    """Recorded games, in the order of their files: a sequence of `GameRecord`."""

    records: tuple[GameRecord, ...]

    @overload
    def __getitem__(self, index: int) -> GameRecord: ...

    @overload
    def __getitem__(self, index: slice) -> "Games": ...

    def __getitem__(self, index: int | slice) -> "GameRecord | Games":
        """Return one game, or the games of a slice."""
        if isinstance(index, slice):
            return Games(self.records[index])
        return self.records[index]

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        return f"<{len(self)} games>"

    def where(self, keep: Callable[[GameRecord], bool]) -> "Games":
        """Return the games that *keep* returns true for."""
        return Games(tuple(filter(keep, self.records)))

    def rows(self, table: str) -> Iterator[Row]:
        """Yield the rows of *table*, game by game; raises `ReadingError` for its name.

        The tables are the keys of `daide_server.records.formats.tables.ROWS`.
        """
        if table not in ROWS:
            message = f"found table {table!r}, expected one of {', '.join(ROWS)}"
            raise ReadingError(message)
        return chain.from_iterable(rows(record)[table] for record in self.records)

    def frame(self, table: str) -> "DataFrame":
        """Return *table* as a data frame; raises `ReadingError` without pandas."""
        pandas = _optional("pandas")
        found = map(astuple, self.rows(table))
        frame: DataFrame = pandas.DataFrame(found, columns=list(columns(table)))
        return frame

    def arrow(self, table: str) -> "Table":
        """Return *table* as an Arrow table; raises `ReadingError` without pyarrow."""
        arrow = _optional("pyarrow")
        found = list(map(astuple, self.rows(table)))
        listed = {
            name: [row[number] for row in found]
            for number, name in enumerate(columns(table))
        }
        made: Table = arrow.table(listed)
        return made


def read(*sources: str | PathLike[str], board: str | None = None) -> Games:
    """Return the games in files, and in all files of games in folders.

    Any format of docs/records.md is read. *board* is the file of a board of your own
    that games may name. Raises `ReadingError` for a path that does not exist, or a file
    without a game that can be read.
    """
    own = None if board is None else find_variant(board)
    paths = chain.from_iterable(_files(Path(source)) for source in sources)
    return Games(tuple(chain.from_iterable(_records(path, own) for path in paths)))


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        inside = sorted(path.iterdir())
        yield from (each for each in inside if each.is_file() and may_be_games(each))
    else:
        yield path


def _records(path: Path, own: Variant | None) -> Iterator[GameRecord]:
    def variant(name: str) -> Variant:
        if own is not None and name.lower() == own.name.lower():
            return own
        return load_variant(name)

    place = str(path)
    try:
        for found in games_in(path):
            place = str(found)
            yield read_game(found, variant)
    except OSError as error:
        raise ReadingError(f"{place}: {error.strerror or error}") from error
    except (FormatError, RecordError) as error:
        raise ReadingError(f"{place}: {error}") from error


def _optional(name: str) -> Any:  # noqa: ANN401 - a package that may be missing
    try:
        return import_module(name)
    except ImportError as error:
        message = f"this needs {name}: pip install 'daide-server[tables]'"
        raise ReadingError(message) from error
