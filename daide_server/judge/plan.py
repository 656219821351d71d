"""What each unit is ordered to do, in numbers.

Units, provinces and powers are numbers here. Orders that are legal come in, one per
unit or none; out come lists: who moves where, who helps whom, who carries whom.
"""

from collections.abc import Sequence
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
from .rules import AdjacentConvoy, Rules, SupportCoast


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


class Plan:
    """The orders of one turn, as lists by unit number."""

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
        self._coasts_matter = rules.support_coast is SupportCoast.MATCHED
        self._read(legality, orders, by_land)
        if rules.adjacent_convoy is AdjacentConvoy.INTENT:
            self._read_intents(legality, orders)
        self._gather(orders)

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
