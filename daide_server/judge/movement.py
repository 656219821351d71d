"""The results of one turn's moves: entered provinces, dislodged units, failed orders.

The `Equations` decide the orders of an `OrderIndex`; this module reads the results from
their decisions (DATC 5.B).
"""

from collections.abc import Mapping
from typing import Final

from daide_server.board.names import Unit
from daide_server.board.results import OrderResult

from .compiled_orders import CONVOY, MOVE, MOVE_BY_CONVOY, SUPPORT, CompiledOrder, Task
from .equations import Equations
from .legality import MovementLegality
from .order_index import OrderIndex
from .resolution import (
    Bounced,
    Convoyed,
    Cut,
    Dislodged,
    Disrupted,
    Held,
    Moved,
    Outcome,
    Supported,
)
from .resolver import PENDING, resolve, settle
from .rules import AdjacentConvoy, Rules

# Looking up a member of an enum takes longer than a name of the module.
_BOUNCED: Final = OrderResult.BOUNCED
_CUT: Final = OrderResult.CUT
_DISRUPTED: Final = OrderResult.DISRUPTED
_FALLBACK: Final = AdjacentConvoy.FALLBACK
_WALKING: Final = {_FALLBACK, AdjacentConvoy.OWN_FLEET}
_NO_SUCH_ORDER: Final = OrderResult.NO_SUCH_ORDER


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
        """The provinces that a unit enters, with the unit."""

    def _decide(self) -> None:
        """Decide every move; supports and convoys when something needs them."""
        equations = self.equations
        values = equations.values
        for unit in self.index.target:
            if values[unit] == PENDING:
                settle(equations, unit)
        if equations.unsettled:
            resolve(equations, equations.decisions())

    def dislodged(self) -> Mapping[int, int]:
        """Return the dislodged units, each with the unit that dislodged it."""
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

    def failures(self) -> Mapping[int, OrderResult]:
        """Return the units that did not do what they were ordered to, and how.

        A support for something that the other unit does not do cannot be cut, as in
        DAIDE's server.
        """
        index, equations = self.index, self.equations
        values, movers = equations.values, index.movers
        failed = {unit: _BOUNCED for unit in index.target if values[unit] != 1}
        for army in index.convoy_fleets:
            if not self.arrived(army):
                failed[army] = _DISRUPTED
        for order in index.support_orders:
            unit = order.province
            if unit in movers and not equations.value(
                equations.support_offset + unit, optimistic=False
            ):
                failed[unit] = _CUT
        for unit in index.unmatched:
            failed[unit] = _NO_SUCH_ORDER
        return failed

    def outcome(self, unit: int, failure: OrderResult | None) -> Outcome:
        """Return what became of the order of *unit*, and why; *failure* if it failed.

        The reasons are the values of the equations that decided it.
        """
        if failure is _NO_SUCH_ORDER:
            return self.index.unmatched[unit]
        if failure is _CUT:
            return self._cut(unit)
        if failure is _DISRUPTED:
            return self._disrupted(unit)
        if failure is _BOUNCED:
            return self._bounced(unit)
        if unit in self.entered and self.equations.values[unit] != 1:
            return Dislodged(self._unit(self.entered[unit]))
        return _SUCCESSES.get(self.index.task(unit), _HELD)

    def _cut(self, supporter: int) -> Cut:
        """Return who cut the support: the unit that dislodged the supporter, if any."""
        cutter = self.equations.cutter(supporter, optimistic=False)
        return Cut(self._unit(self.entered.get(supporter, cutter)))

    def _disrupted(self, army: int) -> Disrupted:
        """Return where fleets of the convoy were dislodged."""
        left = self.equations.surviving(army, optimistic=False)
        lost = sorted({*self.index.convoy_fleets[army]} - left)
        provinces = self.index.tables.provinces
        return Disrupted(tuple(provinces[place] for place in lost))

    def _bounced(self, unit: int) -> Bounced:
        contest = self.equations.contest(unit, optimistic=False)
        attack, resistance, opponent = contest
        return Bounced(self._unit(opponent), attack, resistance)

    def _unit(self, place: int) -> Unit:
        return self.index.at[place].unit


def decide_moves(
    legality: MovementLegality, orders: Mapping[int, CompiledOrder], rules: Rules
) -> Movement:
    """Return the movement that follows from *orders*, one for a unit or none.

    Where a convoy falls back to land, all is decided again with the armies that walk,
    until no more of them do (4.A.3).
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

    One whose convoy was disrupted may not if it was ordered to go by convoy and the
    *choice* is of those that walk only for want of a route.
    """
    index = movement.index
    return frozenset(
        army
        for army in {*index.by_convoy, *index.convoy_fleets}
        if index.orders[army].target in index.at[army].near
        and (
            army not in index.convoy_fleets
            or (
                (choice is _FALLBACK or index.task(army) == MOVE)
                and not movement.arrived(army)
            )
        )
    )


_HELD: Final = Held()

_SUCCESSES: Final[Mapping[Task, Outcome]] = {
    MOVE: Moved(),
    MOVE_BY_CONVOY: Moved(),
    SUPPORT: Supported(),
    CONVOY: Convoyed(),
}
