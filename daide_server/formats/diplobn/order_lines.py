"""An order as a line of DiploBN's: where the unit is, what it does, what came of it.

Lines are read by way of dipcc's texts.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from daide_server.board.names import Province, Unit
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
)
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.formats.errors import FormatError

from .map_names import BoardNames
from .reasons import BY_CONVOY, marks_in
from .shapes import Action, OrdersByCountry


def line_of(
    order: UnitOrder, names: BoardNames, *result: object
) -> list[object] | None:
    """Return the line of *order*, `None` if it names a place that is not on the map."""
    if not names.provinces.keys() >= _provinces(order):
        return None
    return [names.provinces[order.unit.province], _action(order, names), *result]


def _provinces(order: UnitOrder) -> set[Province]:
    found = {order.unit.province}
    if isinstance(order, Move | ConvoyedMove | Retreat | SupportMove | Convoy):
        found.add(order.destination.province)
    if isinstance(order, SupportHold | SupportMove):
        found.add(order.supported.province)
    if isinstance(order, Convoy):
        found.add(order.convoyed.province)
    return found


def _action(order: UnitOrder, names: BoardNames) -> Action:
    place = names.place
    match order:
        case Hold():
            return "h"
        case Disband() | Remove():
            return "d"
        case Move() | ConvoyedMove() | Retreat():
            return ["m", place(order.destination)]
        case SupportHold():
            return ["sh", place(order.supported.location)]
        case SupportMove():
            return ["sm", place(order.supported.location), place(order.destination)]
        case Convoy():
            return ["c", place(order.convoyed.location), place(order.destination)]
        case Build():
            return ["b", names.unit(order.unit)]
        case _:
            assert_never(order)


class DiplobnOrderReader:
    """Reads the lines of one turn; those for no unit are left out."""

    def __init__(self, names: BoardNames, position: Position) -> None:
        self._names = names
        self._phase = position.turn.phase
        self._units = {unit.province: unit for unit in position.units}
        is_retreat = self._phase is Phase.RETREATS
        self._own = self._by_text(position.dislodged if is_retreat else position.units)
        self._others = self._by_text(position.units)
        self._sign = "R" if is_retreat else "-"

    def orders(self, told: OrdersByCountry) -> Iterator[tuple[Order, object]]:
        """Yield the orders with their results; those without one have `None`."""
        for country, lines in told.items():
            power = self._names.power(country)
            for line in lines:
                at, action, result, *_ = (*line, None, None, None)
                text = self._text(at, action, result)
                if text is not None:
                    order = self._names.names.order(
                        text, power, self._units, self._phase
                    )
                    yield order, result

    def _text(self, at: object, action: object, result: object) -> str | None:
        """Return the order of a line as dipcc has it; `None` if there is no unit."""
        parts = action if isinstance(action, list) else [action]
        if parts[:1] == ["b"]:
            return self._build(parts[1:])
        unit = self._own.get(self._province(at))
        if unit is None:
            return None
        done = self._done(parts, " VIA" if BY_CONVOY in marks_in(result) else "")
        if done is None:
            message = f"order {action!r}: expected such as 'h' or ['m', 'Vie']"
            raise FormatError(message)
        return f"{self._names.names.unit_text(unit)} {done}"

    def _done(self, parts: Sequence[object], via: str) -> str | None:
        """Return what a unit does, such as `S A BUD - TRI`."""
        text = self._names.text
        match parts:
            case ["h"] | ["d"]:
                return str(parts[0]).upper()
            case ["m", place]:
                return f"{self._sign} {text(place)}{via}"
            case ["sh", other]:
                return f"S {self._other(other)}"
            case ["sm", other, place]:
                return f"S {self._other(other)} - {text(place)}"
            case ["c", other, place]:
                return f"C {self._other(other)} - {text(place)}"
            case _:
                return None

    def _build(self, places: Sequence[object]) -> str:
        match places:
            case [["A" | "F" as kind, place]]:
                return f"{kind} {self._names.text(place)} B"
            case _:
                message = f"build {places!r}: expected such as ['A', 'Vie']"
                raise FormatError(message)

    def _other(self, place: object) -> str:
        """Return the unit at *place*, or an army if nobody stands there."""
        there = self._others.get(self._province(place))
        if there is None:
            return f"A {self._names.text(place)}"
        return self._names.names.unit_text(there)

    def _province(self, place: object) -> str:
        return self._names.text(place).partition("/")[0]

    def _by_text(self, units: Iterable[Unit]) -> dict[str, Unit]:
        provinces = self._names.names.provinces
        return {provinces[unit.province]: unit for unit in units}
