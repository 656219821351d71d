"""Whether an order is legal (DATC chapter 3), and the note on it (DAIDE's THX).

The first test that fails gives the note. Whether the turn is for such orders comes
first, then whether everything that is named exists, then whose it is, then the tests of
DAIDE's server, in its order; for builds and removals, whether any more are due. An
order of a movement turn passes if the position does not make it impossible, for any
orders of the others.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from daide_server.board import orders
from daide_server.board.map import Map, Phase, Position
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.notation import named_places
from daide_server.board.orders import ConvoyedMove, Move, MovementOrder, Order, Waive
from daide_server.board.results import OrderNote

from .adjustments import AdjustmentLegality
from .compiled_orders import (
    NO_PROVINCE,
    CompiledOrder,
    MapTables,
    PlacedUnit,
    missing_note,
    tables_of,
)
from .fleet_chains import FleetChains
from .retreats import RetreatLegality
from .rules import DAIDE_RULES, MissingCoast, Rules, WrongCoast

# Each order of a client gets a note, and these names save a tenth of its time.
_OK = OrderNote.OK
_FAR = OrderNote.NOT_ADJACENT
_BEFORE_POWER = (OrderNote.WRONG_SEASON, OrderNote.NO_SUCH_PROVINCE)
"""Notes that take precedence over NOT_YOUR_UNIT."""

# Movement turns


class MovementLegality:
    """Which orders the units of a movement turn could carry out.

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
        """Return the order of each unit that counts, by the unit's province (4.D.1).

        It is the last legal one, or with *last* the last one, if that is legal.
        """
        compiled = list(map(self._compile, orders))
        found = {order.province: order for order in compiled if self._is_legal(order)}
        if last and len(found) < len(orders):
            own = (compiled[number] for number in self.last_own(orders).values())
            return {order.province: order for order in own if self._is_legal(order)}
        return found

    def last_own(self, orders: Sequence[Order]) -> dict[int, int]:
        """Return the index of the last order from a unit's own power, by province."""
        compiled = enumerate(map(self._compile, orders))
        return {
            order.province: number for number, order in compiled if self._is_own(order)
        }

    def _is_own(self, order: CompiledOrder) -> bool:
        """Return whether the power that gave the order has the unit there."""
        unit, ordered = self.at.get(order.province), order.ordered
        return unit is not None and ordered is not None and ordered.power == unit.power

    def _is_legal(self, order: CompiledOrder) -> bool:
        at = self.at.get
        return (
            at(order.province) is order.ordered
            and at(order.supported_province) is order.supported
            and (order.note is _OK or self._conditional_note(order) is _OK)
        )

    def note(self, order: Order) -> OrderNote:
        """Return whether *order* is legal, or why not.

        It is taken as given by the power of its unit.
        """
        compiled, at = self._compile(order), self.at.get
        if at(compiled.province) is not compiled.ordered:
            note = missing_note(order)
        elif at(compiled.supported_province) is not compiled.supported:
            is_convoy = isinstance(order, orders.Convoy)
            note = OrderNote.NO_SUCH_ARMY if is_convoy else OrderNote.NO_SUCH_UNIT
        elif compiled.note is _OK:
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
        placed = self.tables.units.find(unit)
        if placed is None or self.at.get(placed.province) is not placed:
            return None
        return placed

    def missing(self, order: orders.UnitOrder) -> OrderNote:
        """Return the note on the ordered unit alone: it exists, or why not."""
        exists = self.find(order.unit) is not None
        return _OK if exists else missing_note(order)

    @cached_property
    def seas(self) -> frozenset[int]:
        """The seas with a fleet in them."""
        return self.tables.seas.intersection(self.at)

    @cached_property
    def fleets(self) -> FleetChains:
        """The chains of fleets, and where they may take armies."""
        return self.tables.fleets(self.seas)

    def _conditional_note(self, compiled: CompiledOrder) -> OrderNote:
        """Return the note on an order whose units are there."""
        if compiled.note is not None:
            return compiled.note
        order, target = compiled.order, compiled.target
        if isinstance(order, ConvoyedMove) and order.route is not None:
            return self._route(compiled.province, target, order.route)
        army = (
            compiled.province
            if compiled.supported is None
            else compiled.supported_province
        )
        is_support = isinstance(order, orders.SupportMove)
        helper = compiled.province if is_support else NO_PROVINCE
        return _OK if target in self.fleets.landings(army, helper) else _FAR

    def _route(self, start: int, end: int, route: Sequence[Province]) -> OrderNote:
        before = start
        for province in route:
            sea = self.tables.index.get(province, NO_PROVINCE)
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


def _named(order: Order) -> Iterator[Province]:
    """Yield every province that a movement order names."""
    if isinstance(order, MovementOrder):
        yield from (at.province for at in named_places(order))
    if isinstance(order, ConvoyedMove):
        yield from order.route or ()


# Missing, wrong or needless coasts (DATC 4.B.2, 4.B.5, 4.B.6)


def corrects_coasts(rules: Rules) -> bool:
    """Return whether *rules* correct any coast."""
    return (
        rules.missing_coast is not MissingCoast.REFUSED
        or rules.wrong_coast is not WrongCoast.REFUSED
    )


def corrected(
    order: MovementOrder, legality: MovementLegality, rules: Rules
) -> MovementOrder:
    """Return *order* with the coasts that *rules* supply or ignore."""
    if rules.wrong_coast is WrongCoast.IGNORED:
        order = replace(order, unit=_where_it_is(order.unit, legality))
    if isinstance(order, Move):
        return replace(order, destination=_destination(order, legality, rules))
    return order


def _where_it_is(unit: Unit, legality: MovementLegality) -> Unit:
    """Return the unit of that power and type in the province, on any coast."""
    placed = legality.at.get(legality.tables.index.get(unit.province, NO_PROVINCE))
    if placed is None:
        return unit
    known = placed.unit
    same = (known.power, known.type) == (unit.power, unit.type)
    return known if same else unit


def _destination(order: Move, legality: MovementLegality, rules: Rules) -> Location:
    placed = legality.find(order.unit)
    if placed is None:
        return order.destination
    if placed.army and rules.wrong_coast is WrongCoast.IGNORED:
        return Location(order.destination.province)
    if order.destination.coast or rules.missing_coast is MissingCoast.REFUSED:
        return order.destination
    possible = [at for at in placed.reach if at.province == order.destination.province]
    return possible[0] if len(possible) == 1 else order.destination


# All turns


class Legality:
    """The notes on the orders of one turn; make one per turn.

    `power` is who submits the order; `accepted` are the orders of that power which
    have been accepted in this turn so far.
    """

    def __init__(
        self, board_map: Map, position: Position, rules: Rules = DAIDE_RULES
    ) -> None:
        self._map = board_map
        self._position = position
        self._rules = rules
        phase = position.turn.phase
        self._in_retreats = phase is Phase.RETREATS
        self._in_adjustments = phase is Phase.ADJUSTMENTS
        self._corrects_coasts = corrects_coasts(rules)

    @cached_property
    def _movement(self) -> MovementLegality:
        return MovementLegality(tables_of(self._map), self._position.units)

    @cached_property
    def _retreats(self) -> RetreatLegality:
        return RetreatLegality(self._map, self._position)

    @cached_property
    def _adjustments(self) -> AdjustmentLegality:
        return AdjustmentLegality(self._map, self._position)

    def note(
        self, order: Order, power: Power, accepted: Collection[Order] = ()
    ) -> OrderNote:
        """Return whether *order* is acceptable, or the first reason why not."""
        if self._in_adjustments:
            return self._adjustments.note(order, power, accepted)
        if isinstance(order, Waive):
            return OrderNote.WRONG_SEASON
        if self._in_retreats:
            note = self._retreats.note(order)
        else:
            if self._corrects_coasts and isinstance(order, MovementOrder):
                order = corrected(order, self._movement, self._rules)
            note = self._movement.note(order)
        if order.unit.power == power or note in _BEFORE_POWER:
            return note
        return self._unit_note(order, power)

    def lenient_note(
        self, order: Order, power: Power, accepted: Collection[Order] = ()
    ) -> OrderNote:
        """Return whether *order* is accepted where orders may be impossible (AOA).

        The unit must exist and be the submitter's; builds and removals are tested
        as in any game. What else is wrong becomes the order's result.
        """
        note = self.note(order, power, accepted)
        if note in {_OK, OrderNote.WRONG_SEASON} or isinstance(
            order, orders.AdjustmentOrder
        ):
            return note
        return self._unit_note(order, power)

    def _unit_note(self, order: orders.UnitOrder, power: Power) -> OrderNote:
        """Return the note on the ordered unit alone: it exists, and is *power*'s."""
        if isinstance(order, orders.RetreatOrder):
            missing = self._retreats.missing(order)
        else:
            missing = self._movement.missing(order)
        is_own = missing is not _OK or order.unit.power == power
        return missing if is_own else OrderNote.NOT_YOUR_UNIT
