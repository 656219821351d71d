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

from .placed_units import PlacedUnit, PlacedUnits

Task = int

HOLD: Final[Task] = 0
MOVE: Final[Task] = 1
SUPPORT: Final[Task] = 2
CONVOY: Final[Task] = 3
MOVE_BY_CONVOY: Final[Task] = 4
"""An army that has no convoy, or none yet: it stays; nobody can help it hold."""

NOWHERE: Final = -1

OK: Final = OrderNote.OK
FAR: Final = OrderNote.NOT_ADJACENT


@frozen(eq=False)
class CompiledOrder:
    """An order in numbers, with what makes it possible.

    `placed` must be the unit at `place`, and `supported`, the supported or convoyed
    unit, the one at `other` (`None` is nobody, nowhere). Then the order is possible
    if it is `sure`. If not, `note` says why it never is; if there is nothing to note,
    it depends on the fleets at sea. `coast` is
    that of a move, or one that a support of it names (4.B.4). If all goes well, a move
    makes the unit an `arrival`, and `success` is what is reported.
    """

    order: Order
    placed: PlacedUnit | None
    place: int
    supported: PlacedUnit | None
    other: int
    sure: bool
    task: Task
    target: int
    coast: Coast | None
    arrival: PlacedUnit | None
    note: OrderNote
    success: Report


class _Memory:
    """OrderCompiler by order, and by the identity of orders that are kept alive for it.

    To look up an equal order takes long, the same object again does not.
    """

    def __init__(self) -> None:
        self.by_order: dict[Order, CompiledOrder] = {}
        self.by_id: dict[int, CompiledOrder] = {}
        self.orders: list[Order] = []


class OrderCompiler:
    """The compiled of each order that has been asked for lately."""

    MOST: Final = 1 << 16
    """Some tens of megabytes, and more orders than are given in hundreds of games."""

    def __init__(self, board_map: Map, placed_units: PlacedUnits) -> None:
        self._map = board_map
        self._placed_units = placed_units
        self._memory = _Memory()

    def of(self, orders: Sequence[Order]) -> Sequence[CompiledOrder]:
        """Return the compiler of *orders*."""
        try:
            return list(map(self._memory.by_id.__getitem__, map(id, orders)))
        except KeyError:
            return list(map(self.get, orders))

    def get(self, order: Order) -> CompiledOrder:
        """Return the compiled of *order*."""
        return self._memory.by_id.get(id(order)) or self._learn(order)

    def _learn(self, order: Order) -> CompiledOrder:
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

    def _read(self, order: Order) -> CompiledOrder:
        test = _TESTS.get(type(order))
        if test is None:
            return _compiled(order, None, OrderNote.WRONG_SEASON)
        unit: Unit = order.unit  # type: ignore[union-attr] # a waive has no test
        placed = self._placed_units.get(unit)
        if placed is None:
            return _compiled(order, None, _MISSING.get(type(order), _NO_UNIT))
        return test(self, order, placed)

    def _hold(self, order: Hold, placed: PlacedUnit) -> CompiledOrder:
        return _compiled(order, placed, OK, HOLD)

    def _move(self, order: Move, placed: PlacedUnit) -> CompiledOrder:
        target = placed.reach.get(order.destination)
        if target is None:
            return _compiled(order, placed, FAR)
        coast = order.destination.coast
        arrival = self._arrival(placed.unit, order.destination)
        return _compiled(order, placed, OK, MOVE, target, coast=coast, arrival=arrival)

    def _support_hold(self, order: SupportHold, placed: PlacedUnit) -> CompiledOrder:
        supported = self._placed_units.get(order.supported)
        if supported is None:
            return _compiled(order, placed, OrderNote.NO_SUCH_UNIT)
        note = OK if supported.province in placed.near else FAR
        return _compiled(order, placed, note, SUPPORT, supported.province, supported)

    def _support_move(self, order: SupportMove, placed: PlacedUnit) -> CompiledOrder:
        supported = self._placed_units.get(order.supported)
        if supported is None:
            return _compiled(order, placed, OrderNote.NO_SUCH_UNIT)
        target = self._map.index.get(order.destination.province, NOWHERE)
        if target not in placed.near or supported is placed:
            return _compiled(order, placed, FAR, SUPPORT, target, supported)
        by_sea = target not in supported.near
        note = FAR if by_sea and not supported.army else OK
        coast = order.destination.coast
        return _compiled(
            order, placed, note, SUPPORT, target, supported, coast=coast, sure=not by_sea
        )

    def _convoy(self, order: Convoy, placed: PlacedUnit) -> CompiledOrder:
        supported = self._placed_units.get(order.convoyed)
        if supported is None:
            return _compiled(order, placed, OrderNote.NO_SUCH_ARMY)
        note = OK
        if placed.army:
            note = OrderNote.NO_SUCH_FLEET
        elif not placed.at_sea:
            note = OrderNote.NOT_AT_SEA
        elif not supported.army:
            note = OrderNote.NO_SUCH_ARMY
        target = self._landing(order.destination)
        return _compiled(order, placed, note, CONVOY, target, supported, sure=False)

    def _convoyed_move(self, order: ConvoyedMove, placed: PlacedUnit) -> CompiledOrder:
        if not placed.army:
            return _compiled(order, placed, OrderNote.NO_SUCH_ARMY)
        target = self._landing(order.destination)
        arrival = self._arrival(placed.unit, order.destination)
        return _compiled(
            order, placed, OK, MOVE_BY_CONVOY, target, arrival=arrival, sure=False
        )

    def _arrival(self, unit: Unit, at: Location) -> PlacedUnit | None:
        return self._placed_units.get(self._map.unit(unit.power, unit.type, at))

    def _landing(self, location: Location) -> int:
        """Return the province that an army may land in; armies need no coast."""
        if location.coast is not None:
            return NOWHERE
        return self._map.index.get(location.province, NOWHERE)


def _compiled(  # noqa: PLR0913, PLR0917 - the fields of a value
    order: Order,
    placed: PlacedUnit | None,
    note: OrderNote,
    task: Task = HOLD,
    target: int = NOWHERE,
    supported: PlacedUnit | None = None,
    *,
    coast: Coast | None = None,
    arrival: PlacedUnit | None = None,
    sure: bool = True,
) -> CompiledOrder:
    return CompiledOrder(
        order,
        placed,
        NOWHERE if placed is None else placed.province,
        supported,
        NOWHERE if supported is None else supported.province,
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
_TESTS: Final[Mapping[type[Order], Callable[[OrderCompiler, Any, PlacedUnit], CompiledOrder]]] = {
    Hold: OrderCompiler._hold,  # noqa: SLF001 - its own table
    Move: OrderCompiler._move,  # noqa: SLF001
    ConvoyedMove: OrderCompiler._convoyed_move,  # noqa: SLF001
    SupportHold: OrderCompiler._support_hold,  # noqa: SLF001
    SupportMove: OrderCompiler._support_move,  # noqa: SLF001
    Convoy: OrderCompiler._convoy,  # noqa: SLF001
}
