"""Tables of many games, one file for each table, written game by game."""

from collections.abc import Mapping
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import NoneType, TracebackType
from typing import Any, Protocol, Self, get_args

from msgspec.structs import asdict, fields

from daide_server.errors import ReportedError
from daide_server.records.formats.tables import ROWS, TABLE_FORMATS, TableFormat, rows
from daide_server.records.record import GameRecord

from .archive import unfinished

TableRows = Mapping[str, bytes | list[dict[str, object]]]
"""Rows of one game by table: text as in the file, or objects for Parquet."""


class _Sink(Protocol):
    # The values are of the kind that `rows_as` makes for the format.
    def write(self, found: Any, /) -> object: ...  # noqa: ANN401

    def close(self) -> None: ...


class TableFiles:
    """The files of all tables in one format; a context manager that closes them."""

    def __init__(self, folder: Path, form: str) -> None:
        """Create the files in the format *form*, a key of `TABLE_FORMATS`.

        They get their names when all is written, and replace earlier ones. Raises
        `OSError`, and `ReportedError` if the format needs a package that is missing.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._kind = kind = TABLE_FORMATS[form]
        self._paths = {table: folder / f"{table}{kind.suffix}" for table in ROWS}
        self._sinks: Mapping[str, _Sink] = {
            table: _sink(unfinished(path), table, kind)
            for table, path in self._paths.items()
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with ExitStack() as stack:
            for path in self._paths.values():
                stack.callback(unfinished(path).unlink, missing_ok=True)
            for sink in self._sinks.values():
                stack.callback(sink.close)
            if error is None:
                self._finish()

    def _finish(self) -> None:
        for table, path in self._paths.items():
            self._sinks[table].close()
            unfinished(path).replace(path)

    def add_rows(self, written: TableRows) -> None:
        """Append the rows of one game, which `rows_as` has made of it."""
        for table, found in written.items():
            self._sinks[table].write(found)


def rows_as(record: GameRecord, form: TableFormat) -> TableRows:
    """Return the rows of one game as the sinks of *form* take them.

    This is most of the work, and may be done in another process.
    """
    made = rows(record)
    if form.text is not None:
        return {table: form.text(found).encode() for table, found in made.items()}
    return {table: list(map(asdict, found)) for table, found in made.items()}


def _sink(path: Path, table: str, form: TableFormat) -> _Sink:
    """Return what writes the rows of *table* to *path*."""
    if form.text is None:
        return _Parquet(path, table)
    file = path.open("wb")
    file.write(form.heading(table).encode())
    return file


def _value_type(annotated: Any) -> type:  # noqa: ANN401 - msgspec says Any
    """Return the type of the values of a column, which may also be empty."""
    given = [each for each in get_args(annotated) if each is not NoneType]
    found: type = given[0] if given else annotated
    return found


class _Parquet:
    """A table as Parquet, with a row group for each game."""

    def __init__(self, path: Path, table: str) -> None:
        try:
            # An optional dependency, and slow to import.
            arrow: Any = import_module("pyarrow")
            parquet: Any = import_module("pyarrow.parquet")
        except ImportError as error:
            message = "Parquet needs pyarrow: pip install 'daide-server[parquet]'"
            raise ReportedError(message) from error
        kinds = {
            str: arrow.string(),
            int: arrow.int64(),
            float: arrow.float64(),
            bool: arrow.bool_(),
        }
        columns = [
            (each.name, kinds[_value_type(each.type)]) for each in fields(ROWS[table])
        ]
        self._arrow = arrow
        self._schema = arrow.schema(columns)
        self._writer = parquet.ParquetWriter(path, self._schema)

    def write(self, found: list[dict[str, object]]) -> None:
        if found:
            batch = self._arrow.Table.from_pylist(found, schema=self._schema)
            self._writer.write_table(batch)

    def close(self) -> None:
        self._writer.close()
