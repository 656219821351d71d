"""Who moves, who stays, who is dislodged (DATC 5.B).

Units, provinces and powers are numbers here. Each unit has up to three decisions:
whether its move succeeds, whether its support is given, and whether the convoy
that carries it arrives. What is certain is decided province by province, those
that a province depends on first; the same equations, as optimistic or pessimistic
bounds, serve the resolver for the circles that remain.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final

from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)

from .convoys import is_useful, joined
from .movement_legality import MovementLegality
from .resolver import OPEN, resolve
from .rules import AdjacentConvoy, ConvoyedCut, Rules, SupportCoast


class Task(IntEnum):
    """What a unit does."""

    HOLD = 0
    MOVE = 1
    SUPPORT = 2
    CONVOY = 3
    STRANDED = 4
    """An army without a matching convoy: it stays, and nobody can help it hold."""


# Constants of the module are looked up faster than members of an enum.
HOLD: Final = Task.HOLD
MOVE: Final = Task.MOVE
SUPPORT: Final = Task.SUPPORT
CONVOY: Final = Task.CONVOY
STRANDED: Final = Task.STRANDED

_WAITING: Final = 1
_DECIDED: Final = 2
_UNDECIDED: Final = 3

_NOBODY: Final[tuple[int, ...]] = ()


class Movement:
    """One turn's moves, as lists by unit number.

    After `resolve`, `values` tells for each unit whether its move succeeded
    (at its number), and where it matters whether its support was given (at
    `supports` more) and its convoy arrived (at `paths` more).
    """

    def __init__(
        self,
        legality: MovementLegality,
        orders: Sequence[MovementOrder | None],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        standings = legality.standings
        count = len(standings)
        self.tables = legality.tables
        self.count = count
        self.supports = count
        self.paths = 2 * count
        self.power = [standing.power for standing in standings]
        self.place = [standing.province for standing in standings]
        self.occupant = {place: number for number, place in enumerate(self.place)}
        self.task: list[Task] = [HOLD] * count
        self.target = [-1] * count
        """Where a unit moves, or where the unit it supports or convoys is going."""
        self.other = [-1] * count
        """The unit that is supported or convoyed."""
        self.matched = [True] * count
        """Whether the other unit does what the support or convoy is for."""
        self.movers: dict[int, list[int]] = {}
        self.backing: dict[int, list[int]] = {}
        self.carriers: dict[int, list[int]] = {}
        """The fleets that may carry each army that moves by convoy."""
        self.routes: dict[int, tuple[int, ...]] = {}
        """The seas that such an army names, if it does."""
        self.values = [OPEN] * (3 * count)
        self._cut_by_convoyed = rules.convoyed_cut is ConvoyedCut.ALWAYS
        self._coasts_matter = rules.support_coast is SupportCoast.MATCHED
        self._state: dict[int, int] = {}
        self._read(legality, orders, by_land)
        if rules.adjacent_convoy is AdjacentConvoy.INTENT:
            self._read_intents(legality, orders)
        self._gather(orders)

    # Reading the orders

    def _read(
        self,
        legality: MovementLegality,
        orders: Sequence[MovementOrder | None],
        by_land: frozenset[int],
    ) -> None:
        number = legality.number
        index = legality.index
        task, target, other = self.task, self.target, self.other
        armies: list[int] = []
        for unit, order in enumerate(orders):
            kind = order.__class__
            if kind is Move:
                task[unit] = MOVE
                target[unit] = index[order.destination.province]  # type: ignore[union-attr]
            elif kind is SupportMove:
                task[unit] = SUPPORT
                target[unit] = index[order.destination.province]  # type: ignore[union-attr]
                other[unit] = number[order.supported]  # type: ignore[union-attr]
            elif kind is SupportHold:
                task[unit] = SUPPORT
                other[unit] = supported = number[order.supported]  # type: ignore[union-attr]
                target[unit] = self.place[supported]
            elif kind is ConvoyedMove:
                task[unit] = STRANDED
                target[unit] = index[order.destination.province]  # type: ignore[union-attr]
                armies.append(unit)
            elif kind is Convoy:
                task[unit] = CONVOY
                target[unit] = index[order.destination.province]  # type: ignore[union-attr]
                other[unit] = number[order.convoyed]  # type: ignore[union-attr]
        for army in armies:
            order = orders[army]
            if army in by_land:
                task[army] = MOVE
            elif isinstance(order, ConvoyedMove) and order.route is not None:
                self._embark(army, tuple(index[sea] for sea in order.route))
            else:
                self._embark(army, None)

    def _embark(self, army: int, route: tuple[int, ...] | None) -> None:
        """Put *army* on its fleets, if they have orders that make a route."""
        task, target, other, place = self.task, self.target, self.other, self.place
        fleets = {
            place[fleet]: fleet
            for fleet in range(self.count)
            if task[fleet] == CONVOY
            and other[fleet] == army
            and target[fleet] == target[army]
        }
        if route is not None:
            if not all(sea in fleets for sea in route):
                return
            self.routes[army] = route
            self.carriers[army] = [fleets[sea] for sea in route]
        elif joined(self.tables, place[army], target[army], fleets):
            self.carriers[army] = list(fleets.values())
        else:
            return
        task[army] = MOVE

    def _read_intents(
        self, legality: MovementLegality, orders: Sequence[MovementOrder | None]
    ) -> None:
        """Embark armies that their own fleets convoy past each other (4.A.3)."""
        for army, order in enumerate(orders):
            if (
                isinstance(order, Move)
                and legality.standings[army].army
                and self._comes_towards(army)
                and self._is_carried_by_its_own(army, legality.waters.occupied)
            ):
                self._embark(army, None)

    def _comes_towards(self, army: int) -> bool:
        facing = self.occupant.get(self.target[army], -1)
        return facing >= 0 and (self.task[facing], self.target[facing]) == (
            MOVE,
            self.place[army],
        )

    def _is_carried_by_its_own(self, army: int, seas: frozenset[int]) -> bool:
        place, end = self.place, self.target[army]
        return any(
            self.task[fleet] == CONVOY
            and self.other[fleet] == army
            and self.target[fleet] == end
            and self.power[fleet] == self.power[army]
            and is_useful(self.tables, place[army], end, seas, place[fleet])
            for fleet in range(self.count)
        )

    def _gather(self, orders: Sequence[MovementOrder | None]) -> None:
        """List who moves where, and who helps whom."""
        task, target, other = self.task, self.target, self.other
        movers, backing, matched = self.movers, self.backing, self.matched
        for unit, what in enumerate(task):
            if what == MOVE:
                movers.setdefault(target[unit], []).append(unit)
            elif what == SUPPORT:
                helped = other[unit]
                if self._matches(unit, helped, orders):
                    backing.setdefault(helped, []).append(unit)
                else:
                    matched[unit] = False
            elif what == CONVOY:
                army = other[unit]
                matched[unit] = (
                    orders[army].__class__ is ConvoyedMove or army in self.carriers
                ) and target[army] == target[unit]

    def _matches(
        self, unit: int, helped: int, orders: Sequence[MovementOrder | None]
    ) -> bool:
        """Return whether *helped* does what *unit* supports."""
        order = orders[unit]
        if order.__class__ is SupportHold:
            return self.task[helped] not in {MOVE, STRANDED}
        if self.task[helped] != MOVE or self.target[helped] != self.target[unit]:
            return False
        if not self._coasts_matter:
            return True
        coast = order.destination.coast  # type: ignore[union-attr]
        return coast is None or coast is orders[helped].destination.coast  # type: ignore[union-attr]

    # What is certain, province by province

    def resolve(self) -> None:
        """Decide every move."""
        state = self._state
        undecided = False
        for province in self.movers:
            if province not in state:
                self._settle(province)
            if state[province] == _UNDECIDED:
                undecided = True
        if undecided:
            resolve(self, self._decisions())

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
        values, carriers = self.values, self.carriers
        movers = self.movers[province]
        if carriers:
            for mover in movers:
                if mover in carriers:
                    path = self._path(mover)
                    if path == OPEN:
                        return False
            movers = [
                mover
                for mover in movers
                if mover not in carriers or values[self.paths + mover]
            ]
        backing = self.backing
        for mover in movers:
            for supporter in backing.get(mover, _NOBODY):
                if self._given(supporter) == OPEN:
                    return False
        holder = self.occupant.get(province, -1)
        facing = -1
        if holder < 0:
            stays = False
        elif self.task[holder] != MOVE:
            stays = True
            for supporter in backing.get(holder, _NOBODY):
                if self._given(supporter) == OPEN:
                    return False
        else:
            ahead = self.target[holder]
            if holder not in carriers:
                for mover in movers:
                    if self.place[mover] == ahead and mover not in carriers:
                        facing = mover
            if facing >= 0:
                outcome = self._breaks_through(holder, facing)
                if outcome == OPEN:
                    return False
                stays = not outcome
            elif self._settle(ahead):
                stays = not values[holder]
            else:
                return False
        self._enter(province, movers, holder if stays else -1, facing)
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
        if best == second:
            return
        if holder < 0:
            values[winner] = 1
            return
        if self.power[winner] == self.power[holder]:
            return
        attack = self._strength(winner, against=self.power[holder])
        if self.task[holder] != MOVE or winner == facing:
            resistance = self._strength(holder)
        else:
            resistance = 1
        if attack > resistance and attack > second:
            values[winner] = 1

    def _strength(self, unit: int, against: int = -1) -> int:
        """Return 1 and the supports of *unit*, but none from the power *against*."""
        supporters = self.backing.get(unit)
        if supporters is None:
            return 1
        values, supports, power = self.values, self.supports, self.power
        strength = 1
        for supporter in supporters:
            if values[supports + supporter] == 1 and power[supporter] != against:
                strength += 1
        return strength

    def _breaks_through(self, unit: int, facing: int) -> int:
        """Return whether *unit* wins against *facing*, head to head, if certain."""
        if self.power[unit] == self.power[facing]:
            return 0
        for mover in (facing, *self.movers[self.target[unit]]):
            if mover in self.carriers:
                path = self._path(mover)
                if path == OPEN:
                    return OPEN
                if not path:
                    continue
            for supporter in self.backing.get(mover, _NOBODY):
                if self._given(supporter) == OPEN:
                    return OPEN
        attack = self._strength(unit, against=self.power[facing])
        if attack <= self._strength(facing):
            return 0
        for mover in self.movers[self.target[unit]]:
            if mover == unit or (
                mover in self.carriers and not self.values[self.paths + mover]
            ):
                continue
            if attack <= self._strength(mover):
                return 0
        return 1

    def _given(self, supporter: int) -> int:
        """Return whether a support is given, `OPEN` where that is not certain."""
        slot = self.supports + supporter
        known = self.values[slot]
        if known == OPEN:
            known = self.values[slot] = self._find_given(supporter)
        return known

    def _find_given(self, supporter: int) -> int:
        place = self.place[supporter]
        attackers = self.movers.get(place)
        if attackers is None:
            return 1
        power, aim = self.power[supporter], self.target[supporter]
        certain, threatened = True, False
        for attacker in attackers:
            if self.power[attacker] == power:
                continue
            carried = attacker in self.carriers
            if self.place[attacker] == aim and not (carried and self._cut_by_convoyed):
                threatened = True
            elif not carried:
                return 0
            else:
                path = self._path(attacker)
                if path == 1:
                    return 0
                if path == OPEN:
                    certain = False
        if not certain:
            return OPEN
        if not threatened:
            return 1
        if not self._settle(place):
            return OPEN
        return 0 if self._is_entered(place) else 1

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

    def _is_entered(self, province: int) -> bool:
        values = self.values
        return any(values[mover] == 1 for mover in self.movers.get(province, _NOBODY))

    # The equations of DATC 5.B as bounds, for the resolver

    def _decisions(self) -> list[int]:
        """Return the decisions that are still open."""
        values = self.values
        return [
            *(unit for unit in range(self.count) if self._awaits(unit)),
            *(
                self.supports + supporter
                for supporters in self.backing.values()
                for supporter in supporters
                if values[self.supports + supporter] == OPEN
            ),
            *(
                self.paths + army
                for army in self.carriers
                if values[self.paths + army] == OPEN
            ),
        ]

    def _awaits(self, unit: int) -> bool:
        return self.task[unit] == MOVE and self.values[unit] == OPEN

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
        facing = self._head_to_head(unit)
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
    def _head_to_head(self, unit: int) -> int:
        """Return the unit that moves the other way without a convoy, or -1."""
        if unit in self.carriers:
            return -1
        facing = self.occupant.get(self.target[unit], -1)
        if (
            facing >= 0
            and self.task[facing] == MOVE
            and facing not in self.carriers
            and self.target[facing] == self.place[unit]
        ):
            return facing
        return -1

    # 5.B.3
    def convoy_arrives(self, army: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether a route is left for *army*."""
        route = self.routes.get(army)
        seas = {
            self.place[fleet]
            for fleet in self.carriers[army]
            if not any(
                self._value(mover, not optimistic)
                for mover in self.movers.get(self.place[fleet], _NOBODY)
            )
        }
        if route is not None:
            return len(seas) == len(set(route))
        return joined(self.tables, self.place[army], self.target[army], seas)

    def _arrives(self, unit: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        return unit not in self.carriers or self._value(self.paths + unit, optimistic)

    # 5.B.4
    def support_is_given(self, unit: int, optimistic: bool) -> bool:  # noqa: FBT001 - DATC's
        """Return whether the support of *unit* is neither cut nor dislodged."""
        aim = self.target[unit]
        for attacker in self.movers.get(self.place[unit], _NOBODY):
            if self.power[attacker] == self.power[unit]:
                continue
            spared = self.place[attacker] == aim and not (
                attacker in self.carriers and self._cut_by_convoyed
            )
            cuts = (
                self._value(attacker, not optimistic)
                if spared
                else self._arrives(attacker, not optimistic)
            )
            if cuts:
                return False
        return True

    def _supports(
        self,
        unit: int,
        optimistic: bool,  # noqa: FBT001 - DATC's
        against: int = -1,
    ) -> int:
        return sum(
            self._value(self.supports + supporter, optimistic)
            for supporter in self.backing.get(unit, _NOBODY)
            if self.power[supporter] != against
        )

    # 5.B.5
    def hold_strength(self, province: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength that keeps others out of *province*."""
        holder = self.occupant.get(province, -1)
        if holder < 0:
            return 0
        if self.task[holder] == MOVE:
            return 0 if self._value(holder, not optimistic) else 1
        return 1 + self._supports(holder, optimistic)

    # 5.B.6
    def attack_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move against what holds its destination."""
        if not self._arrives(unit, optimistic):
            return 0
        holder = self.occupant.get(self.target[unit], -1)
        leaves = (
            holder >= 0
            and self.task[holder] == MOVE
            and self._head_to_head(unit) < 0
            and self._value(holder, optimistic)
        )
        if holder < 0 or leaves:
            return 1 + self._supports(unit, optimistic)
        if self.power[holder] == self.power[unit]:
            return 0
        return 1 + self._supports(unit, optimistic, self.power[holder])

    # 5.B.7
    def defend_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move in a head to head battle."""
        return 1 + self._supports(unit, optimistic)

    # 5.B.8
    def prevent_strength(self, unit: int, optimistic: bool) -> int:  # noqa: FBT001 - DATC's
        """Return the strength of a move against others to its destination."""
        if not self._arrives(unit, optimistic):
            return 0
        facing = self._head_to_head(unit)
        if facing >= 0 and self._value(facing, not optimistic):
            return 0
        return 1 + self._supports(unit, optimistic)

    def needs(self, decision: int) -> Iterator[int]:
        """Return the decisions that the equation of *decision* looks at."""
        kind, unit = divmod(decision, self.count)
        if kind == 0:
            yield from self._needs_of_move(unit)
        elif kind == 1:
            for attacker in self.movers.get(self.place[unit], _NOBODY):
                yield attacker
                yield self.paths + attacker
        else:
            for fleet in self.carriers[unit]:
                yield from self.movers.get(self.place[fleet], _NOBODY)

    def _needs_of_move(self, unit: int) -> Iterator[int]:
        target = self.target[unit]
        holder = self.occupant.get(target, -1)
        parties = [*self.movers[target], *([holder] if holder >= 0 else [])]
        if holder >= 0 and self.task[holder] == MOVE:
            yield holder
        for party in parties:
            yield self.paths + party
            for supporter in self.backing.get(party, _NOBODY):
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
            for attacker in self.movers[self.place[supporter]]
            if self.power[attacker] != self.power[supporter]
            and self._arrives(attacker, optimistic=False)
        ]
        return max(attackers, key=self.values.__getitem__)

    def lost_carriers(self, army: int) -> list[int]:
        """Return where fleets that should carry *army* were dislodged."""
        places = (self.place[fleet] for fleet in self.carriers[army])
        return sorted(place for place in places if self._is_entered(place))

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
        facing = self._head_to_head(unit)
        if facing >= 0:
            obstacles.append((self.defend_strength(facing, optimistic=False), facing))
        elif holder >= 0 and self.values[holder] != 1:
            obstacles.append((self.hold_strength(target, optimistic=False), holder))
        resistance, other = max(obstacles)
        return other, attack, resistance

    def dislodged(self) -> Mapping[int, int]:
        """Return the dislodged units, each with the unit that dislodged it."""
        occupant, target, values = self.occupant, self.target, self.values
        found = {}
        for mover in range(self.count):
            if values[mover] == 1:
                holder = occupant.get(target[mover], -1)
                if holder >= 0 and values[holder] != 1:
                    found[holder] = mover
        return found

    def contested(self) -> frozenset[int]:
        """Return the empty provinces in which moves prevented each other."""
        values = self.values
        return frozenset(
            province
            for province, movers in self.movers.items()
            if not any(values[mover] == 1 for mover in movers)
            and any(self.prevent_strength(mover, optimistic=False) for mover in movers)
        )
