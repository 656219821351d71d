"""Positions as lines of JSON, and their adjudication.

Names and words are dipcc's. All commands read positions here, so they accept the same
ones, and refuse others in the same words. The answer to an invalid line is its error,
with the line's `id` if it can be read. `explain` answers with lines of text that give
the reasons.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from attrs import frozen
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Variant, VariantError
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Build, Order, Waive, by_unit
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import Rules
from daide_server.records.consequences import Consequence, consequences_of
from daide_server.records.formats.errors import (
    FormatError,
    decoded,
    expect_utf8,
    shortened,
)
from daide_server.records.formats.format import FindVariant
from daide_server.records.formats.phase_json import map_names, position_state

from .turn_report import turn_report


def query_line(variant: Variant, position: Position) -> bytes:
    """Return a query for *position*, without orders."""
    names = map_names.names_of(variant.map)
    state = position_state.state_of(names, position)
    line: dict[str, Any] = {
        "phase": state.name,
        "map": variant.name,
        "units": state.units,
        "centers": state.centers,
        "orders": {names.powers[power]: [] for power in variant.map.powers},
    }
    return msgspec.json.encode(line)


DEFAULT_BOARD = "standard"
"""The board of a position that names none."""


class PositionJson(Struct):
    """A position and its orders in JSON."""

    phase: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    orders: dict[str, list[str] | None]
    retreats: position_state.Retreats | None = None


class _Shape(Struct):
    """The `id` of a line, and the fields that distinguish a position from a record."""

    id: Raw | UnsetType = UNSET
    phase: Raw | UnsetType = UNSET
    units: Raw | UnsetType = UNSET


def is_position(content: bytes) -> bool:
    """Return whether *content* is a position, valid or not, instead of a record."""
    try:
        shape = msgspec.json.decode(content, type=_Shape)
    except (msgspec.DecodeError, RecursionError):
        return False
    return shape.phase is not UNSET or shape.units is not UNSET


def read_position(names: map_names.Names, written: PositionJson) -> Position:
    """Return the position. Raises `FormatError` for an impossible one."""
    turn, at = map_names.phase_turn(written.phase), f"phase {written.phase!r}"
    if turn.phase is Phase.RETREATS and written.retreats is None:
        raise FormatError(f"{at}: no 'retreats' found, expected in this phase")
    retreats = written.retreats or {}
    if turn.phase is not Phase.RETREATS and any(retreats.values()):
        raise FormatError(f"{at}: 'retreats' found, expected in R phases only")
    position = position_state.position_of(
        names, turn, written.units, written.centers, retreats
    )
    position_state.expect_gone(names, position)
    return position


def read_orders(
    names: map_names.Names, written: PositionJson, position: Position
) -> list[Order]:
    """Return the orders, legal or not, that *written* has in its *position*.

    Raises `FormatError` for a text that is no order, or would put two units in one
    place.
    """
    units = {unit.location.province: unit for unit in position.units}
    phase = position.turn.phase
    orders: list[Order] = []

    def read(power: Power, texts: Sequence[str] | None) -> None:
        orders.extend(names.order(text, power, units, phase) for text in texts or ())

    position_state.read_table(names, "orders", written.orders, read)
    position_state.expect_free(names, position, orders)
    return orders


def without_occupied(position: Position) -> Position:
    """Return *position* with retreats to free places only.

    Some programs offer occupied ones too; an order to go there is refused.
    """
    if not position.dislodged:
        return position
    taken = {unit.province for unit in position.units}
    dislodged = {
        unit: tuple(place for place in places if place.province not in taken)
        for unit, places in position.dislodged.items()
    }
    return replace(position, dislodged=dislodged)


def power_called(names: map_names.Names, text: str) -> Power:
    """Return the power that a person calls *text*: `FRANCE`, `France` or `FRA`."""
    wanted = text.strip().upper()
    if wanted in names.map.power_index:
        return Power(wanted)
    for power, called in names.powers.items():
        if called.upper() == wanted:
            return power
    return names.power(text)


class Query(PositionJson):
    """A line: a position and its orders; the `id` is copied to the answer."""

    id: Raw | UnsetType = UNSET
    map: str | UnsetType = UNSET


class Reply(Struct):
    """The answer: the words on each unit, and the state of the phase played next."""

    id: Raw | UnsetType
    results: dict[str, list[str]]
    state: position_state.State


class Refusal(Struct):
    """The answer to an invalid line."""

    id: Raw | UnsetType
    line: int
    error: str


@frozen
class QueryAnswer:
    """The output for a line, without its line break; `good` if the query was valid."""

    text: bytes
    good: bool


_DECODER = msgspec.json.Decoder(Query)
_ENCODER = msgspec.json.Encoder()


@frozen
class QueryAdjudicator:
    """Answers queries by `rules`; one without a `map` is on `default_board`."""

    variants: FindVariant
    rules: Rules
    default_board: str = DEFAULT_BOARD

    def answer(self, line: bytes, number: int) -> QueryAnswer:
        """Return the JSON answer to the line *number*, counted from 1."""
        try:
            reply = self._adjudicated(line).reply()
        except _FAULTS as error:
            refusal = Refusal(_id_of(line), number, _message(error))
            return QueryAnswer(_ENCODER.encode(refusal), good=False)
        return QueryAnswer(_ENCODER.encode(reply), good=True)

    def explain(self, line: bytes, number: int) -> QueryAnswer:
        """Return as text the results of the orders of a line, and the reasons."""
        try:
            asked = self._adjudicated(line)
        except _FAULTS as error:
            place = _named(f"line {number}", _id_of(line))
            return QueryAnswer(f"{place}: {_message(error)}".encode(), good=False)
        name = _named(asked.phase, asked.id)
        lines = turn_report(asked.names, asked.position, asked.resolution)
        return QueryAnswer("\n".join((name, *lines)).encode(), good=True)

    def _adjudicated(self, line: bytes) -> "_Adjudicated":
        """Return the answer to a line; raise one of `_FAULTS` if it is no query."""
        # msgspec does not validate texts that it skips, such as an `id`.
        expect_utf8(line)
        query = decoded(line, _DECODER)
        board = self.default_board if query.map is UNSET else query.map
        variant = self.variants(board)
        names = map_names.names_of(variant.map)
        position = read_position(names, query)
        orders = read_orders(names, query, position)
        resolution = adjudicate(variant, position, orders, self.rules)
        identity = _on_one_line(query.id)
        return _Adjudicated(identity, query.phase, names, position, orders, resolution)


def _named(name: str, identity: Raw | UnsetType) -> str:
    """Return *name* and the `id`, if there is one."""
    return name if identity is UNSET else f"{name} {bytes(identity).decode()}"


_FAULTS = (FormatError, VariantError, RecursionError)
"""The exceptions that an invalid line causes."""


def _message(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return shortened(str(error))


def _id_of(line: bytes) -> Raw | UnsetType:
    """Return the `id` of an invalid line, if it can be read."""
    try:
        found = msgspec.json.decode(line, type=_Shape).id
        if found is not UNSET:
            bytes(found).decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return UNSET
    return _on_one_line(found)


def _on_one_line(identity: Raw | UnsetType) -> Raw | UnsetType:
    """Return an `id` with CR, which ends a line for many readers, as a space."""
    if identity is UNSET:
        return UNSET
    return Raw(bytes(identity).replace(b"\r", b" "))


@frozen
class _Adjudicated:
    """A query that was read, and its adjudication."""

    id: Raw | UnsetType
    phase: str
    names: map_names.Names
    position: Position
    orders: Sequence[Order]
    resolution: Resolution

    def reply(self) -> Reply:
        """Return the answer."""
        following, completed = self.resolution.next, self.resolution.winner is not None
        state = position_state.state_of(self.names, following, completed=completed)
        return Reply(self.id, self._results(), state)

    def _results(self) -> dict[str, list[str]]:
        """Return the words on every unit that could be ordered, and every build."""
        consequences = consequences_of(self.resolution.reports, self.orders)
        if self.resolution.void:
            self._mark_void(consequences)
        results: dict[str, list[str]] = {}
        for unit, found in consequences.items():
            # An illegal build may have the text of a unit that is there.
            words = map_names.words_of(found) if found else []
            results.setdefault(self.names.unit_text(unit), words)
        return results

    def _mark_void(self, consequences: dict[Unit, list[Consequence]]) -> None:
        """Add VOID where all the orders for a unit, or all builds of it, are illegal.

        Orders for units that are not on the board have no result.
        """
        illegal = [
            each for each, _ in self.resolution.void if not isinstance(each, Waive)
        ]
        legal = by_unit(order for order in self.orders if order not in illegal)
        retreating = self.position.turn.phase is Phase.RETREATS
        known = self.position.dislodged if retreating else self.position.units
        for order in illegal:
            found = consequences.get(order.unit, [])
            if order.unit in legal or Consequence.VOID in found:
                continue
            if order.unit in known or isinstance(order, Build):
                consequences[order.unit] = [Consequence.VOID, *found]
