"""Positions as tests write them down, in dipcc's names."""

from collections.abc import Mapping, Sequence

from daide_server.board.map import Position, Variant
from daide_server.board.notation import reader_of
from daide_server.board.orders import Order
from daide_server.records.formats.phase_json.map_names import names_of, phase_turn
from daide_server.records.formats.phase_json.position_state import position_of

Listed = Mapping[str, Sequence[str]]
Texts = Listed | str
"""Texts by power, also as `FRANCE: A PAR, A BUR; GERMANY: A MUN`."""


def by_power(texts: Texts) -> Listed:
    """Return *texts* by power, however they are written."""
    if not isinstance(texts, str):
        return texts
    parts = (part.split(": ") for part in texts.split("; ") if part)
    return {power: each.split(", ") for power, each in parts}


def position(
    variant: Variant,
    phase: str,
    units: Texts,
    centres: Texts = "",
    retreats: Mapping[str, Listed] | None = None,
) -> Position:
    """Return the position in which only these units and owned centres are."""
    tables = by_power(units), by_power(centres), retreats or {}
    return position_of(names_of(variant.map), phase_turn(phase), *tables)


def orders_of(variant: Variant, position: Position, written: Texts) -> list[Order]:
    """Return the orders of each power."""
    names = names_of(variant.map)
    reader = reader_of(position, variant.map, names.notation)
    return [
        reader.order(text, names.power(power))
        for power, texts in by_power(written).items()
        for text in texts
    ]


def texts(variant: Variant, orders: Sequence[Order]) -> list[str]:
    """Return *orders* as text."""
    notation = names_of(variant.map).notation
    return [notation.order(order) for order in orders]
