"""Whether an order of a movement turn could be carried out (DATC chapter 3).

The tests of each order are those of DAIDE's server, in its order; the first that
fails gives the note. An order passes if the position does not make it impossible,
for any orders of the others.
"""

from collections.abc import Sequence
from typing import Final

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

from .compiled_orders import CONVOY, SUPPORT, CompiledOrder, missing_note
from .fleet_chains import FleetChains
from .lazy import lazy
from .map_tables import MapTables
from .placed_units import PlacedUnit

_OK: Final = OrderNote.OK
_FAR: Final = OrderNote.NOT_ADJACENT


class MovementLegality:
    """The units of a movement turn, and what they could do.

    `at` has the unit in each province; both are numbers of `MapTables`.
    """

    def __init__(self, tables: MapTables, units: tuple[Unit, ...]) -> None:
        self.tables = tables
        self.units = units
        self.at = tables.units.by_province(units)
        self._compile = tables.compiler.compile

    def chosen(
        self, orders: Sequence[Order], *, last: bool = False
    ) -> dict[int, CompiledOrder]:
        """Return the last legal order of each unit, by the unit's province.

        Or its *last* order, if that is legal (4.D.1).
        """
        found: dict[int, CompiledOrder] = {}
        at = self.at.get
        for order in self.tables.compiler.compile_all(orders):
            province = order.province
            if at(province) is order.ordered and (
                # Most are unconditional; to call for each would double the time.
                (
                    order.unconditional
                    and at(order.supported_province) is order.supported
                )
                or self._is_legal(order)
            ):
                found[province] = order
        if last and len(found) < len(orders):
            compiled = self.tables.compiler.compile_all(orders)
            own = (compiled[number] for number in self.last_own(orders).values())
            return {order.province: order for order in own if self._is_legal(order)}
        return found

    def last_own(self, orders: Sequence[Order]) -> dict[int, int]:
        """Return which order is the last that its own power gave to each unit.

        By the unit's province; *orders* are counted from 0.
        """
        compiled = enumerate(self.tables.compiler.compile_all(orders))
        return {
            order.province: number for number, order in compiled if self._is_own(order)
        }

    def _is_own(self, order: CompiledOrder) -> bool:
        """Return whether the power that gave the order has the unit there."""
        unit = self.at.get(order.province)
        return (
            unit is not None
            and order.ordered is not None
            and order.ordered.power == unit.power
        )

    def _is_legal(self, order: CompiledOrder) -> bool:
        at = self.at.get
        return (
            at(order.province) is order.ordered
            and at(order.supported_province) is order.supported
            and (order.unconditional or self._conditional_note(order) is _OK)
        )

    def note(self, order: Order) -> OrderNote:
        """Return whether *order* is legal, or why not.

        It is taken as given by the power of its unit.
        """
        compiled, at = self._compile(order), self.at.get
        if at(compiled.province) is not compiled.ordered:
            note = missing_note(order)
        elif at(compiled.supported_province) is not compiled.supported:
            is_convoy = compiled.task == CONVOY
            note = OrderNote.NO_SUCH_ARMY if is_convoy else OrderNote.NO_SUCH_UNIT
        elif compiled.unconditional:
            return _OK
        else:
            note = self._conditional_note(compiled)
        if note in {_OK, OrderNote.WRONG_SEASON}:
            return note
        # A province that is not of this map comes first.
        known = all(province in self.tables.index for province in _named(order))
        return note if known else OrderNote.NO_SUCH_PROVINCE

    def find(self, unit: Unit) -> PlacedUnit | None:
        """Return *unit* in numbers if it is on the board."""
        placed = self.tables.units.get(unit)
        if placed is None or self.at.get(placed.province) is not placed:
            return None
        return placed

    def missing(self, order: UnitOrder) -> OrderNote:
        """Return the note on the ordered unit alone: it exists, or why not."""
        return missing_note(order) if self.find(order.unit) is None else _OK

    @lazy
    def seas(self) -> frozenset[int]:
        """The seas with a fleet in them."""
        return self.tables.seas.intersection(self.at)

    @lazy
    def fleets(self) -> FleetChains:
        """The chains of fleets, and where they may take armies."""
        return self.tables.chains.fleets(self.seas)

    def _conditional_note(self, compiled: CompiledOrder) -> OrderNote:
        """Return the note on an order whose units are there, if it needs fleets."""
        if compiled.note is not _OK:
            return compiled.note
        order, target = compiled.order, compiled.target
        if isinstance(order, ConvoyedMove) and order.route is not None:
            return self._route(compiled.province, target, order.route)
        army = compiled.supported or compiled.ordered
        assert army is not None, "an order with note OK has a unit"
        landings = self.fleets.reach(army.node)
        if landings is None:
            return _FAR
        coasts = landings.coasts
        if compiled.task == SUPPORT:
            assert compiled.ordered is not None, "likewise"
            coasts = landings[compiled.ordered.node]
        return _OK if target in coasts else _FAR

    def _route(self, start: int, end: int, route: Sequence[Province]) -> OrderNote:
        before = start
        for province in route:
            sea = self.tables.index.get(province, -1)
            if sea not in self.seas:
                return self._no_fleet(sea)
            if sea not in self.tables.seas_of.get(before, ()):
                return _FAR
            before = sea
        lands = before != start and end in self.tables.coasts_of[before]
        return _OK if lands and end != start else _FAR

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
