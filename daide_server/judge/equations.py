"""The equations of DATC 5.B, as optimistic and pessimistic bounds.

Each unit has up to three decisions, numbered for the resolver: whether its move
succeeds (at the number of its province), its support is given (`supports` more), the
convoy that carries it arrives (`paths` more). A decision that is open counts as it
helps most, or least, the one that is asked for; what is good for an opponent is bad
for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from .convoys import joined
from .movement_legality import MovementLegality
from .plan import Plan
from .readings import Reading
from .resolver import OPEN
from .rules import ConvoyedCut, Rules

NOBODY: Final[tuple[int, ...]] = ()

# Looking up a member of an enum takes longer than a name of the module.
ALWAYS: Final = ConvoyedCut.ALWAYS


class Equations(Plan):
    """The decisions of one turn, and the equations between them."""

    def __init__(
        self,
        legality: MovementLegality,
        orders: Mapping[int, Reading],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(legality, orders, rules, by_land)
        count = self.count = len(self.tables.provinces)
        self.supports = count
        self.paths = 2 * count
        self.values = self.tables.undecided.copy()
        self.cut_by_convoyed = rules.convoyed_cut is ALWAYS

    def decisions(self) -> list[int]:
        """Return the decisions that are still open."""
        values, supports = self.values, self.supports
        moves = (unit for movers in self.movers.values() for unit in movers)
        helpers = (unit for units in self.backing.values() for unit in units)
        every = [
            *moves,
            *(supports + unit for unit in helpers),
            *(self.paths + army for army in self.carriers),
        ]
        return sorted(decision for decision in every if values[decision] == OPEN)

    def evaluate(self, decision: int, *, optimistic: bool) -> bool:
        """Return a bound of the decision's value."""
        kind, unit = divmod(decision, self.count)
        if kind == 0:
            return self.move_succeeds(unit, optimistic)
        if kind == 1:
            return self.support_is_given(unit, optimistic)
        return self.convoy_arrives(unit, optimistic)

    def _value(self, decision: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        value = self.values[decision]
        return optimistic if value == OPEN else value == 1

    # 5.B.1
    def move_succeeds(self, unit: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether the move of *unit* succeeds."""
        attack = self.attack_strength(unit, optimistic)
        facing = self.head_to_head(unit)
        if facing >= 0:
            resistance = self.defend_strength(facing, not optimistic)
        else:
            resistance = self.hold_strength(self.target[unit], not optimistic)
        return attack > resistance and all(
            attack > self.prevent_strength(other, not optimistic)
            for other in self.movers[self.target[unit]]
            if other != unit
        )

    # 5.B.2
    def head_to_head(self, unit: int) -> int:
        """Return the unit that moves the other way without a convoy, or -1."""
        if unit in self.carriers:
            return -1
        facing = self.target[unit]
        meets = self.target.get(facing) == unit and facing not in self.carriers
        return facing if meets else -1

    # 5.B.3
    def convoy_arrives(self, army: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether a route is left for *army*."""
        route = self.routes.get(army)
        seas = {
            fleet
            for fleet in self.carriers[army]
            if not any(
                self._value(mover, not optimistic)
                for mover in self.movers.get(fleet, NOBODY)
            )
        }
        if route is not None:
            return len(seas) == len(set(route))
        return joined(self.tables, army, self.target[army], seas)

    def arrives(self, unit: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether *unit* gets as far as its destination's border."""
        return unit not in self.carriers or self._value(self.paths + unit, optimistic)

    # 5.B.4
    def support_is_given(self, unit: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether the support of *unit* is neither cut nor dislodged."""
        for attacker in self.movers.get(unit, NOBODY):
            if self.at[attacker].power == self.at[unit].power:
                continue
            cuts = (
                self._value(attacker, not optimistic)
                if self.is_spared(unit, attacker)
                else self.arrives(attacker, not optimistic)
            )
            if cuts:
                return False
        return True

    def is_spared(self, supporter: int, attacker: int) -> bool:
        """Return whether the attack comes from where the support is aimed at.

        It must dislodge the supporter to cut the support; 4.A.4 for convoys.
        """
        by_convoy = attacker in self.carriers and self.cut_by_convoyed
        return attacker == self.orders[supporter].target and not by_convoy

    def _supports(
        self,
        unit: int,
        optimistic: bool,  # noqa: FBT001 - DATC's
        against: int = -1,
    ) -> int:
        return sum(
            self._value(self.supports + supporter, optimistic)
            for supporter in self.backing.get(unit, NOBODY)
            if self.at[supporter].power != against
        )

    # 5.B.5
    def hold_strength(self, province: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength that keeps others out of *province*."""
        if province not in self.at:
            return 0
        if province in self.target:
            return 0 if self._value(province, not optimistic) else 1
        return 1 + self._supports(province, optimistic)

    # 5.B.6
    def attack_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move against what holds its destination."""
        if not self.arrives(unit, optimistic):
            return 0
        target = self.target[unit]
        holder = self.at.get(target)
        leaves = (
            target in self.target
            and self.head_to_head(unit) < 0
            and self._value(target, optimistic)
        )
        if holder is None or leaves:
            return 1 + self._supports(unit, optimistic)
        if holder.power == self.at[unit].power:
            return 0
        return 1 + self._supports(unit, optimistic, holder.power)

    # 5.B.7
    def defend_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move in a head to head battle."""
        return 1 + self._supports(unit, optimistic)

    # 5.B.8
    def prevent_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move against others to its destination."""
        if not self.arrives(unit, optimistic):
            return 0
        facing = self.head_to_head(unit)
        if facing >= 0 and self._value(facing, not optimistic):
            return 0
        return 1 + self._supports(unit, optimistic)

    def needs(self, decision: int) -> Iterator[int]:
        """Return the decisions that the equation of *decision* looks at."""
        kind, unit = divmod(decision, self.count)
        if kind == 0:
            yield from self._needs_of_move(unit)
        elif kind == 1:
            for attacker in self.movers.get(unit, NOBODY):
                yield attacker
                yield self.paths + attacker
        else:
            for fleet in self.carriers[unit]:
                yield from self.movers.get(fleet, NOBODY)

    def _needs_of_move(self, unit: int) -> Iterator[int]:
        target = self.target[unit]
        if target in self.target:
            yield target
        for party in (*self.movers[target], target):
            yield self.paths + party
            for supporter in self.backing.get(party, NOBODY):
                yield self.supports + supporter

    # 5.E; 4.A.2 by Szykman's rule
    def backup_rule(
        self, circle: Sequence[int], solutions: Sequence[Sequence[int]]
    ) -> None:
        """Disrupt the convoys of a paradox; let a circle of moves go round."""
        convoys = [decision for decision in circle if decision >= self.paths]
        if convoys:
            for path in convoys:
                self.values[path] = 0
            return
        for decision, value in zip(circle, max(solutions, key=sum), strict=True):
            self.values[decision] = value
