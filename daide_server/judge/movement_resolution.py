"""The movement phase: from orders to who stands where, and why."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from daide_server.board.names import Location, Province, Unit
from daide_server.board.orders import MovementOrder, Order, Waive
from daide_server.board.position import Position
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.board.variant import Variant

from .coasts import corrects_coasts, corrected
from .lazy import lazy
from .movement import Movement
from .movement_legality import MovementLegality
from .outcomes import Outcome, Superseded, Void
from .compiled_orders import OK
from .resolution import Resolution
from .rules import (
    AdjacentConvoy,
    ConvoyedOrigin,
    IllegalOrders,
    RepeatedOrders,
    Rules,
)
from .map_tables import tables_of

# Looking up a member of an enum takes longer than a name of the module.
_FALLBACK: Final = AdjacentConvoy.FALLBACK
_LAST: Final = RepeatedOrders.LAST
_REPORTED: Final = IllegalOrders.REPORTED

_UNIT: Final = attrgetter("unit")
_RANK: Final = attrgetter("rank")


class MovementResolution(Resolution):
    """What followed from the orders of a movement turn.

    Inside, a unit is called by the number of the province that it stood in.
    """

    def __init__(
        self,
        variant: Variant,
        position: Position,
        orders: Iterable[Order],
        rules: Rules,
    ) -> None:
        super().__init__(variant, position, rules)
        self._legality = MovementLegality(tables_of(variant.map), position.units)
        self._given = tuple(orders)
        self._meant: Sequence[Order] = self._given
        if corrects_coasts(rules):
            self._meant = [self._corrected(order) for order in self._given]
        only_last = rules.repeated_orders is _LAST
        self._orders = self._legality.chosen(self._meant, last=only_last)
        self._reported: dict[int, tuple[Order, OrderNote]] = {}
        if rules.illegal_orders is _REPORTED:
            self._take_illegal()
        self._movement = self._move()

    def _corrected(self, order: Order) -> Order:
        if isinstance(order, MovementOrder):
            return corrected(order, self._legality, self.rules)
        return order

    def _take_illegal(self) -> None:
        """Let illegal orders replace those before them, as they were accepted."""
        for order, meant, note in self._noted:
            placed = None
            if isinstance(meant, MovementOrder):
                placed = self._legality.find(meant.unit)
            if placed is not None and note is not OK:
                self._reported[placed.province] = order, note
            elif placed is not None:
                self._reported.pop(placed.province, None)
        for unit in self._reported:
            self._orders.pop(unit, None)

    @lazy
    def _noted(self) -> Sequence[tuple[Order, Order, OrderNote]]:
        """Each order as it was given, as it is meant, and the note on it."""
        note = self._legality.note
        return [
            (order, meant, note(meant))
            for order, meant in zip(self._given, self._meant, strict=True)
        ]

    def _move(self) -> Movement:
        movement = self._moved_with(frozenset())
        if self.rules.adjacent_convoy is not _FALLBACK or not movement.index.by_convoy:
            return movement
        by_land: frozenset[int] = frozenset()
        while more := self._fall_back(movement) - by_land:
            by_land |= more
            movement = self._moved_with(by_land)
        return movement

    def _moved_with(self, by_land: frozenset[int]) -> Movement:
        return Movement(self._legality, self._orders, self.rules, by_land)

    def _fall_back(self, movement: Movement) -> frozenset[int]:
        """Return the armies that cannot go by convoy, and can by land (4.A.3)."""
        at = self._legality.at
        return frozenset(
            army
            for army in movement.index.by_convoy
            if movement.index.orders[army].target in at[army].near
            and (army not in movement.index.convoying or not movement.arrived(army))
        )

    # Positions

    def _find_units(self) -> Sequence[Unit]:
        return self.units

    @lazy
    def units(self) -> tuple[Unit, ...]:
        """The units in place after the turn, without dislodged ones."""
        entered = self._movement.entered
        if not entered:
            return self.position.units
        orders, after = self._orders, dict(self._legality.at)
        for place in self._dislodged:
            del after[place]
        for place in entered.values():
            arrival = orders[place].arrival
            assert arrival is not None, "only moves enter a province"
            after[place] = arrival
        return tuple(map(_UNIT, sorted(after.values(), key=_RANK)))

    @lazy
    def _dislodged(self) -> Mapping[int, int]:
        return self._movement.dislodged()

    @lazy
    def dislodged(self) -> Mapping[Unit, Unit]:
        """The units that were dislodged, each with its attacker where it was."""
        pairs = self._dislodged
        if not pairs:
            return {}
        at = self._legality.at
        places = sorted(pairs, key=lambda place: at[place].rank)
        return {at[place].unit: at[pairs[place]].unit for place in places}

    @lazy
    def contested(self) -> frozenset[Province]:
        """The empty provinces in which units prevented each other."""
        provinces = self._legality.tables.provinces
        return frozenset(provinces[place] for place in self._movement.standoffs())

    @lazy
    def retreats(self) -> Mapping[Unit, tuple[Location, ...]]:
        """Where each dislodged unit may retreat to, in the map's order."""
        if not self._dislodged:
            return {}
        neighbours = self.variant.map.neighbours
        closed = {unit.province for unit in self.units} | self.contested
        found = {}
        for unit, attacker in self.dislodged.items():
            origin = self._closed_origin(attacker)
            found[unit] = tuple(
                at
                for at in neighbours[unit.type, unit.location]
                if at.province not in closed and at.province != origin
            )
        return found

    def _closed_origin(self, attacker: Unit) -> Province | None:
        """Return where the attacker came from, if nobody may retreat there (4.A.5)."""
        place = self._legality.tables.index[attacker.province]
        by_convoy = place in self._movement.index.convoying
        if by_convoy and self.rules.convoyed_origin is ConvoyedOrigin.OPEN:
            return None
        return attacker.province

    # Reports and reasons

    @lazy
    def _failures(self) -> Mapping[int, OrderResult]:
        return self._movement.failures()

    def _find_reports(self) -> Sequence[Report]:
        orders, dislodged, failures = self._orders, self._dislodged, self._failures
        found = {
            place: orders[place].success if place in orders else placed.held
            for place, placed in self._legality.at.items()
        }
        for place, failure in failures.items():
            found[place] = Report(found[place].order, failure, place in dislodged)
        for place in dislodged:
            if place not in failures:
                found[place] = Report(found[place].order, None, dislodged=True)
        if self._reported:
            return [self._as_reported(report) for report in found.values()]
        return tuple(found.values())

    def _as_reported(self, report: Report) -> Report:
        """Return the report on an illegal order, if one was taken, for *report*."""
        assert not isinstance(report.order, Waive), "a waive is no movement order"
        place = self._legality.tables.index[report.order.unit.province]
        illegal = self._reported.get(place)
        return report if illegal is None else Report(*illegal, report.dislodged)

    def _find_outcomes(self) -> Sequence[tuple[Order, Outcome]]:
        return [
            (order, self._outcome_of(meant, note)) for order, meant, note in self._noted
        ]

    def _outcome_of(self, order: Order, note: OrderNote) -> Outcome:
        if note is not OK or not isinstance(order, MovementOrder):
            return Void(note)
        place = self._legality.tables.index[order.unit.province]
        if place in self._reported:
            return Superseded(self._reported[place][0])
        if place not in self._orders:
            return Superseded(self._given[self._last[place]])
        final = self._orders[place].order
        if final != order:
            return Superseded(final)
        return self._movement.outcome(place, self._failures.get(place))

    @lazy
    def _last(self) -> Mapping[int, int]:
        return self._legality.last_own(self._meant)

    def _find_void(self) -> Sequence[tuple[Order, OrderNote]]:
        if len(self._orders) == len(self._given):
            # Each of them was kept.
            return ()
        return [(order, note) for order, _, note in self._noted if note is not OK]
