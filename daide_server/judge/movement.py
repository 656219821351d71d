"""Who moves, who stays, who is dislodged.

What is certain is decided province by province, with plain strengths, those that a
province depends on first: most turns end there. The circles that remain are the
resolver's, with the equations of 5.B.
"""

from collections.abc import Iterable, Mapping, Sequence

from .equations import NOBODY, Equations
from .movement_legality import MovementLegality
from .readings import HOLD, Reading, Task
from .resolver import OPEN, resolve
from .rules import Rules


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
        self.entered: dict[int, int] = {}
        """The provinces that a unit enters, with the unit."""
        self._attacked: list[int] = []
        """Who supports and is moved to."""
        self._doubted: set[int] = set()
        """The units whose supports may be cut, or not."""
        self._threatened = False
        """Whether a convoy may be disrupted."""
        self._tried: set[int] = set()

    def resolve(self) -> None:
        """Decide every move."""
        if self.carriers:
            self._launch_convoys()
        self._cut_supports()
        crowded = self._enter_empty()
        undecided = [province for province in crowded if not self._settle(province)]
        if undecided:
            resolve(self, self.decisions())
            self._note_entered()

    def _launch_convoys(self) -> None:
        """Decide the convoys that nobody attacks."""
        movers, values, paths = self.movers, self.values, self.paths
        for army, fleets in self.carriers.items():
            if movers.keys().isdisjoint(fleets):
                values[paths + army] = 1
            else:
                self._threatened = True

    def _cut_supports(self) -> None:
        """Decide at sight which supports are cut."""
        movers, values, supports = self.movers, self.values, self.supports
        for order in self.supporting:
            unit = order.place
            if unit in movers:
                self._attacked.append(unit)
                given = values[supports + unit] = self._given_at_sight(order)
                if unit in self.unmatched:
                    continue
                if given == OPEN:
                    self._doubted.add(order.other)
                elif given == 0:
                    self.backing[order.other].remove(unit)

    def _given_at_sight(self, order: Reading) -> int:
        """Return whether a support is given if only its attackers are looked at."""
        at, carriers, aim = self.at, self.carriers, order.target
        power, given = at[order.place].power, 1
        for attacker in self.movers[order.place]:
            if at[attacker].power != power:
                if attacker != aim and attacker not in carriers:
                    return 0
                given = OPEN
        return given

    def _enter_empty(self) -> list[int]:
        """Decide single moves to empty provinces; return where others lead."""
        at, carriers, values = self.at, self.carriers, self.values
        crowded = []
        for province, movers in self.movers.items():
            mover = movers[0]
            if province in at or len(movers) > 1 or mover in carriers:
                crowded.append(province)
            else:
                values[mover] = 1
                self.entered[province] = mover
        return crowded

    def _note_entered(self) -> None:
        values = self.values
        for province, movers in self.movers.items():
            for mover in movers:
                if values[mover] == 1:
                    self.entered[province] = mover

    def _settle(self, province: int) -> bool:
        """Decide the moves to *province* if they are certain, and say whether."""
        movers = self.movers[province]
        if self.values[movers[0]] != OPEN:
            return True
        if province in self._tried:
            return False
        self._tried.add(province)
        arriving = self._arriving(province) if self._threatened else movers
        if arriving is None:
            return False
        holder = province if province in self.at else -1
        facing = -1
        if province in self.target:
            facing = self.head_to_head(province)
            leaves = self._leaves(province, facing)
            if leaves == OPEN:
                return False
            holder = -1 if leaves else province
        if self._doubted and not self._knows_supports((*arriving, province)):
            return False
        self._enter(province, arriving, holder, facing)
        return True

    def _leaves(self, unit: int, facing: int) -> int:
        """Return whether the move of *unit* succeeds, `OPEN` if not certain."""
        if facing >= 0:
            return self._breaks_through(unit, facing)
        self._settle(self.target[unit])
        return self.values[unit]

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

    def _enter(
        self, province: int, movers: Sequence[int], holder: int, facing: int
    ) -> None:
        """Decide the moves to *province*; all supports and paths are known.

        *holder* stays there, or nobody does (-1). *facing* comes head to head.
        """
        values, backing = self.values, self.backing
        for mover in self.movers[province]:
            values[mover] = 0
        best, second, winner = 0, 0, -1
        for mover in movers:
            if mover == facing and holder < 0:
                # It has no effect on the province of the unit that beat it.
                continue
            strength = 1 + len(backing[mover]) if mover in backing else 1
            if strength > best:
                best, second, winner = strength, best, mover
            elif strength > second:
                second = strength
        if best > second and (
            holder < 0 or (best > 1 and self._overcomes(winner, second, holder, facing))
        ):
            values[winner] = 1
            self.entered[province] = winner

    def _overcomes(self, mover: int, second: int, holder: int, facing: int) -> bool:
        """Return whether *mover* drives out *holder*, and beats the second as well."""
        power = self.at[holder].power
        if self.at[mover].power == power:
            return False
        defends = holder not in self.target or mover == facing
        resistance = self._strength(holder) if defends else 1
        return self._strength(mover, power) > max(resistance, second)

    def _strength(self, unit: int, against: int = -1) -> int:
        """Return 1 and the supports of *unit*, but none from the power *against*."""
        at = self.at
        strength = 1
        for supporter in self.backing.get(unit, NOBODY):
            if at[supporter].power != against:
                strength += 1
        return strength

    def _arriving(self, province: int) -> list[int] | None:
        """Return who comes to *province*, without lost convoys, if that is certain."""
        movers, carriers = self.movers[province], self.carriers
        if carriers.keys().isdisjoint(movers):
            return movers
        paths = [self._path(mover) if mover in carriers else 1 for mover in movers]
        if OPEN in paths:
            return None
        return [mover for mover, path in zip(movers, paths, strict=True) if path]

    def _path(self, army: int) -> int:
        """Return whether the convoy of *army* arrives, `OPEN` if not certain."""
        slot = self.paths + army
        known = self.values[slot]
        if known == OPEN:
            for fleet in self.carriers[army]:
                if fleet in self.movers:
                    self._settle(fleet)
            if self.evaluate(slot, optimistic=False):
                known = self.values[slot] = 1
            elif not self.evaluate(slot, optimistic=True):
                known = self.values[slot] = 0
        return known

    def _knows_supports(self, units: Iterable[int]) -> bool:
        """Decide the supports of *units*, and say whether that was possible."""
        return all(
            unit not in self._doubted or self._knows_supports_of(unit) for unit in units
        )

    def _knows_supports_of(self, unit: int) -> bool:
        given = [(self._given(other), other) for other in self.backing[unit]]
        if any(known == OPEN for known, _ in given):
            return False
        self.backing[unit] = [other for known, other in given if known]
        self._doubted.discard(unit)
        return True

    def _given(self, supporter: int) -> int:
        """Return whether a support is given, `OPEN` where that is not certain."""
        slot = self.supports + supporter
        known = self.values[slot]
        if known == OPEN:
            known = self.values[slot] = self._find_given(supporter)
        return known

    def _find_given(self, supporter: int) -> int:
        attackers = self._attackers(supporter)
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

    # What became of it

    def task(self, unit: int) -> Task:
        """Return what *unit* is ordered to do."""
        order = self.orders.get(unit)
        return HOLD if order is None else order.task

    def failures(self) -> set[int]:
        """Return the units that did not do what they were ordered to."""
        values, target = self.values, self.target
        failed = {unit for unit in target if values[unit] != 1}
        failed |= self.unmatched
        failed.update(army for army in self.by_convoy if army not in target)
        failed.update(unit for unit in self._attacked if not self.support_given(unit))
        return failed

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
