"""Who moves, who stays, who is dislodged.

After what is certain at once, province by province is decided with plain strengths,
those that a province depends on first: most turns end there. The circles that remain
are the resolver's, with the equations of 5.B.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from daide_server.board.results import OrderResult

from .certainties import Certainties
from .equations import NOBODY
from .readings import HOLD, Task
from .resolver import OPEN, resolve

# Looking up a member of an enum takes longer than a name of the module.
BOUNCED: Final = OrderResult.BOUNCED
CUT: Final = OrderResult.CUT
DISRUPTED: Final = OrderResult.DISRUPTED
NO_SUCH_ORDER: Final = OrderResult.NO_SUCH_ORDER


class Movement(Certainties):
    """One turn's moves: `resolve` them, then ask what became of them."""

    def resolve(self) -> None:
        """Decide every move."""
        crowded = self.decide_at_once()
        undecided = [province for province in crowded if not self._settle(province)]
        if undecided:
            resolve(self, self.decisions())
            self._note_entered()

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
        if province in self.tried:
            return False
        self.tried.add(province)
        arriving = self._arriving(province) if self.threatened else movers
        if arriving is None:
            return False
        holder = province if province in self.at else -1
        facing = -1
        if province in self.target:
            facing = self.head_to_head(province)
            if facing >= 0:
                leaves = self._breaks_through(province, facing)
            else:
                self._settle(self.target[province])
                leaves = self.values[province]
            if leaves == OPEN:
                return False
            holder = -1 if leaves else province
        if self.doubted and not self._knows_supports((*arriving, province)):
            return False
        self._enter(province, arriving, holder, facing)
        return True

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
        if self.doubted.isdisjoint(units):
            return True
        return all(map(self._knows_supports_of, self.doubted.intersection(units)))

    def _knows_supports_of(self, unit: int) -> bool:
        given = [(self._given(other), other) for other in self.backing[unit]]
        if any(known == OPEN for known, _ in given):
            return False
        self.backing[unit] = [other for known, other in given if known]
        self.doubted.discard(unit)
        return True

    def _given(self, supporter: int) -> int:
        """Return whether a support is given, `OPEN` where that is not certain."""
        slot = self.supports + supporter
        known = self.values[slot]
        if known == OPEN:
            known = self.values[slot] = self._find_given(supporter)
        return known

    def _find_given(self, supporter: int) -> int:
        attackers = self.attackers(supporter)
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

    def attackers(self, unit: int) -> Sequence[int]:
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

    def is_for_stranded(self, unit: int) -> bool:
        """Return whether the order is for an army's move that no convoy is for."""
        order = self.orders[unit]
        army = order.other
        stays = army in self.by_convoy and army not in self.target
        return stays and self.orders[army].target == order.target

    def failures(self) -> dict[int, OrderResult]:
        """Return the units that did not do what they were ordered to, and why.

        A support for something that the other unit does not do cannot be cut, as in
        DAIDE's server.
        """
        values, target = self.values, self.target
        failed = {unit: BOUNCED for unit in target if values[unit] != 1}
        for army in self.carriers:
            if not self.arrived(army):
                failed[army] = DISRUPTED
        for army in self.by_convoy:
            if army not in target:
                failed[army] = NO_SUCH_ORDER
        for unit in self.attacked:
            if self._given(unit) != 1:
                failed[unit] = CUT
        for unit in self.unmatched:
            failed[unit] = NO_SUCH_ORDER
        return failed

    def arrived(self, army: int) -> bool:
        """Return whether the convoy of *army* was not disrupted."""
        return self._path(army) == 1

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
        at, values = self.at, self.values
        return frozenset(
            province
            for province, movers in self.movers.items()
            if province not in self.entered
            and (province not in at or values[province] == 1)
            and any(self.prevent_strength(mover, optimistic=False) for mover in movers)
        )
