"""An order as DiploBN's list: the place of the unit, the action, the result."""

from collections.abc import Collection, Iterator, Sequence
from typing import assert_never

from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.notation_reader import move_to
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
    """Reads the lines of one turn; those for no unit are left out.

    The units in *via* move by convoy, even if the result does not say so.
    """

    def __init__(
        self, names: BoardNames, position: Position, via: Collection[str] = ()
    ) -> None:
        self._names = names
        self._via = {names.province(place) for place in via}
        self._map = names.map
        self._phase = position.turn.phase
        self._others = {unit.province: unit for unit in position.units}
        self._own = self._others
        if self._phase is Phase.RETREATS:
            self._own = {unit.province: unit for unit in position.dislodged}

    def orders(self, written: OrdersByCountry) -> Iterator[tuple[Order, object]]:
        """Yield the orders with their results; those without one have `None`.

        Raises `FormatError` for a value that is no order.
        """
        for country, lines in written.items():
            power = self._names.power(country)
            for line in lines:
                at, action, result, *_ = (*line, None, None, None)
                order = self._order(power, at, action, result)
                if order is not None:
                    yield order, result

    def _order(
        self, power: Power, at: object, action: object, result: object
    ) -> Order | None:
        """Return the order of a line; `None` if there is no unit."""
        parts = action if isinstance(action, list) else [action]
        if parts[:1] == ["b"]:
            return self._build(power, parts[1:])
        there = self._own.get(self._names.province(at))
        if there is None:
            return None
        unit = self._map.unit(power, there.type, there.location)
        by_convoy = BY_CONVOY in marks_in(result) or unit.province in self._via
        order = self._order_of(unit, parts, by_convoy=by_convoy)
        if order is None:
            message = f"order {action!r}: expected such as 'h' or ['m', 'Vie']"
            raise FormatError(message)
        return order

    def _order_of(
        self, unit: Unit, parts: Sequence[object], *, by_convoy: bool
    ) -> Order | None:
        """Return the order that *unit* is given; `None` if *parts* are none."""
        location = self._names.location
        match parts:
            case ["h"]:
                return Hold(unit)
            case ["d"]:
                adjusting = self._phase is Phase.ADJUSTMENTS
                return Remove(unit) if adjusting else Disband(unit)
            case ["m", place]:
                return self._move(unit, location(place), by_convoy=by_convoy)
            case ["sh", other]:
                return SupportHold(unit, self._other(unit.power, other))
            case ["sm", other, place]:
                return SupportMove(
                    unit, self._other(unit.power, other), location(place)
                )
            case ["c", other, place]:
                return Convoy(unit, self._other(unit.power, other), location(place))
            case _:
                return None

    def _move(
        self, unit: Unit, destination: Location, *, by_convoy: bool
    ) -> Move | ConvoyedMove | Retreat:
        if self._phase is not Phase.RETREATS:
            if by_convoy:
                return ConvoyedMove(unit, destination, route=None)
            return move_to(self._map, unit, destination)
        if by_convoy:
            message = f"retreat of {unit}: {BY_CONVOY!r} found, expected one by land"
            raise FormatError(message)
        return Retreat(unit, destination)

    def _build(self, power: Power, places: Sequence[object]) -> Build:
        match places:
            case [["A" | "F" as kind, place]]:
                at = self._names.location(place)
                return Build(self._map.unit(power, UnitType(kind), at))
            case _:
                message = f"build {places!r}: expected such as ['A', 'Vie']"
                raise FormatError(message)

    def _other(self, power: Power, place: object) -> Unit:
        """Return the unit at *place*, or an army of *power* if there is none."""
        there = self._others.get(self._names.province(place))
        if there is not None:
            return there
        return self._map.unit(power, UnitType.ARMY, self._names.location(place))
