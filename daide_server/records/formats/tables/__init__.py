"""Flat tables for statistics: games, powers, phases, orders, messages, promises.

The modules `*_rows` have the columns. A table holds any number of games, is written as
CSV, JSON Lines or Parquet, and is not read again. Names and words are dipcc's.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, fields

from daide_server.records.formats.phase_json.map_names import Names, names_of
from daide_server.records.record import GameRecord

from . import game_rows, order_rows

Row = (
    game_rows.GameRow
    | game_rows.PowerRow
    | game_rows.PhaseRow
    | order_rows.OrderRow
    | order_rows.MessageRow
    | order_rows.PromiseRow
)

_TABLES: Mapping[
    str, tuple[type[Row], Callable[[GameRecord, Names], Iterator[Row]]]
] = {
    "games": (game_rows.GameRow, game_rows.game_rows),
    "powers": (game_rows.SCORED_POWER_ROW, game_rows.power_rows),
    "phases": (game_rows.PhaseRow, game_rows.phase_rows),
    "orders": (order_rows.OrderRow, order_rows.order_rows),
    "messages": (order_rows.MessageRow, order_rows.message_rows),
    "promises": (order_rows.PromiseRow, order_rows.promise_rows),
}
ROWS = {table: row for table, (row, _) in _TABLES.items()}
"""The tables by name."""


def rows(record: GameRecord) -> Mapping[str, Iterator[Row]]:
    """Return the rows of each table for one game, in order of time."""
    names = names_of(record.variant.map)
    return {table: made(record, names) for table, (_, made) in _TABLES.items()}


def columns(table: str) -> Sequence[str]:
    """Return the names of the columns of *table*."""
    return [field.name for field in fields(ROWS[table])]


class TableFormat(Struct, frozen=True):
    """A format of tables, in files whose names end with `suffix`.

    `text` returns rows as text, and `heading` the text before the first row of a table.
    Without `text` the file is binary: see `library.table_files`.
    """

    suffix: str
    text: Callable[[Iterable[Row]], str] | None
    heading: Callable[[str], str] = lambda _: ""


_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
"""The beginning of text that spreadsheets evaluate, or that looks escaped already."""


class _Lines(list[str]):
    """The written lines, each ending with a line feed only.

    The `csv` module quotes a carriage return only if its own line ends have one.
    """

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def to_csv(table: Iterable[Row]) -> str:
    """Return rows as CSV, without the line of names.

    A text that a spreadsheet would calculate gets an apostrophe, because names and
    press come from strangers. A reader removes the apostrophe before `_FORMULA`.
    """
    return _csv([astuple(row) for row in table])


def csv_line(cells: Iterable[object]) -> str:
    """Return a line of CSV without its end; formulas become text, as in `to_csv`."""
    return _csv([tuple(cells)]).removesuffix("\n")


def _csv(table: Sequence[tuple[object, ...]]) -> str:
    # Few texts look like a formula, and there are millions of cells.
    if any(_inert(cell) is not cell for cell in set(chain.from_iterable(table))):
        table = [tuple(map(_inert, cells)) for cells in table]
    lines = _Lines()
    csv.writer(lines, lineterminator="\r\n").writerows(table)
    return "".join(lines)


def _inert(cell: object) -> object:
    is_formula = isinstance(cell, str) and _FORMULA.match(cell)
    return f"'{cell}" if is_formula else cell


def to_json_lines(table: Iterable[Row]) -> str:
    """Return rows as JSON, an object a line."""
    return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in table)


TABLE_FORMATS: Mapping[str, TableFormat] = {
    "csv": TableFormat(".csv", to_csv, lambda table: ",".join(columns(table)) + "\n"),
    "jsonl": TableFormat(".jsonl", to_json_lines),
    "parquet": TableFormat(".parquet", text=None),
}
"""The formats of tables by name."""
