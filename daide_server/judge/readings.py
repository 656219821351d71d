"""Orders of a movement turn in numbers, and which of them no position makes possible.

Whether the units that an order names are there, and whether fleets are where a convoy
needs them, depends on the position; everything else about an order does not, and is
found out once.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Unit
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
)
from daide_server.board.results import OrderNote, OrderResult, Report

from .standings import Standing, Standings

Task = int

HOLD: Final[Task] = 0
MOVE: Final[Task] = 1
SUPPORT: Final[Task] = 2
CONVOY: Final[Task] = 3
STRANDED: Final[Task] = 4
"""An army that has no convoy, or none yet: it stays; nobody can help it hold."""

NOWHERE: Final = -1

OK: Final = OrderNote.OK
FAR: Final = OrderNote.NOT_ADJACENT


@frozen(eq=False)
class Reading:
    """An order in numbers, with what makes it possible.

    `standing` must be the unit at `place`, and `helped`, the supported or convoyed
    unit, the one at `other` (`None` is nobody, nowhere). Then the order is possible
    if it is `sure`. If not, `note` says why it never is; if there is nothing to note,
    it depends on the fleets at sea. `coast` is
    that of a move, or one that a support of it names (4.B.4). If all goes well, a move
    makes the unit an `arrival`, and `success` is what is reported.
    """

    order: Order
    standing: Standing | None
    place: int
    helped: Standing | None
    other: int
    sure: bool
    task: Task
    target: int
    coast: Coast | None
    arrival: Standing | None
    note: OrderNote
    success: Report


class _Memory:
    """Readings by order, and by the identity of orders that are kept alive for it.

    To look up an equal order takes long, the same object again does not.
    """

    def __init__(self) -> None:
        self.by_order: dict[Order, Reading] = {}
        self.by_id: dict[int, Reading] = {}
        self.orders: list[Order] = []


class Readings:
    """The reading of each order that has been asked for lately."""

    MOST: Final = 1 << 16
    """Some tens of megabytes, and more orders than are given in hundreds of games."""

    def __init__(self, ground: Map, standings: Standings) -> None:
        self._map = ground
        self._standings = standings
        self._memory = _Memory()

    def of(self, orders: Sequence[Order]) -> Sequence[Reading]:
        """Return the readings of *orders*."""
        try:
            return list(map(self._memory.by_id.__getitem__, map(id, orders)))
        except KeyError:
            return list(map(self.get, orders))

    def get(self, order: Order) -> Reading:
        """Return the reading of *order*."""
        return self._memory.by_id.get(id(order)) or self._learn(order)

    def _learn(self, order: Order) -> Reading:
        memory = self._memory
        if len(memory.orders) >= self.MOST:
            # Another thread may be looking at the old one: it is left as it is.
            memory = self._memory = _Memory()
        known = memory.by_order.get(order)
        if known is None:
            known = memory.by_order[order] = self._read(order)
        memory.orders.append(order)
        memory.by_id[id(order)] = known
        return known

    def _read(self, order: Order) -> Reading:
        test = _TESTS.get(type(order))
        if test is None:
            return _reading(order, None, OrderNote.WRONG_SEASON)
        unit: Unit = order.unit  # type: ignore[union-attr] # a waive has no test
        standing = self._standings.get(unit)
        if standing is None:
            return _reading(order, None, _MISSING.get(type(order), _NO_UNIT))
        return test(self, order, standing)

    def _hold(self, order: Hold, standing: Standing) -> Reading:
        return _reading(order, standing, OK, HOLD)

    def _move(self, order: Move, standing: Standing) -> Reading:
        target = standing.reach.get(order.destination)
        if target is None:
            return _reading(order, standing, FAR)
        coast = order.destination.coast
        arrival = self._arrival(standing.unit, order.destination)
        return _reading(order, standing, OK, MOVE, target, coast=coast, arrival=arrival)

    def _support_hold(self, order: SupportHold, standing: Standing) -> Reading:
        helped = self._standings.get(order.supported)
        if helped is None:
            return _reading(order, standing, OrderNote.NO_SUCH_UNIT)
        note = OK if helped.province in standing.near else FAR
        return _reading(order, standing, note, SUPPORT, helped.province, helped)

    def _support_move(self, order: SupportMove, standing: Standing) -> Reading:
        helped = self._standings.get(order.supported)
        if helped is None:
            return _reading(order, standing, OrderNote.NO_SUCH_UNIT)
        target = self._map.index.get(order.destination.province, NOWHERE)
        if target not in standing.near or helped is standing:
            return _reading(order, standing, FAR, SUPPORT, target, helped)
        by_sea = target not in helped.near
        note = FAR if by_sea and not helped.army else OK
        coast = order.destination.coast
        return _reading(
            order, standing, note, SUPPORT, target, helped, coast=coast, sure=not by_sea
        )

    def _convoy(self, order: Convoy, standing: Standing) -> Reading:
        helped = self._standings.get(order.convoyed)
        if helped is None:
            return _reading(order, standing, OrderNote.NO_SUCH_ARMY)
        note = OK
        if standing.army:
            note = OrderNote.NO_SUCH_FLEET
        elif not standing.at_sea:
            note = OrderNote.NOT_AT_SEA
        elif not helped.army:
            note = OrderNote.NO_SUCH_ARMY
        target = self._landing(order.destination)
        return _reading(order, standing, note, CONVOY, target, helped, sure=False)

    def _convoyed_move(self, order: ConvoyedMove, standing: Standing) -> Reading:
        if not standing.army:
            return _reading(order, standing, OrderNote.NO_SUCH_ARMY)
        target = self._landing(order.destination)
        arrival = self._arrival(standing.unit, order.destination)
        return _reading(
            order, standing, OK, STRANDED, target, arrival=arrival, sure=False
        )

    def _arrival(self, unit: Unit, at: Location) -> Standing | None:
        return self._standings.get(self._map.unit(unit.power, unit.type, at))

    def _landing(self, location: Location) -> int:
        """Return the province that an army may land in; armies need no coast."""
        if location.coast is not None:
            return NOWHERE
        return self._map.index.get(location.province, NOWHERE)


def _reading(  # noqa: PLR0913, PLR0917 - the fields of a value
    order: Order,
    standing: Standing | None,
    note: OrderNote,
    task: Task = HOLD,
    target: int = NOWHERE,
    helped: Standing | None = None,
    *,
    coast: Coast | None = None,
    arrival: Standing | None = None,
    sure: bool = True,
) -> Reading:
    return Reading(
        order,
        standing,
        NOWHERE if standing is None else standing.province,
        helped,
        NOWHERE if helped is None else helped.province,
        sure and note is OK,
        task,
        target,
        coast,
        arrival,
        note,
        Report(order, OrderResult.SUCCEEDED),
    )


_NO_UNIT: Final = OrderNote.NO_SUCH_UNIT

_MISSING: Final[Mapping[type[Order], OrderNote]] = {
    Convoy: OrderNote.NO_SUCH_FLEET,
    ConvoyedMove: OrderNote.NO_SUCH_ARMY,
}
"""What is said when the ordered unit does not exist, if not that there is no unit."""


def missing_note(order: Order) -> OrderNote:
    """Return what is said of *order* if its unit does not exist."""
    return _MISSING.get(type(order), _NO_UNIT)


# The class of an order picks its test, so that each test knows its order's type.
_TESTS: Final[Mapping[type[Order], Callable[[Readings, Any, Standing], Reading]]] = {
    Hold: Readings._hold,  # noqa: SLF001 - its own table
    Move: Readings._move,  # noqa: SLF001
    ConvoyedMove: Readings._convoyed_move,  # noqa: SLF001
    SupportHold: Readings._support_hold,  # noqa: SLF001
    SupportMove: Readings._support_move,  # noqa: SLF001
    Convoy: Readings._convoy,  # noqa: SLF001
}
