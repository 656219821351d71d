"""Whether an order of a movement turn could be carried out (DATC chapter 3).

The tests of each order are those of DAIDE's server, in its order; the first that
fails gives the note. An order passes if the position does not make it impossible,
whatever the others do.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final

from daide_server.board.names import Location, Province, Unit
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from daide_server.board.results import OrderNote

from .convoys import Waters
from .tables import Tables

_MISSING: Final[Mapping[type[Order], OrderNote]] = {
    Convoy: OrderNote.NO_SUCH_FLEET,
    ConvoyedMove: OrderNote.NO_SUCH_ARMY,
}
"""What is said when the ordered unit does not exist, if not that there is no unit."""


OK: Final = OrderNote.OK
FAR: Final = OrderNote.NOT_ADJACENT

Task = int

HOLD: Final[Task] = 0
MOVE: Final[Task] = 1
SUPPORT: Final[Task] = 2
CONVOY: Final[Task] = 3
STRANDED: Final[Task] = 4
"""An army that has no convoy, or none yet: it stays; nobody can help it hold."""

Numbers = tuple[int, Task, int, int]
"""An order in numbers: the unit, its task, where to, which other unit (or -1).

A support to hold is for the place where the other unit is.
"""

Found = Numbers | OrderNote


class MovementLegality:
    """The units of a movement turn, and what they could do.

    Units have numbers, their places in the position; `standings` has their facts
    in that order.
    """

    def __init__(self, tables: Tables, units: Sequence[Unit]) -> None:
        self.tables = tables
        self.index = tables.index
        self.units = units
        self.standings = list(map(tables.standings.__getitem__, units))
        # Most orders name the very objects of the position, whose hash and
        # equality are slow; `number` is for those that do not.
        self._by_id = {id(unit): number for number, unit in enumerate(units)}

    @cached_property
    def number(self) -> Mapping[Unit, int]:
        """The number of each unit."""
        return {unit: number for number, unit in enumerate(self.units)}

    def read(self, order: Order) -> Numbers | OrderNote:
        """Return *order* in numbers, or why it is impossible.

        It is taken as given by the power of its unit.
        """
        test = _TESTS.get(order.__class__)
        if test is None:
            return OrderNote.WRONG_SEASON
        unit: Unit = order.unit  # type: ignore[union-attr] # a waive has no test
        number = self._by_id.get(id(unit))
        if number is None:
            number = self.number.get(unit)
        if number is None:
            return self._first(order, _MISSING.get(order.__class__, _NO_UNIT))
        found = test(self, order, number)
        return self._first(order, found) if isinstance(found, OrderNote) else found

    def note(self, order: Order) -> OrderNote:
        """Return whether *order* is possible, or why not."""
        found = self.read(order)
        return found if isinstance(found, OrderNote) else OK

    def missing(self, order: MovementOrder) -> OrderNote:
        """Return why the ordered unit is not acceptable, ignoring all else."""
        known = order.unit in self.number
        return OK if known else _MISSING.get(type(order), _NO_UNIT)

    @cached_property
    def waters(self) -> Waters:
        """The seas with a fleet in them."""
        seas = (unit.province for unit in self.standings if unit.at_sea)
        return Waters(self.tables, seas)

    def _number_of(self, unit: Unit) -> int | None:
        number = self._by_id.get(id(unit))
        return self.number.get(unit) if number is None else number

    def _first(self, order: Order, note: OrderNote) -> OrderNote:
        """Return *note*, unless a province is not of this map: that comes first."""
        known = all(province in self.index for province in _named(order))
        return note if known else OrderNote.NO_SUCH_PROVINCE

    def _hold(self, _order: Hold, number: int) -> Found:
        return number, HOLD, -1, -1

    def _move(self, order: Move, number: int) -> Found:
        target = self.standings[number].reach.get(order.destination)
        return FAR if target is None else (number, MOVE, target, -1)

    def _support_hold(self, order: SupportHold, number: int) -> Found:
        supported = self._number_of(order.supported)
        if supported is None:
            return OrderNote.NO_SUCH_UNIT
        place = self.standings[supported].province
        if place not in self.standings[number].near:
            return FAR
        return number, SUPPORT, place, supported

    def _support_move(self, order: SupportMove, number: int) -> Found:
        supported = self._number_of(order.supported)
        if supported is None:
            return OrderNote.NO_SUCH_UNIT
        target = self.index.get(order.destination.province, -1)
        supporter = self.standings[number]
        if target not in supporter.near or supported == number:
            return FAR
        mover = self.standings[supported]
        if target in mover.near:
            return number, SUPPORT, target, supported
        sea = supporter.province if supporter.at_sea else -1
        if mover.army and target in self.waters.reach(mover.province, sea):
            return number, SUPPORT, target, supported
        return FAR

    def _convoy(self, order: Convoy, number: int) -> Found:
        convoyed = self._number_of(order.convoyed)
        if convoyed is None:
            return OrderNote.NO_SUCH_ARMY
        fleet, army = self.standings[number], self.standings[convoyed]
        if fleet.army:
            return OrderNote.NO_SUCH_FLEET
        if not fleet.at_sea:
            return OrderNote.NOT_AT_SEA
        if not army.army:
            return OrderNote.NO_SUCH_ARMY
        target = self._landing(order.destination)
        if target not in self.waters.reach(army.province):
            return FAR
        return number, CONVOY, target, convoyed

    def _convoyed_move(self, order: ConvoyedMove, number: int) -> Found:
        army = self.standings[number]
        if not army.army:
            return OrderNote.NO_SUCH_ARMY
        target = self._landing(order.destination)
        if order.route is not None:
            note = self._route(army.province, target, order.route)
            return note if note is not OK else (number, STRANDED, target, -1)
        if target not in self.waters.reach(army.province):
            return FAR
        return number, STRANDED, target, -1

    def _landing(self, location: Location) -> int:
        """Return the province that an army may land in; armies need no coast."""
        if location.coast is not None:
            return -1
        return self.index.get(location.province, -1)

    def _route(self, start: int, end: int, route: Sequence[Province]) -> OrderNote:
        before = start
        for province in route:
            sea = self.index.get(province, -1)
            if sea not in self.waters.occupied:
                return self._no_fleet(sea)
            if sea not in self.tables.seas_of.get(before, ()):
                return FAR
            before = sea
        lands = before != start and end in self.tables.coasts_of[before]
        return OK if lands and end != start else FAR

    def _no_fleet(self, sea: int) -> OrderNote:
        """Return why no fleet convoys in *sea*: there is none, or it is not at sea."""
        for unit in self.standings:
            if unit.province == sea and not unit.army:
                return OrderNote.NOT_AT_SEA
        return OrderNote.NO_SUCH_FLEET


_NO_UNIT: Final = OrderNote.NO_SUCH_UNIT

_Test = Callable[[MovementLegality, Order, int], Found]

_TESTS: Final[Mapping[type[Order], _Test]] = {
    Hold: MovementLegality._hold,  # type: ignore[dict-item] # noqa: SLF001
    Move: MovementLegality._move,  # type: ignore[dict-item] # noqa: SLF001
    ConvoyedMove: MovementLegality._convoyed_move,  # type: ignore[dict-item] # noqa: SLF001
    SupportHold: MovementLegality._support_hold,  # type: ignore[dict-item] # noqa: SLF001
    SupportMove: MovementLegality._support_move,  # type: ignore[dict-item] # noqa: SLF001
    Convoy: MovementLegality._convoy,  # type: ignore[dict-item] # noqa: SLF001
}
"""The class of an order picks its test, so that each test knows its order's type."""


def _named(order: Order) -> Sequence[Province]:
    """Return every province that a movement order names."""
    match order:
        case Move():
            return order.unit.province, order.destination.province
        case ConvoyedMove():
            route = order.route or ()
            return order.unit.province, order.destination.province, *route
        case SupportHold():
            return order.unit.province, order.supported.province
        case SupportMove():
            names = order.unit.province, order.supported.province
            return *names, order.destination.province
        case Convoy():
            names = order.unit.province, order.convoyed.province
            return *names, order.destination.province
        case Hold():
            return (order.unit.province,)
        case _:
            return ()
