"""Whether an order of a movement turn could be carried out (DATC chapter 3).

The tests of each order are those of DAIDE's server, in its order; the first that
fails gives the note. An order passes if the position does not make it impossible,
whatever the others do.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from daide_server.board.names import Province, Unit
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

from .convoys import Waters, follows
from .tables import Tables

_MISSING: Final[Mapping[type[Order], OrderNote]] = {
    Convoy: OrderNote.NO_SUCH_FLEET,
    ConvoyedMove: OrderNote.NO_SUCH_ARMY,
}
"""What is said when the ordered unit does not exist, if not that there is no unit."""

OK: Final = OrderNote.OK
FAR: Final = OrderNote.NOT_ADJACENT


class MovementLegality:
    """The units of a movement turn, and what they could do.

    Units have numbers, their places in the position; `number` maps a unit to its
    own, `standings` has their facts in that order.
    """

    def __init__(self, tables: Tables, units: Sequence[Unit]) -> None:
        known = tables.standings
        self.tables = tables
        self.index = tables.index
        self.number = {unit: number for number, unit in enumerate(units)}
        self.standings = [known[unit] for unit in units]
        self._waters: Waters | None = None

    def note(self, order: Order) -> OrderNote:
        """Return the note on *order*, given by the power of its unit."""
        test = _TESTS.get(order.__class__)
        if test is None:
            return OrderNote.WRONG_SEASON
        number = self.number.get(order.unit)  # type: ignore[union-attr] # not Waive
        if number is None:
            return self._first(order, _MISSING.get(type(order), _NO_UNIT))
        note = test(self, order, number)
        return note if note is OK else self._first(order, note)

    def missing(self, order: MovementOrder) -> OrderNote:
        """Return why the ordered unit is not acceptable, ignoring all else."""
        known = order.unit in self.number
        return OK if known else _MISSING.get(type(order), _NO_UNIT)

    @property
    def waters(self) -> Waters:
        """The seas with a fleet in them."""
        if self._waters is None:
            seas = (unit.province for unit in self.standings if unit.at_sea)
            self._waters = Waters(self.tables, seas)
        return self._waters

    def _first(self, order: Order, note: OrderNote) -> OrderNote:
        """Return *note*, unless a province is not of this map: that comes first."""
        known = all(province in self.index for province in _named(order))
        return note if known else OrderNote.NO_SUCH_PROVINCE

    def _hold(self, _order: Hold, _number: int) -> OrderNote:
        return OK

    def _move(self, order: Move, number: int) -> OrderNote:
        return OK if order.destination in self.standings[number].reach else FAR

    def _support_hold(self, order: SupportHold, number: int) -> OrderNote:
        supported = self.number.get(order.supported)
        if supported is None:
            return OrderNote.NO_SUCH_UNIT
        near = self.standings[number].near
        return OK if self.standings[supported].province in near else FAR

    def _support_move(self, order: SupportMove, number: int) -> OrderNote:
        supported = self.number.get(order.supported)
        if supported is None:
            return OrderNote.NO_SUCH_UNIT
        target = self.index.get(order.destination.province)
        supporter = self.standings[number]
        if target not in supporter.near or supported == number:
            return FAR
        mover = self.standings[supported]
        if target in mover.near:
            return OK
        sea = supporter.province if supporter.at_sea else -1
        by_sea = mover.army and target in self.waters.reach(mover.province, sea)
        return OK if by_sea else FAR

    def _convoy(self, order: Convoy, number: int) -> OrderNote:
        convoyed = self.number.get(order.convoyed)
        if convoyed is None:
            return OrderNote.NO_SUCH_ARMY
        fleet = self.standings[number]
        if fleet.army:
            return OrderNote.NO_SUCH_FLEET
        if not fleet.at_sea:
            return OrderNote.NOT_AT_SEA
        army = self.standings[convoyed]
        if not army.army:
            return OrderNote.NO_SUCH_ARMY
        target = self.index.get(order.destination.province, -1)
        known = order.destination.coast is None
        return OK if known and target in self.waters.reach(army.province) else FAR

    def _convoyed_move(self, order: ConvoyedMove, number: int) -> OrderNote:
        army = self.standings[number]
        target = self.index.get(order.destination.province, -1)
        if not army.army:
            return OrderNote.NO_SUCH_ARMY
        if order.route is not None:
            return self._route(army.province, target, order)
        known = order.destination.coast is None
        return OK if known and target in self.waters.reach(army.province) else FAR

    def _route(self, start: int, target: int, order: ConvoyedMove) -> OrderNote:
        before = start
        for province in order.route or ():
            sea = self.index.get(province, -1)
            if sea not in self.waters.occupied:
                return self._no_fleet(sea)
            if sea not in self.tables.seas_of.get(before, ()):
                return FAR
            before = sea
        route = [self.index[province] for province in order.route or ()]
        there = bool(route) and follows(self.tables, start, target, route)
        no_coast = order.destination.coast is None
        return OK if there and no_coast and target != start else FAR

    def _no_fleet(self, sea: int) -> OrderNote:
        """Return why no fleet convoys in *sea*: there is none, or it is not at sea."""
        for unit in self.standings:
            if unit.province == sea and not unit.army:
                return OrderNote.NOT_AT_SEA
        return OrderNote.NO_SUCH_FLEET


_NO_UNIT: Final = OrderNote.NO_SUCH_UNIT

_Test = Callable[[MovementLegality, Order, int], OrderNote]

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
