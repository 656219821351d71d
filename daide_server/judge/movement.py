"""Who moves, who stays, who is dislodged.

What is certain is decided province by province, with plain strengths, those that a
province depends on first: most turns end there. The circles that remain are the
resolver's, with the equations of 5.B.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .equations import NOBODY, Equations
from .movement_legality import MovementLegality
from .readings import MOVE, Reading
from .resolver import OPEN, resolve
from .rules import Rules

_WAITING: Final = 1
_DECIDED: Final = 2
_UNDECIDED: Final = 3


class Movement(Equations):
    """One turn's moves: `resolve` them, then ask what became of them."""

    def __init__(
        self,
        legality: MovementLegality,
        orders: Mapping[int, Reading],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(legality, orders, rules, by_land)
        self._state: dict[int, int] = {}
        self.entered: dict[int, int] = {}
        """The provinces that a unit enters, with the unit."""

    def resolve(self) -> None:
        """Decide every move."""
        self._give_safe_supports()
        crowded = self._enter_empty()
        undecided = [province for province in crowded if not self._settle(province)]
        if undecided:
            resolve(self, self.decisions())
            self._note_decided()

    def _give_safe_supports(self) -> None:
        """Decide the supports of units that nobody moves to."""
        movers, values, supports = self.movers, self.values, self.supports
        for supporters in self.backing.values():
            for supporter in supporters:
                if supporter not in movers:
                    values[supports + supporter] = 1

    def _enter_empty(self) -> list[int]:
        """Decide single moves to empty provinces; return where others lead."""
        at, carriers, values = self.at, self.carriers, self.values
        crowded = []
        for province, movers in self.movers.items():
            if province in at or len(movers) > 1 or movers[0] in carriers:
                crowded.append(province)
            else:
                mover = movers[0]
                values[mover] = 1
                self.entered[province] = mover
                self._state[province] = _DECIDED
        return crowded

    def _note_decided(self) -> None:
        values = self.values
        for province, movers in self.movers.items():
            self._state[province] = _DECIDED
            for mover in movers:
                if values[mover] == 1:
                    self.entered[province] = mover

    def _settle(self, province: int) -> bool:
        """Decide the moves to *province* if they are certain, and say whether."""
        state = self._state
        known = state.get(province)
        if known is None:
            state[province] = _WAITING
            decided = self._decide(province)
            state[province] = _DECIDED if decided else _UNDECIDED
            return decided
        return known == _DECIDED

    def _decide(self, province: int) -> bool:
        movers = self.movers[province]
        arriving = self._arriving(province) if self.carriers else movers
        if arriving is None:
            return False
        if self.task[province] == MOVE:
            return self._decide_behind(province, arriving)
        if self.backing.keys().isdisjoint(movers):
            # One against one, at best: nobody moves who is not alone.
            stays = province in self.at or len(arriving) > 1
            self._enter_alone(province, -1 if stays or not arriving else arriving[0])
            return True
        if not self._knows_supports((*arriving, province)):
            return False
        self._enter(province, arriving, province if province in self.at else -1, -1)
        return True

    def _decide_behind(self, province: int, movers: Sequence[int]) -> bool:
        """Decide the moves to where a unit wants to leave."""
        facing = self.head_to_head(province)
        if facing >= 0:
            leaves = self._breaks_through(province, facing)
        else:
            known = self._settle(self.target[province])
            leaves = self.values[province] if known else OPEN
        if leaves == OPEN or not self._knows_supports(movers):
            return False
        self._enter(province, movers, -1 if leaves else province, facing)
        return True

    def _arriving(self, province: int) -> Sequence[int] | None:
        """Return who comes to *province*, without lost convoys, if that is certain."""
        movers, carriers = self.movers[province], self.carriers
        paths = [self._path(mover) if mover in carriers else 1 for mover in movers]
        if OPEN in paths:
            return None
        return [mover for mover, path in zip(movers, paths, strict=True) if path]

    def _knows_supports(self, units: Iterable[int]) -> bool:
        backing, values, supports = self.backing, self.values, self.supports
        for unit in units:
            for supporter in backing.get(unit, NOBODY):
                if (
                    values[supports + supporter] == OPEN
                    and self._given(supporter) == OPEN
                ):
                    return False
        return True

    def _enter_alone(self, province: int, winner: int) -> None:
        """Let *winner* move to *province*, or nobody (-1)."""
        values = self.values
        for mover in self.movers[province]:
            values[mover] = 0
        if winner >= 0:
            values[winner] = 1
            self.entered[province] = winner

    def _enter(
        self, province: int, movers: Iterable[int], holder: int, facing: int
    ) -> None:
        """Decide the moves to *province*; all supports and paths are known.

        *holder* stays there, or nobody does (-1). *facing* comes head to head.
        """
        backing = self.backing
        best, second, winner = 0, 0, -1
        for mover in movers:
            if mover == facing and holder < 0:
                # It has no effect on the province of the unit that beat it.
                continue
            strength = self._strength(mover) if mover in backing else 1
            if strength > best:
                best, second, winner = strength, best, mover
            elif strength > second:
                second = strength
        enters = best > second and (
            holder < 0 or self._overcomes(winner, second, holder, facing)
        )
        self._enter_alone(province, winner if enters else -1)

    def _overcomes(self, mover: int, second: int, holder: int, facing: int) -> bool:
        """Return whether *mover* drives out *holder*, and beats the second as well."""
        power = self.at[holder].power
        if self.at[mover].power == power:
            return False
        defends = self.task[holder] != MOVE or mover == facing
        resistance = self._strength(holder) if defends else 1
        return self._strength(mover, power) > max(resistance, second)

    def _strength(self, unit: int, against: int = -1) -> int:
        """Return 1 and the supports of *unit*, but none from the power *against*."""
        values, supports = self.values, self.supports
        given = [
            supporter
            for supporter in self.backing.get(unit, NOBODY)
            if values[supports + supporter] == 1
        ]
        if against >= 0:
            return 1 + sum(self.at[supporter].power != against for supporter in given)
        return 1 + len(given)

    def _breaks_through(self, unit: int, facing: int) -> int:
        """Return whether *unit* wins against *facing*, head to head, if certain."""
        power = self.at[facing].power
        if self.at[unit].power == power or unit not in self.backing:
            return 0
        rivals = self._arriving(facing)
        if rivals is None or not self._knows_supports((facing, *rivals)):
            return OPEN
        attack = self._strength(unit, power)
        return int(
            attack > self._strength(facing)
            and all(attack > self._strength(rival) for rival in rivals if rival != unit)
        )

    def _given(self, supporter: int) -> int:
        """Return whether a support is given, `OPEN` where that is not certain."""
        slot = self.supports + supporter
        known = self.values[slot]
        if known == OPEN:
            known = self.values[slot] = self._find_given(supporter)
        return known

    def _find_given(self, supporter: int) -> int:
        attackers = self._attackers(supporter)
        if not attackers:
            return 1
        spared = [unit for unit in attackers if self.is_spared(supporter, unit)]
        cuts = [
            self._path(unit) if unit in self.carriers else 1
            for unit in attackers
            if unit not in spared
        ]
        if 1 in cuts:
            return 0
        if OPEN in cuts or (spared and not self._settle(supporter)):
            return OPEN
        return int(not (spared and supporter in self.entered))

    def _attackers(self, unit: int) -> Sequence[int]:
        """Return the units of other powers that move to where *unit* is."""
        movers = self.movers.get(unit)
        if movers is None:
            return NOBODY
        power = self.at[unit].power
        return [mover for mover in movers if self.at[mover].power != power]

    def _path(self, army: int) -> int:
        """Return whether the convoy of *army* arrives, `OPEN` if not certain."""
        slot = self.paths + army
        known = self.values[slot]
        if known == OPEN:
            attacked = [fleet for fleet in self.carriers[army] if fleet in self.movers]
            for fleet in attacked:
                self._settle(fleet)
            if not attacked or self.evaluate(slot, optimistic=False):
                known = self.values[slot] = 1
            elif not self.evaluate(slot, optimistic=True):
                known = self.values[slot] = 0
        return known

    # What became of it

    def succeeded(self, unit: int) -> bool:
        """Return whether *unit* is where it was ordered to."""
        return self.values[unit] == 1

    def support_given(self, unit: int) -> bool:
        """Return whether the support of *unit* was not cut, matched or not."""
        return self._given(unit) == 1

    def arrived(self, army: int) -> bool:
        """Return whether the convoy of *army* was not disrupted."""
        return self._path(army) == 1

    def cutter(self, supporter: int) -> int:
        """Return a unit that cut the support: the one that dislodged it, if any."""
        attackers = [
            attacker
            for attacker in sorted(self._attackers(supporter))
            if self.arrives(attacker, optimistic=False)
        ]
        elsewhere = (unit for unit in attackers if not self.is_spared(supporter, unit))
        winner = self.entered.get(supporter, -1)
        return winner if winner >= 0 else next(elsewhere)

    def lost_carriers(self, army: int) -> list[int]:
        """Return where fleets that should carry *army* were dislodged."""
        return sorted(fleet for fleet in self.carriers[army] if fleet in self.entered)

    def obstacle(self, unit: int) -> tuple[int, int, int]:
        """Return which unit kept *unit* out, its strength and that of the obstacle."""
        target = self.target[unit]
        facing = self.head_to_head(unit)
        obstacles = []
        # Of equal obstacles the first is named: the unit that is in the way.
        if facing >= 0:
            obstacles.append((self.defend_strength(facing, optimistic=False), facing))
        elif target in self.at and self.values[target] != 1:
            obstacles.append((self.hold_strength(target, optimistic=False), target))
        obstacles += (
            (self.prevent_strength(other, optimistic=False), other)
            for other in sorted(self.movers[target])
            if other != unit
        )
        resistance, other = max(obstacles, key=lambda obstacle: obstacle[0])
        return other, self.attack_strength(unit, optimistic=False), resistance

    def dislodged(self) -> Mapping[int, int]:
        """Return the dislodged units, each with the unit that dislodged it."""
        at, values = self.at, self.values
        return {
            province: mover
            for province, mover in self.entered.items()
            if province in at and values[province] != 1
        }

    def contested(self) -> frozenset[int]:
        """Return the empty provinces in which moves prevented each other."""
        return frozenset(
            province
            for province, movers in self.movers.items()
            if province not in self.entered
            and any(self.prevent_strength(mover, optimistic=False) for mover in movers)
        )
