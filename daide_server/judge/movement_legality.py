"""Whether an order of a movement turn could be carried out (DATC chapter 3).

The tests of each order are those of DAIDE's server, in its order; the first that
fails gives the note. An order passes if the position does not make it impossible,
whatever the others do.
"""

from collections.abc import Sequence

from daide_server.board.names import Province, Unit
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    UnitOrder,
)
from daide_server.board.results import OrderNote

from .convoys import joined
from .lazy import lazy
from .compiled_orders import CONVOY, FAR, OK, SUPPORT, CompiledOrder, missing_note
from .placed_units import PlacedUnit
from .map_tables import MapTables


class MovementLegality:
    """The units of a movement turn, and what they could do.

    `at` tells which unit stands at each place.
    """

    def __init__(self, tables: MapTables, units: tuple[Unit, ...]) -> None:
        self.tables = tables
        self.units = units
        self.at = tables.placed_units.by_place(units)

    def chosen(
        self, orders: Sequence[Order], *, last: bool = False
    ) -> dict[int, CompiledOrder]:
        """Return the last possible order of each unit, by the unit's place.

        Or its *last* order, if that is possible (4.D.1).
        """
        found: dict[int, CompiledOrder] = {}
        at = self.at.get
        for compiled in self.tables.compiler.of(orders):
            place = compiled.place
            if at(place) is compiled.placed and (
                # Most are sure; to ask for each of them would double the time.
                (compiled.sure and at(compiled.other) is compiled.supported)
                or self._is_possible(compiled)
            ):
                found[place] = compiled
        if last and len(found) < len(orders):
            compiler = self.tables.compiler.of(orders)
            own = (compiler[number] for number in self.last_own(orders).values())
            return {
                compiled.place: compiled for compiled in own if self._is_possible(compiled)
            }
        return found

    def last_own(self, orders: Sequence[Order]) -> dict[int, int]:
        """Return which order is the last that its own power gave to each unit.

        By the unit's place; *orders* are counted from 0.
        """
        compiler = enumerate(self.tables.compiler.of(orders))
        return {
            compiled.place: number
            for number, compiled in compiler
            if self._is_own(compiled)
        }

    def _is_own(self, compiled: CompiledOrder) -> bool:
        """Return whether the power that gave the order has the unit of that place."""
        unit = self.at.get(compiled.place)
        return (
            unit is not None
            and compiled.placed is not None
            and compiled.placed.power == unit.power
        )

    def _is_possible(self, compiled: CompiledOrder) -> bool:
        at = self.at.get
        return (
            at(compiled.place) is compiled.placed
            and at(compiled.other) is compiled.supported
            and (compiled.sure or self._rest(compiled) is OK)
        )

    def note(self, order: Order) -> OrderNote:
        """Return whether *order* is possible, or why not.

        It is taken as given by the power of its unit.
        """
        compiled, at = self.tables.compiler.get(order), self.at.get
        if at(compiled.place) is not compiled.placed:
            note = missing_note(order)
        elif at(compiled.other) is not compiled.supported:
            is_convoy = compiled.task == CONVOY
            note = OrderNote.NO_SUCH_ARMY if is_convoy else OrderNote.NO_SUCH_UNIT
        elif compiled.sure:
            return OK
        else:
            note = self._rest(compiled)
        if note in {OK, OrderNote.WRONG_SEASON}:
            return note
        # A province that is not of this map comes first.
        known = all(province in self.tables.index for province in _named(order))
        return note if known else OrderNote.NO_SUCH_PROVINCE

    def find(self, unit: Unit) -> PlacedUnit | None:
        """Return the placed of *unit* if it is on the board."""
        placed = self.tables.placed_units.get(unit)
        if placed is None or self.at.get(placed.province) is not placed:
            return None
        return placed

    def missing(self, order: UnitOrder) -> OrderNote:
        """Return why the ordered unit is not acceptable, ignoring all else."""
        return missing_note(order) if self.find(order.unit) is None else OK

    @lazy
    def seas(self) -> frozenset[int]:
        """The seas with a fleet in them."""
        return self.tables.seas.intersection(self.at)

    def _rest(self, compiled: CompiledOrder) -> OrderNote:
        """Return the note on an order that is not sure, when its units are there."""
        if compiled.note is not OK:
            return compiled.note
        order, target = compiled.order, compiled.target
        if isinstance(order, ConvoyedMove) and order.route is not None:
            return self._route(compiled.place, target, order.route)
        start, seas = compiled.place, self.seas
        if compiled.task in {SUPPORT, CONVOY}:
            start = compiled.other
        if compiled.task == SUPPORT and compiled.place in seas:
            # Who supports an army does not carry it.
            seas -= {compiled.place}
        arrives = target != start and joined(self.tables, start, target, seas)
        return OK if arrives else FAR

    def _route(self, start: int, end: int, route: Sequence[Province]) -> OrderNote:
        before = start
        for province in route:
            sea = self.tables.index.get(province, -1)
            if sea not in self.seas:
                return self._no_fleet(sea)
            if sea not in self.tables.seas_of.get(before, ()):
                return FAR
            before = sea
        lands = before != start and end in self.tables.coasts_of[before]
        return OK if lands and end != start else FAR

    def _no_fleet(self, sea: int) -> OrderNote:
        """Return why no fleet convoys in *sea*: there is none, or it is not at sea."""
        unit = self.at.get(sea)
        in_port = unit is not None and not unit.army
        return OrderNote.NOT_AT_SEA if in_port else OrderNote.NO_SUCH_FLEET


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
