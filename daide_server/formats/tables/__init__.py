"""Flat tables, for people who count: one row per order, per power, per message.

What a row holds is its class. The same tables are written as CSV, as JSON Lines or,
outside of the pure floors, as Parquet. Names are dipcc's.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs
import msgspec

from daide_server.formats.phase_json.map_names import names_of
from daide_server.records.record import GameRecord

from .message_rows import MessageRow, message_rows
from .order_rows import OrderRow, order_rows
from .power_rows import PowerRow, power_rows

Row = OrderRow | PowerRow | MessageRow

ROWS: Final[Mapping[str, type[Row]]] = {
    "orders": OrderRow,
    "powers": PowerRow,
    "messages": MessageRow,
}
"""The tables by name."""


def rows(record: GameRecord) -> Mapping[str, Iterator[Row]]:
    """Return the rows of each table for one game, in order of time."""
    names = names_of(record.variant.map)
    return {
        "orders": order_rows(record, names),
        "powers": power_rows(record, names),
        "messages": message_rows(record, names),
    }


def columns(table: str) -> Sequence[str]:
    """Return the names of the columns of *table*."""
    return [field.name for field in attrs.fields(ROWS[table])]


# As text


def to_csv(table: Iterable[Row]) -> str:
    """Return rows as CSV, without the line of names."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(attrs.astuple, table))
    return text.getvalue()


def to_json_lines(table: Iterable[Row]) -> str:
    """Return rows as JSON, an object a line."""
    return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in table)


TEXTS: Final[Mapping[str, Callable[[Iterable[Row]], str]]] = {
    "csv": to_csv,
    "jsonl": to_json_lines,
}
"""Name of a format of tables to what writes it."""

HEADED: Final = frozenset({"csv"})
"""The formats whose first line names the columns."""
