"""Flat tables for statistics: a row per order, power and phase, message, promise.

`order_rows`, `power_rows`, `message_rows` and `promise_rows` have the columns. A table
holds any number of games, is written as CSV, JSON Lines or Parquet, and is not read
again. Names and words are dipcc's.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs
import msgspec
from attrs import frozen

from daide_server.formats.phase_json.map_names import names_of
from daide_server.records.record import GameRecord

from .message_rows import MessageRow, message_rows
from .order_rows import OrderRow, order_rows
from .power_rows import PowerRow, power_rows
from .promise_rows import PromiseRow, promise_rows

Row = OrderRow | PowerRow | MessageRow | PromiseRow

ROWS: Final[Mapping[str, type[Row]]] = {
    "orders": OrderRow,
    "powers": PowerRow,
    "messages": MessageRow,
    "promises": PromiseRow,
}
"""The tables by name."""


def rows(record: GameRecord) -> Mapping[str, Iterator[Row]]:
    """Return the rows of each table for one game, in order of time."""
    names = names_of(record.variant.map)
    return {
        "orders": order_rows(record, names),
        "powers": power_rows(record, names),
        "messages": message_rows(record, names),
        "promises": promise_rows(record, names),
    }


def columns(table: str) -> Sequence[str]:
    """Return the names of the columns of *table*."""
    return [field.name for field in attrs.fields(ROWS[table])]


@frozen
class TableFormat:
    """A format of tables, in files whose names end with `suffix`.

    `to_text` returns rows as text and `heading` the text before the first row, by the
    name of the table. Without `to_text` the file is binary: see `storage.table_files`.
    """

    suffix: str
    to_text: Callable[[Iterable[Row]], str] | None
    heading: Callable[[str], str] = lambda _: ""


_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n]")
"""How a text begins that spreadsheets calculate, or that looks like one of ours."""


def to_csv(table: Iterable[Row]) -> str:
    """Return rows as CSV, without the line of names.

    A text that a spreadsheet would calculate gets an apostrophe, because names and
    press come from strangers. A reader removes the apostrophe before `_FORMULA`.
    """
    return "".join(f"{_csv_line(row)}\n" for row in table)


def _csv_line(row: Row) -> str:
    text = io.StringIO()
    # The writer quotes a carriage return only if lines end with one.
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(_inert, attrs.astuple(row)))
    return text.getvalue().removesuffix("\r\n")


def _inert(cell: object) -> object:
    is_formula = isinstance(cell, str) and _FORMULA.match(cell)
    return f"'{cell}" if is_formula else cell


def _csv_heading(table: str) -> str:
    return ",".join(columns(table)) + "\n"


def to_json_lines(table: Iterable[Row]) -> str:
    """Return rows as JSON, an object a line."""
    return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in table)


CSV: Final = TableFormat(".csv", to_csv, _csv_heading)
JSON_LINES: Final = TableFormat(".jsonl", to_json_lines)
PARQUET: Final = TableFormat(".parquet", to_text=None)
