"""Adjudication of a turn of any phase; the consequences of the decisions of DATC 5.B.

Of the issues of DATC chapter 4: retreats to a convoyed attacker's origin (4.A.5),
several orders for a unit (4.D.1, 4.D.3), and the report of illegal orders (4.E.1).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from operator import attrgetter

from daide_server.board import orders
from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Location, Province, Unit
from daide_server.board.orders import Move, MovementOrder, Order, Waive
from daide_server.board.results import OrderNote, OrderResult, Report

from . import resolution
from .adjustments import AdjustmentResolution
from .compiled_orders import CompiledOrder, tables_of
from .equations import PENDING, Equations, resolve, settle
from .legality import MovementLegality, corrected, corrects_coasts
from .order_index import OrderIndex
from .retreats import RetreatResolution
from .rules import (
    DAIDE_RULES,
    AdjacentConvoy,
    ConvoyedOrigin,
    IllegalOrders,
    RepeatedOrders,
    Rules,
)

_WALKING = {AdjacentConvoy.FALLBACK, AdjacentConvoy.OWN_FLEET}
"""The choices by which an army walks if its convoy fails."""


class Movement:
    """One turn's moves, decided when the object is made.

    Armies *by_land* were ordered to go by convoy, and walk (4.A.3).
    """

    def __init__(
        self,
        legality: MovementLegality,
        orders: Mapping[int, CompiledOrder],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        self.index = OrderIndex(legality, orders, rules, by_land)
        self.equations = Equations(self.index, rules)
        self._decide()
        values = self.equations.values
        self.entered = {
            target: unit
            for unit, target in self.index.target.items()
            if values[unit] == 1
        }
        """The unit that enters each province, if any does."""

    def _decide(self) -> None:
        """Decide every move; supports and convoys only if a move needs them."""
        equations = self.equations
        values = equations.values
        for unit in self.index.target:
            if values[unit] == PENDING:
                settle(equations, unit)
        if equations.unsettled:
            resolve(equations, equations.decisions())

    @cached_property
    def dislodged(self) -> Mapping[int, int]:
        """The dislodged units, each with the unit that dislodged it."""
        at, values = self.index.at, self.equations.values
        return {
            province: mover
            for province, mover in self.entered.items()
            if province in at and values[province] != 1
        }

    def standoffs(self) -> frozenset[int]:
        """Return the empty provinces in which moves prevented each other."""
        at, values = self.index.at, self.equations.values
        prevents = self.equations.prevent_strength
        return frozenset(
            province
            for province, movers in self.index.movers.items()
            if province not in self.entered
            and (province not in at or values[province] == 1)
            and any(prevents(mover, optimistic=False) for mover in movers)
        )

    def arrived(self, army: int) -> bool:
        """Return whether the convoy of *army* was not disrupted."""
        return self.equations.arrives(army, optimistic=False)

    @cached_property
    def failures(self) -> Mapping[int, OrderResult]:
        """The units that did not do what they were ordered to, and how.

        A support for something that the other unit does not do cannot be cut, as in
        DAIDE's server.
        """
        index, equations = self.index, self.equations
        values, movers = equations.values, index.movers
        failed = {
            unit: OrderResult.BOUNCED for unit in index.target if values[unit] != 1
        }
        for army in index.convoy_fleets:
            if not self.arrived(army):
                failed[army] = OrderResult.DISRUPTED
        for order in index.support_orders:
            unit = order.province
            if unit in movers and not equations.value(
                equations.support_offset + unit, optimistic=False
            ):
                failed[unit] = OrderResult.CUT
        for unit in index.unmatched:
            failed[unit] = OrderResult.NO_SUCH_ORDER
        return failed

    def outcome(self, unit: int, failure: OrderResult | None) -> resolution.Outcome:
        """Return the outcome of the order of *unit*; *failure* is `None` for a success.

        The reasons in it are the values of the equations that decided it.
        """
        if failure is OrderResult.NO_SUCH_ORDER:
            return self.index.unmatched[unit]
        if failure is OrderResult.CUT:
            return self._cut(unit)
        if failure is OrderResult.DISRUPTED:
            return self._disrupted(unit)
        if failure is OrderResult.BOUNCED:
            return self._bounced(unit)
        if unit in self.entered and self.equations.values[unit] != 1:
            return resolution.Dislodged(self._unit(self.entered[unit]))
        order = self.index.orders.get(unit)
        return _HELD if order is None else _SUCCESSES[type(order.order)]

    def _cut(self, supporter: int) -> resolution.Cut:
        """Return the unit that cut the support by dislodging the supporter, if any."""
        cutter = self.equations.cutter(supporter, optimistic=False)
        return resolution.Cut(self._unit(self.entered.get(supporter, cutter)))

    def _disrupted(self, army: int) -> resolution.Disrupted:
        """Return the places where fleets of the convoy were dislodged."""
        left = self.equations.surviving(army, optimistic=False)
        lost = sorted({*self.index.convoy_fleets[army]} - left)
        provinces = self.index.tables.provinces
        return resolution.Disrupted(tuple(provinces[place] for place in lost))

    def _bounced(self, unit: int) -> resolution.Bounced:
        contest = self.equations.contest(unit, optimistic=False)
        attack, resistance, opponent = contest
        return resolution.Bounced(self._unit(opponent), attack, resistance)

    def _unit(self, place: int) -> Unit:
        return self.index.at[place].unit


def decide_moves(
    legality: MovementLegality, orders: Mapping[int, CompiledOrder], rules: Rules
) -> Movement:
    """Return the movement that follows from *orders*, at most one for each unit.

    If a convoy falls back to land, everything is decided again with the armies that
    walk, until there are no more of them (4.A.3).
    """
    movement = Movement(legality, orders, rules)
    index, choice = movement.index, rules.adjacent_convoy
    if choice not in _WALKING or not (index.by_convoy or index.convoy_fleets):
        return movement
    by_land: frozenset[int] = frozenset()
    while more := _armies_without_convoy(movement, choice) - by_land:
        by_land |= more
        movement = Movement(legality, orders, rules, by_land)
    return movement


def _armies_without_convoy(
    movement: Movement, choice: AdjacentConvoy
) -> frozenset[int]:
    """Return the armies that cannot go by convoy, and can by land.

    An army whose convoy was disrupted may not, if it was ordered to go by convoy and
    the *choice* lets only armies without a route walk.
    """
    index = movement.index
    return frozenset(
        army
        for army in {*index.by_convoy, *index.convoy_fleets}
        if index.orders[army].target in index.at[army].near
        and (
            army not in index.convoy_fleets
            or (
                (
                    choice is AdjacentConvoy.FALLBACK
                    or isinstance(index.orders[army].order, Move)
                )
                and not movement.arrived(army)
            )
        )
    )


_HELD = resolution.Held()

_SUCCESSES: Mapping[type[Order], resolution.Outcome] = {
    orders.Hold: _HELD,
    orders.Move: resolution.Moved(),
    orders.ConvoyedMove: resolution.Moved(),
    orders.SupportHold: resolution.Supported(),
    orders.SupportMove: resolution.Supported(),
    orders.Convoy: resolution.Convoyed(),
}


class MovementResolution(resolution.Resolution):
    """The results of a movement turn.

    Internally, a unit is identified by the number of the province in which it began.
    """

    def _take_orders(self) -> None:
        rules, tables = self.rules, tables_of(self.variant.map)
        self._legality = MovementLegality(tables, self.position.units)
        self._meant: Sequence[Order] = self._given
        if corrects_coasts(rules):
            self._meant = [self._corrected(order) for order in self._given]
        only_last = rules.repeated_orders is RepeatedOrders.LAST
        self._orders = self._legality.chosen(self._meant, last=only_last)
        self._reported: dict[int, tuple[Order, OrderNote]] = {}
        if rules.illegal_orders is IllegalOrders.REPORTED:
            self._take_illegal()
        self._movement = decide_moves(self._legality, self._orders, rules)

    def _corrected(self, order: Order) -> Order:
        if isinstance(order, MovementOrder):
            return corrected(order, self._legality, self.rules)
        return order

    def _take_illegal(self) -> None:
        """Let illegal orders replace those before them, which AOA accepts as well."""
        for order, meant, note in self._noted():
            placed = None
            if isinstance(meant, MovementOrder):
                placed = self._legality.find(meant.unit)
            if placed is not None and note is not OrderNote.OK:
                self._reported[placed.province] = order, note
            elif placed is not None:
                self._reported.pop(placed.province, None)
        for unit in self._reported:
            self._orders.pop(unit, None)

    def _noted(self) -> Sequence[resolution.Noted]:
        notes: Iterable[OrderNote] = map(self._legality.note, self._meant)
        if len(self._orders) == len(self._given):
            # All orders are legal.
            notes = repeat(OrderNote.OK)
        return list(zip(self._given, self._meant, notes, strict=False))

    # Positions

    def _find_units(self) -> Sequence[Unit]:
        return self.units

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units in place after the turn, without dislodged ones."""
        entered = self._movement.entered
        if not entered:
            return self.position.units
        orders, after = self._orders, dict(self._legality.at)
        for province in self._movement.dislodged:
            del after[province]
        for unit in entered.values():
            arrival = orders[unit].arrival
            assert arrival is not None, "only moves enter a province"
            after[unit] = arrival
        placed = sorted(after.values(), key=attrgetter("rank"))
        return tuple([each.unit for each in placed])

    @cached_property
    def dislodged(self) -> Mapping[Unit, Unit]:
        """The units that were dislodged, each with its attacker where it was."""
        pairs = self._movement.dislodged
        if not pairs:
            return {}
        at = self._legality.at
        provinces = sorted(pairs, key=lambda province: at[province].rank)
        return {at[where].unit: at[pairs[where]].unit for where in provinces}

    @cached_property
    def standoffs(self) -> frozenset[Province]:
        """The empty provinces in which moves prevented each other."""
        provinces = self._legality.tables.provinces
        return frozenset(provinces[number] for number in self._movement.standoffs())

    @cached_property
    def retreats(self) -> Mapping[Unit, tuple[Location, ...]]:
        """The places to which each dislodged unit may retreat, in the map's order."""
        if not self._movement.dislodged:
            return {}
        neighbours = self.variant.map.neighbours
        closed = {unit.province for unit in self.units} | self.standoffs
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
        """Return the origin of the attacker, if retreats to it are closed (4.A.5)."""
        origin = self._legality.tables.index[attacker.province]
        by_convoy = origin in self._movement.index.convoy_fleets
        if by_convoy and self.rules.convoyed_origin is ConvoyedOrigin.OPEN:
            return None
        return attacker.province

    # Reports and reasons

    def _find_reports(self) -> Sequence[Report]:
        orders, dislodged, failures = (
            self._orders,
            self._movement.dislodged,
            self._movement.failures,
        )
        found = {
            unit: orders[unit].success if unit in orders else placed.held
            for unit, placed in self._legality.at.items()
        }
        for unit, failure in failures.items():
            found[unit] = Report(found[unit].order, failure, unit in dislodged)
        for unit in dislodged:
            if unit not in failures:
                found[unit] = Report(found[unit].order, None, dislodged=True)
        if self._reported:
            return [self._as_reported(report) for report in found.values()]
        return tuple(found.values())

    def _as_reported(self, report: Report) -> Report:
        """Return the report on an illegal order, if one was taken, for *report*."""
        assert not isinstance(report.order, Waive), "a waive is no movement order"
        unit = self._legality.tables.index[report.order.unit.province]
        illegal = self._reported.get(unit)
        return report if illegal is None else Report(*illegal, report.dislodged)

    def _outcome(self, order: Order, note: OrderNote) -> resolution.Outcome:
        if note is not OrderNote.OK or not isinstance(order, MovementOrder):
            return resolution.Void(note)
        unit = self._legality.tables.index[order.unit.province]
        if unit in self._reported:
            return resolution.Superseded(self._reported[unit][0])
        if unit not in self._orders:
            return resolution.Superseded(self._given[self._last[unit]])
        final = self._orders[unit].order
        if final != order:
            return resolution.Superseded(final)
        return self._movement.outcome(unit, self._movement.failures.get(unit))

    @cached_property
    def _last(self) -> Mapping[int, int]:
        return self._legality.last_own(self._meant)


_JUDGES: Mapping[
    Phase, Callable[[Variant, Position, Iterable[Order], Rules], resolution.Resolution]
] = {
    Phase.MOVEMENT: MovementResolution,
    Phase.RETREATS: RetreatResolution,
    Phase.ADJUSTMENTS: AdjustmentResolution,
}


def adjudicate(
    variant: Variant,
    position: Position,
    orders: Iterable[Order],
    rules: Rules = DAIDE_RULES,
) -> resolution.Resolution:
    """Return the results of *orders*, each taken as given by its unit's owner.

    Orders may be missing, illegal or repeated; none of them raises an exception. The
    units of *position* must be possible on the variant's map.
    """
    return _JUDGES[position.turn.phase](variant, position, orders, rules)
