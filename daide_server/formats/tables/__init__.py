"""Flat tables for statistics: games, powers, phases, orders, messages, promises.

The modules `*_rows` have the columns. A table holds any number of games, is written as
CSV, JSON Lines or Parquet, and is not read again. Names and words are dipcc's.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, fields

from daide_server.formats.phase_json.map_names import names_of
from daide_server.records.record import GameRecord

from .game_rows import (
    SCORED_POWER_ROW,
    GameRow,
    PhaseRow,
    PowerRow,
    game_rows,
    phase_cells,
    phase_rows,
    power_rows,
)
from .order_rows import (
    MessageRow,
    OrderRow,
    PromiseRow,
    message_rows,
    order_cells,
    order_rows,
    promise_rows,
)

Row = GameRow | PowerRow | PhaseRow | OrderRow | MessageRow | PromiseRow

ROWS: Final[Mapping[str, type[Row]]] = {
    "games": GameRow,
    "powers": SCORED_POWER_ROW,
    "phases": PhaseRow,
    "orders": OrderRow,
    "messages": MessageRow,
    "promises": PromiseRow,
}
"""The tables by name."""


def rows(record: GameRecord) -> Mapping[str, Iterator[Row]]:
    """Return the rows of each table for one game, in order of time."""
    names = names_of(record.variant.map)
    return {
        "games": game_rows(record, names),
        "powers": power_rows(record, names),
        "phases": phase_rows(record, names),
        "orders": order_rows(record, names),
        "messages": message_rows(record, names),
        "promises": promise_rows(record, names),
    }


GroupedRow = tuple[tuple[object, ...], ...]
"""The cells of a row in groups; a group that rows share is one object."""


def grouped_rows(record: GameRecord) -> Mapping[str, Iterator[GroupedRow]]:
    """Return the cells of the `rows` of each table, in groups."""
    names = names_of(record.variant.map)
    large = {
        "orders": order_cells(record, names),
        "phases": phase_cells(record, names),
    }
    return {
        table: large[table] if table in large else map(_alone, found)
        for table, found in rows(record).items()
    }


def _alone(row: Row) -> GroupedRow:
    """Return the cells of *row*, which shares none."""
    return (astuple(row),)


def columns(table: str) -> Sequence[str]:
    """Return the names of the columns of *table*."""
    return [field.name for field in fields(ROWS[table])]


class TableFormat(Struct, frozen=True):
    """A format of tables, in files whose names end with `suffix`.

    `texts` returns the rows of a game as text, by the name of the table, and `heading`
    the text before the first row. Without `texts` the file is binary: see
    `storage.table_files`.
    """

    suffix: str
    texts: Callable[[GameRecord], Mapping[str, str]] | None
    heading: Callable[[str], str] = lambda _: ""


_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n]")
"""How a text begins that spreadsheets calculate, or that looks like our mark of one."""
_FORMULA_BEGINS: Final = frozenset("'=+-@\t\r\n")


def to_csv(table: Iterable[Row]) -> str:
    """Return rows as CSV, without the line of names.

    A text that a spreadsheet would calculate gets an apostrophe, because names and
    press come from strangers. A reader removes the apostrophe before `_FORMULA`.
    """
    return grouped_csv(map(_alone, table))


def grouped_csv(table: Iterable[GroupedRow]) -> str:
    """Return rows as `to_csv` does; a group becomes text once for all its rows."""
    columns_of_groups = map(_group_texts, zip(*table, strict=True))
    lines = map(",".join, zip(*columns_of_groups, strict=True))
    return "\n".join((*lines, ""))


def _group_texts(groups: tuple[tuple[object, ...], ...]) -> Iterator[str]:
    """Return each of *groups* as CSV."""
    distinct = dict(zip(map(id, groups), groups, strict=True))
    texts = dict(zip(distinct, _csv_lines(distinct.values()), strict=True))
    return map(texts.__getitem__, map(id, groups))


def csv_line(cells: Iterable[object]) -> str:
    """Return a line of CSV without its end; what spreadsheets calculate is text."""
    (line,) = _csv_lines([tuple(cells)])
    return line


def _csv_lines(table: Iterable[tuple[object, ...]]) -> list[str]:
    """Return lines of CSV without their ends; what spreadsheets calculate is text."""
    lines = [*table]
    # Few texts look like a formula, and there are millions of cells.
    if any(_inert(text) is not text for text in set(chain.from_iterable(lines))):
        lines = [tuple(map(_inert, cells)) for cells in lines]
    text = _written(lines)
    if text.count("\r") == len(lines):
        return text.split("\r\n")[:-1]
    return [_written([cells]).removesuffix("\r\n") for cells in lines]


def _written(lines: Iterable[tuple[object, ...]]) -> str:
    r"""Return lines of CSV that end with `\r\n`.

    The writer quotes a carriage return only then.
    """
    written = StringIO(newline="")
    csv.writer(written, lineterminator="\r\n").writerows(lines)
    return written.getvalue()


def _inert(cell: object) -> object:
    if isinstance(cell, str) and cell[:1] in _FORMULA_BEGINS and _FORMULA.match(cell):
        return f"'{cell}"
    return cell


def _csv_heading(table: str) -> str:
    return ",".join(columns(table)) + "\n"


def to_json_lines(table: Iterable[Row]) -> str:
    """Return rows as JSON, an object a line."""
    return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in table)


def _csv_texts(record: GameRecord) -> Mapping[str, str]:
    return {table: grouped_csv(found) for table, found in grouped_rows(record).items()}


def _json_texts(record: GameRecord) -> Mapping[str, str]:
    return {table: to_json_lines(found) for table, found in rows(record).items()}


CSV: Final = TableFormat(".csv", _csv_texts, _csv_heading)
JSON_LINES: Final = TableFormat(".jsonl", _json_texts)
PARQUET: Final = TableFormat(".parquet", texts=None)

TABLE_FORMATS: Final[Mapping[str, TableFormat]] = {
    "csv": CSV,
    "jsonl": JSON_LINES,
    "parquet": PARQUET,
}
"""The formats of tables by name."""
