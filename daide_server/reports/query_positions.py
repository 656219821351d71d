"""Positions with orders in them, as every command reads them from JSON.

Names and words are dipcc's. A position that two commands read is the same to both, or
is refused by both in the same words.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, phase_turn
from daide_server.formats.phase_json.position_state import (
    Retreats,
    StateTables,
    expect_free,
    expect_gone,
    position_of,
    read_table,
)

DEFAULT_BOARD: Final = "standard"
"""The board of a position that names none."""


class PositionJson(Struct):
    """A position and the orders in it, as they are written."""

    phase: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    orders: dict[str, list[str] | None]
    retreats: Retreats | None = None


class _Shape(Struct):
    """The fields that distinguish a position from a record."""

    phase: Raw | UnsetType = UNSET
    units: Raw | UnsetType = UNSET


def is_position(content: bytes) -> bool:
    """Return whether *content* is one of these, right or wrong, and no record."""
    try:
        shape = msgspec.json.decode(content, type=_Shape)
    except (msgspec.DecodeError, RecursionError):
        return False
    return shape.phase is not UNSET or shape.units is not UNSET


def read_position(names: Names, written: PositionJson) -> Position:
    """Return the position; raise `FormatError` for one that cannot be."""
    turn = phase_turn(written.phase)
    if turn.phase is Phase.RETREATS and written.retreats is None:
        message = (
            f"phase {written.phase!r}: no 'retreats' found, expected in this phase"
        )
        raise FormatError(message)
    retreats = written.retreats or {}
    if turn.phase is not Phase.RETREATS and any(retreats.values()):
        message = (
            f"phase {written.phase!r}: 'retreats' found, expected in R phases only"
        )
        raise FormatError(message)
    position = position_of(
        names, turn, StateTables(written.units, written.centers, retreats)
    )
    expect_gone(names, position)
    return position


def read_orders(names: Names, written: PositionJson, position: Position) -> list[Order]:
    """Return the orders, legal or not, that *written* has in its *position*.

    Raises `FormatError` for a text that is no order, or would put two units in one
    place.
    """
    units = {unit.location.province: unit for unit in position.units}
    phase = position.turn.phase

    orders: list[Order] = []

    def read(power: Power, texts: Sequence[str] | None) -> None:
        orders.extend(names.orders(texts or (), power, units, phase))

    read_table(names, "orders", written.orders, read)
    expect_free(names, position, orders)
    return orders


def without_occupied(position: Position) -> Position:
    """Return *position* with retreats to free places only.

    Programs offer occupied ones too; an order to go there is refused.
    """
    if not position.dislodged:
        return position
    taken = {unit.province for unit in position.units}
    dislodged = {
        unit: tuple(place for place in places if place.province not in taken)
        for unit, places in position.dislodged.items()
    }
    return replace(position, dislodged=dislodged)
