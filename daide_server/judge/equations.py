"""The equations of DATC 5.B, and the algorithm of 5.E that solves them.

A decision is a number; its value is 1, 0 or not made yet. Its equation returns the
value it would have if every unmade decision that helps it were 1 and every other one 0
(`optimistic`, DATC's parameter), or the reverse. Where both agree, it is made.

1. `settle` makes one decision, and first the `PENDING` ones that its equation asks for.
2. A decision that depends on itself stays `UNDECIDED`. `resolve` evaluates these again
   until no further bounds agree.
3. The rest form cycles: strongly connected components of the graph of which decision
   assumed which. A cycle with one consistent solution takes it. Any other goes to the
   backup rule of 5.E; then everything that depends on it is settled.

Each unit has up to three decisions: whether its move succeeds (numbered as its
province), its support is given (`support_offset` more), its convoy arrives
(`path_offset` more). Equations return the reason from which their value follows, too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .fleet_chains import joined
from .order_index import OrderIndex
from .rules import ConvoyedCut, Rules

UNDECIDED = -1
"""The equation was evaluated, and its bounds differ, or it is being evaluated."""

PENDING = -2
"""The equation was not evaluated yet."""


def settle(system: "Equations", decision: int) -> int:
    """Make *decision* if its bounds agree; return its value."""
    values, assumed = system.values, system.assumed
    # An equation that asks for it meanwhile must not evaluate it again.
    values[decision] = UNDECIDED
    before = len(assumed)
    if not system.evaluate(decision, optimistic=True):
        value = 0
    elif len(assumed) == before or system.evaluate(decision, optimistic=False):
        # Where nothing was assumed, the other bound is the same.
        value = 1
    else:
        system.unsettled.append(decision)
        return UNDECIDED
    values[decision] = value
    return value


def resolve(system: "Equations", decisions: Sequence[int]) -> None:
    """Make all *decisions*."""
    values = system.values
    for decision in decisions:
        if values[decision] == PENDING:
            settle(system, decision)
    undecided = _settle_all(system, decisions)
    while undecided:
        for cycle in _first_cycles(_needs(system, undecided)):
            solutions = list(_solutions(system, cycle))
            if len(solutions) == 1:
                _assign(values, cycle, solutions[0])
            else:
                system.backup_rule(cycle, solutions)
        undecided = _settle_all(system, undecided)


def _settle_all(system: "Equations", decisions: Iterable[int]) -> list[int]:
    """Make every decision whose bounds agree; return the others."""
    values = system.values
    undecided = [decision for decision in decisions if values[decision] == UNDECIDED]
    count = len(undecided) + 1
    while len(undecided) < count:
        count = len(undecided)
        for decision in undecided:
            settle(system, decision)
        undecided = [which for which in undecided if values[which] == UNDECIDED]
    return undecided


def _solutions(system: "Equations", cycle: Sequence[int]) -> Iterator[list[int]]:
    """Yield every consistent way to make the decisions of *cycle*."""
    values = system.values
    undecided = [decision for decision in cycle if values[decision] == UNDECIDED]
    if not undecided:
        made = [values[decision] for decision in cycle]
        if made == [system.evaluate(each, optimistic=True) for each in cycle]:
            yield made
        return
    guess = undecided[0]
    for value in (1, 0):
        values[guess] = value
        _settle_all(system, undecided)
        yield from _solutions(system, cycle)
        _assign(values, undecided, [UNDECIDED] * len(undecided))


def _assign(values: list[int], decisions: Iterable[int], made: Iterable[int]) -> None:
    for decision, value in zip(decisions, made, strict=True):
        values[decision] = value


def _needs(
    system: "Equations", undecided: Iterable[int]
) -> Mapping[int, frozenset[int]]:
    """Return the undecided decisions that each equation needs under either bound."""
    found = {}
    for decision in undecided:
        system.assumed.clear()
        system.evaluate(decision, optimistic=True)
        system.evaluate(decision, optimistic=False)
        found[decision] = frozenset(system.assumed)
    return found


def _first_cycles(needs: Mapping[int, frozenset[int]]) -> Iterator[list[int]]:
    """Yield the cycles that depend on no other decision, each in ascending order.

    Those are the strongly connected components without an arrow to another one.
    """
    reach = {decision: _reachable(needs, decision) for decision in needs}
    for decision in sorted(needs):
        cycle = reach[decision]
        if decision == min(cycle) and all(reach[other] == cycle for other in cycle):
            yield sorted(cycle)


def _reachable(needs: Mapping[int, frozenset[int]], start: int) -> set[int]:
    reached = {start}
    ahead = [start]
    while ahead:
        further = needs[ahead.pop()] - reached
        reached |= further
        ahead += further
    return reached


_NO_UNIT = -1
"""The number that stands for no unit."""

_NO_POWER = -1

_NO_UNITS: tuple[int, ...] = ()

_MAX_NESTED = 100
"""The maximum number of orders for which an equation settles what it needs.

A chain of moves takes seven nested calls for each, and Python allows a thousand. In
larger turns everything starts as `UNDECIDED`, and `resolve` makes the same decisions.
"""

Contest = tuple[int, int, int]
"""The attack strength of a move, the greatest resistance, and the unit that has it.

The move succeeds if the first is more than the second. Of equal opponents, the one in
the province or in a head-to-head battle comes before others that move there. (A plain
tuple: to make a named one would cost a tenth of the time of a turn.)
"""


class Equations:
    """The decisions of one turn, and the equations between them.

    The dictionaries of the index are attributes here, too: every equation reads them.
    """

    def __init__(self, index: OrderIndex, rules: Rules) -> None:
        self.index = index
        self.at = index.at
        self.target = index.target
        self.movers = index.movers
        self.supporters = index.supporters
        self.convoy_fleets = index.convoy_fleets
        count = len(index.tables.provinces)
        self.support_offset = count
        self.path_offset = 2 * count
        self.values = [PENDING] * (3 * count)
        self.assumed: list[int] = []
        """The undecided decisions that equations asked for."""
        self.unsettled: list[int] = []
        """The decisions that `settle` could not make."""
        if len(index.orders) > _MAX_NESTED:
            self.values = [UNDECIDED] * (3 * count)
            self.unsettled = self.decisions()
        self._cut_by_convoyed = rules.convoyed_cut is ConvoyedCut.ALWAYS

    # For the resolver

    def decisions(self) -> list[int]:
        """Return every decision of the turn, in ascending order."""
        supporters = (unit for units in self.supporters.values() for unit in units)
        return sorted(
            [
                *self.target,
                *(self.support_offset + unit for unit in supporters),
                *(self.path_offset + army for army in self.convoy_fleets),
            ]
        )

    def evaluate(self, decision: int, *, optimistic: bool) -> bool:
        """Return the upper (optimistic) or lower bound of *decision*.

        Undecided decisions that it needs are assumed and added to `assumed`.
        """
        if decision < self.support_offset:
            attack, resistance, _ = self.contest(decision, optimistic)
            return attack > resistance
        if decision < self.path_offset:
            return self.cutter(decision - self.support_offset, optimistic) == _NO_UNIT
        return self.convoy_arrives(decision - self.path_offset, optimistic)

    # 5.E; 4.A.2 by Szykman's rule
    def backup_rule(
        self, cycle: Sequence[int], solutions: Sequence[Sequence[int]]
    ) -> None:
        """Disrupt the convoys of a paradox; let the moves of a cycle succeed."""
        convoys = [decision for decision in cycle if decision >= self.path_offset]
        if convoys:
            for path in convoys:
                self.values[path] = 0
            return
        _assign(self.values, cycle, max(solutions, key=sum))

    def value(self, decision: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return the decision's value, assumed as *optimistic* if it is not made."""
        value = self.values[decision]
        if value == PENDING:
            value = settle(self, decision)
        if value == UNDECIDED:
            self.assumed.append(decision)
            return optimistic
        return value == 1

    # 5.B.1
    def contest(self, unit: int, optimistic: bool) -> Contest:  # noqa: FBT001 - DATC's
        """Return the strengths that decide whether the move of *unit* succeeds."""
        target = self.target[unit]
        opponent = self.head_to_head(unit)
        if opponent == _NO_UNIT:
            opponent = target
            resistance = self.hold_strength(target, not optimistic)
        else:
            resistance = self.defend_strength(opponent, not optimistic)
        for other in self.movers[target]:
            if other != unit:
                prevents = self.prevent_strength(other, not optimistic)
                if prevents > resistance:
                    resistance, opponent = prevents, other
        return self.attack_strength(unit, optimistic), resistance, opponent

    # 5.B.2
    def head_to_head(self, unit: int) -> int:
        """Return the unit that moves the other way without a convoy, or `_NO_UNIT`."""
        other = self.target[unit]
        meets = (
            self.target.get(other) == unit
            and unit not in self.convoy_fleets
            and other not in self.convoy_fleets
        )
        return other if meets else _NO_UNIT

    # 5.B.3
    def convoy_arrives(self, army: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether a route is left for *army*."""
        fleets = self.surviving(army, optimistic)
        if army in self.index.routes:
            return len(fleets) == len(set(self.index.routes[army]))
        return joined(self.index.tables, army, self.target[army], fleets)

    def surviving(self, army: int, optimistic: bool) -> set[int]:  # noqa: FBT001 - DATC's
        """Return the fleets convoying *army* that no unit dislodges."""
        return {
            fleet
            for fleet in self.convoy_fleets[army]
            if not any(
                self.value(mover, not optimistic)
                for mover in self.movers.get(fleet, _NO_UNITS)
            )
        }

    def arrives(self, unit: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether *unit* moves by land, or its convoy arrives (5.B.3)."""
        return unit not in self.convoy_fleets or self.value(
            self.path_offset + unit, optimistic
        )

    # 5.B.4
    def cutter(self, supporter: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the first unit that cuts the support, or `_NO_UNIT`: it is given."""
        for attacker in self.movers.get(supporter, _NO_UNITS):
            if self.at[attacker].power == self.at[supporter].power:
                continue
            if self._must_dislodge(attacker, supporter):
                cuts = self.value(attacker, not optimistic)
            else:
                cuts = self.arrives(attacker, not optimistic)
            if cuts:
                return attacker
        return _NO_UNIT

    def _must_dislodge(self, attacker: int, supporter: int) -> bool:
        """Return whether *attacker* comes from where the support is aimed at.

        It cuts the support only by dislodging the supporter; 4.A.4 for convoys.
        """
        if attacker != self.index.orders[supporter].target:
            return False
        return attacker not in self.convoy_fleets or not self._cut_by_convoyed

    def _strength(
        self,
        unit: int,
        optimistic: bool,  # noqa: FBT001 - DATC's
        against: int = _NO_POWER,
    ) -> int:
        """Return 1 and the supports of *unit*, but none from the power *against*."""
        strength = 1
        for supporter in self.supporters.get(unit, _NO_UNITS):
            if self.at[supporter].power != against:
                strength += self.value(self.support_offset + supporter, optimistic)
        return strength

    # 5.B.5
    def hold_strength(self, province: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength that keeps others out of *province*."""
        if province not in self.at:
            return 0
        if province in self.target:
            return 0 if self.value(province, not optimistic) else 1
        return self._strength(province, optimistic)

    # 5.B.6
    def attack_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move against what holds its destination."""
        if not self.arrives(unit, optimistic):
            return 0
        target = self.target[unit]
        occupant = self.at.get(target)
        if occupant is None or (
            target in self.target
            and self.head_to_head(unit) == _NO_UNIT
            and self.value(target, optimistic)
        ):
            return self._strength(unit, optimistic)
        if occupant.power == self.at[unit].power:
            return 0
        return self._strength(unit, optimistic, occupant.power)

    # 5.B.7
    def defend_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move in a head to head battle."""
        return self._strength(unit, optimistic)

    # 5.B.8
    def prevent_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move against others to its destination."""
        if not self.arrives(unit, optimistic):
            return 0
        other = self.head_to_head(unit)
        if other != _NO_UNIT and self.value(other, not optimistic):
            return 0
        return self._strength(unit, optimistic)
