"""Who moves, who stays, who is dislodged.

What is certain is decided province by province, with plain strengths, those that a
province depends on first: most turns end there. The circles that remain are the
resolver's, with the equations of 5.B.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from daide_server.board.orders import Order

from .equations import NOBODY, Equations
from .movement_legality import MOVE, MovementLegality, Numbers
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
        orders: Sequence[Numbers | None],
        given: Sequence[Order | None],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(legality, orders, given, rules, by_land)
        self._state: dict[int, int] = {}
        self.entered: dict[int, int] = {}
        """The provinces that a unit enters, with the unit."""

    def resolve(self) -> None:
        """Decide every move."""
        undecided = False
        for province in self.movers:
            if not self._settle(province):
                undecided = True
        if undecided:
            resolve(self, self.decisions())
            self._note_decided()

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
        if known is not None:
            return known == _DECIDED
        state[province] = _WAITING
        decided = self._decide(province)
        state[province] = _DECIDED if decided else _UNDECIDED
        return decided

    def _decide(self, province: int) -> bool:
        holder = self.occupant.get(province, -1)
        movers = self.movers[province]
        if holder < 0 and len(movers) == 1 and movers[0] not in self.carriers:
            self.values[movers[0]] = 1
            self.entered[province] = movers[0]
            return True
        arriving = self._arriving(province)
        if arriving is None or not self._knows_supports(arriving):
            return False
        if holder < 0:
            self._enter(province, arriving, -1, -1)
            return True
        if self.task[holder] == MOVE:
            return self._decide_behind(province, arriving, holder)
        if not self._knows_supports((holder,)):
            return False
        self._enter(province, arriving, holder, -1)
        return True

    def _decide_behind(self, province: int, movers: Sequence[int], holder: int) -> bool:
        """Decide the moves to where *holder* wants to leave."""
        facing = self.head_to_head(holder)
        if facing >= 0:
            leaves = self._breaks_through(holder, facing)
        else:
            known = self._settle(self.target[holder])
            leaves = self.values[holder] if known else OPEN
        if leaves == OPEN:
            return False
        self._enter(province, movers, -1 if leaves else holder, facing)
        return True

    def _arriving(self, province: int) -> Sequence[int] | None:
        """Return who comes to *province*, without lost convoys, if that is certain."""
        movers, carriers = self.movers[province], self.carriers
        if not carriers:
            return movers
        paths = [self._path(mover) if mover in carriers else 1 for mover in movers]
        if OPEN in paths:
            return None
        return [mover for mover, path in zip(movers, paths, strict=True) if path]

    def _knows_supports(self, units: Iterable[int]) -> bool:
        backing = self.backing
        for unit in units:
            for supporter in backing.get(unit, NOBODY):
                if self._given(supporter) == OPEN:
                    return False
        return True

    def _enter(
        self, province: int, movers: Iterable[int], holder: int, facing: int
    ) -> None:
        """Decide the moves to *province*; all supports and paths are known.

        *holder* stays there, or nobody does (-1). *facing* comes head to head.
        """
        values = self.values
        for mover in self.movers[province]:
            values[mover] = 0
        best, second, winner = 0, 0, -1
        for mover in movers:
            if mover == facing and holder < 0:
                # It has no effect on the province of the unit that beat it.
                continue
            strength = self._strength(mover)
            if strength > best:
                best, second, winner = strength, best, mover
            elif strength > second:
                second = strength
        if best > second and (
            holder < 0 or self._overcomes(winner, second, holder, facing)
        ):
            values[winner] = 1
            self.entered[province] = winner

    def _overcomes(self, mover: int, second: int, holder: int, facing: int) -> bool:
        """Return whether *mover* drives out *holder*, and beats the second as well."""
        power = self.power[holder]
        if self.power[mover] == power:
            return False
        defends = self.task[holder] != MOVE or mover == facing
        resistance = self._strength(holder) if defends else 1
        return self._strength(mover, power) > max(resistance, second)

    def _strength(self, unit: int, against: int = -1) -> int:
        """Return 1 and the supports of *unit*, but none from the power *against*."""
        strength = 1
        for supporter in self.backing.get(unit, NOBODY):
            if (
                self.values[self.supports + supporter] == 1
                and self.power[supporter] != against
            ):
                strength += 1
        return strength

    def _breaks_through(self, unit: int, facing: int) -> int:
        """Return whether *unit* wins against *facing*, head to head, if certain."""
        power = self.power[facing]
        if self.power[unit] == power:
            return 0
        rivals = self._arriving(self.target[unit])
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
        place = self.place[supporter]
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
        if OPEN in cuts or (spared and not self._settle(place)):
            return OPEN
        return int(not (spared and place in self.entered))

    def _attackers(self, unit: int) -> Sequence[int]:
        """Return the units of other powers that move to where *unit* is."""
        movers = self.movers.get(self.place[unit])
        if movers is None:
            return NOBODY
        power = self.power[unit]
        return [mover for mover in movers if self.power[mover] != power]

    def _path(self, army: int) -> int:
        """Return whether the convoy of *army* arrives, `OPEN` if not certain."""
        slot = self.paths + army
        known = self.values[slot]
        if known == OPEN:
            for fleet in self.carriers[army]:
                if self.place[fleet] in self.movers:
                    self._settle(self.place[fleet])
            if self.evaluate(slot, optimistic=False):
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
            for attacker in self._attackers(supporter)
            if self.arrives(attacker, optimistic=False)
        ]
        elsewhere = (unit for unit in attackers if not self.is_spared(supporter, unit))
        winner = self.entered.get(self.place[supporter], -1)
        return winner if winner >= 0 else next(elsewhere)

    def lost_carriers(self, army: int) -> list[int]:
        """Return where fleets that should carry *army* were dislodged."""
        places = (self.place[fleet] for fleet in self.carriers[army])
        return sorted(place for place in places if place in self.entered)

    def obstacle(self, unit: int) -> tuple[int, int, int]:
        """Return what kept *unit* out, its own strength and that of the obstacle.

        The obstacle is a unit, or -1 where no other unit was too strong.
        """
        target = self.target[unit]
        attack = self.attack_strength(unit, optimistic=False)
        obstacles = [
            (self.prevent_strength(other, optimistic=False), other)
            for other in self.movers[target]
            if other != unit
        ]
        holder = self.occupant.get(target, -1)
        facing = self.head_to_head(unit)
        if facing >= 0:
            obstacles.append((self.defend_strength(facing, optimistic=False), facing))
        elif holder >= 0 and self.values[holder] != 1:
            obstacles.append((self.hold_strength(target, optimistic=False), holder))
        resistance, other = max(obstacles)
        return other, attack, resistance

    def dislodged(self) -> Mapping[int, int]:
        """Return the dislodged units, each with the unit that dislodged it."""
        occupant, values = self.occupant, self.values
        return {
            occupant[province]: mover
            for province, mover in self.entered.items()
            if province in occupant and values[occupant[province]] != 1
        }

    def contested(self) -> frozenset[int]:
        """Return the empty provinces in which moves prevented each other."""
        return frozenset(
            province
            for province, movers in self.movers.items()
            if province not in self.entered
            and any(self.prevent_strength(mover, optimistic=False) for mover in movers)
        )
