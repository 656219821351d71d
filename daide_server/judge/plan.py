"""What each unit is ordered to do, in numbers.

Units, provinces and powers are numbers here. Orders that are legal come in, one per
unit or none; out come lists: who moves where, who helps whom, who carries whom.
"""

from collections.abc import Sequence

from daide_server.board.orders import ConvoyedMove, Move, Order, SupportMove

from .convoys import is_useful, joined
from .movement_legality import (
    CONVOY,
    HOLD,
    MOVE,
    STRANDED,
    SUPPORT,
    MovementLegality,
    Numbers,
)
from .rules import AdjacentConvoy, Rules, SupportCoast


class Plan:
    """The orders of one turn, as lists by unit number."""

    def __init__(
        self,
        legality: MovementLegality,
        orders: Sequence[Numbers | None],
        given: Sequence[Order | None],
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
        self.task = [HOLD] * count
        self.target = [-1] * count
        """Where a unit moves, or where the unit it supports or convoys is going."""
        self.other = [-1] * count
        """The unit that is supported or convoyed."""
        self.unmatched: set[int] = set()
        """Supports and convoys for something that the other unit does not do."""
        self.movers: dict[int, list[int]] = {}
        self.backing: dict[int, list[int]] = {}
        self.carriers: dict[int, list[int]] = {}
        """The fleets that may carry each army that moves by convoy."""
        self.routes: dict[int, tuple[int, ...]] = {}
        """The seas that such an army names, if it does."""
        self._supporters: list[int] = []
        self._fleets: list[int] = []
        self._armies: list[int] = []
        self._by_land = by_land
        self._read(orders)
        if self._armies:
            self._embark_all(legality, given)
        if rules.adjacent_convoy is AdjacentConvoy.INTENT:
            self._read_intents(legality)
        self._match_supports(given, rules.support_coast)
        self._match_convoys()

    def _read(self, orders: Sequence[Numbers | None]) -> None:
        task, target, other, movers = self.task, self.target, self.other, self.movers
        lists = {
            SUPPORT: self._supporters,
            CONVOY: self._fleets,
            STRANDED: self._armies,
        }
        for order in orders:
            if order is None:
                continue
            unit, what, to, whom = order
            if what == HOLD:
                continue
            task[unit] = what
            target[unit] = to
            if what == MOVE:
                if to in movers:
                    movers[to].append(unit)
                else:
                    movers[to] = [unit]
            else:
                other[unit] = whom
                lists[what].append(unit)

    def _embark_all(
        self, legality: MovementLegality, given: Sequence[Order | None]
    ) -> None:
        index = legality.index
        for army in self._armies:
            order = given[army]
            route = None
            if isinstance(order, ConvoyedMove) and order.route is not None:
                route = tuple(index[sea] for sea in order.route)
            if army in self._by_land or self._embark(army, route):
                self.task[army] = MOVE
                self.movers.setdefault(self.target[army], []).append(army)

    def _embark(self, army: int, route: tuple[int, ...] | None) -> bool:
        """Put *army* on its fleets, if they have orders that make a route."""
        target, other, place = self.target, self.other, self.place
        fleets = {
            place[fleet]: fleet
            for fleet in self._fleets
            if other[fleet] == army and target[fleet] == target[army]
        }
        if route is not None:
            if not all(sea in fleets for sea in route):
                return False
            self.routes[army] = route
            self.carriers[army] = [fleets[sea] for sea in route]
            return True
        if not joined(self.tables, place[army], target[army], fleets):
            return False
        self.carriers[army] = list(fleets.values())
        return True

    def _read_intents(self, legality: MovementLegality) -> None:
        """Embark armies that their own fleets convoy past each other (4.A.3)."""
        for army, standing in enumerate(legality.standings):
            if (
                standing.army
                and self.task[army] == MOVE
                and army not in self.carriers
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
            self.other[fleet] == army
            and self.target[fleet] == end
            and self.power[fleet] == self.power[army]
            and is_useful(self.tables, place[army], end, seas, place[fleet])
            for fleet in self._fleets
        )

    def _match_supports(
        self, given: Sequence[Order | None], coasts: SupportCoast
    ) -> None:
        """List who helps whom."""
        task, target, place = self.task, self.target, self.place
        backing = self.backing
        matter = coasts is SupportCoast.MATCHED
        for unit in self._supporters:
            helped, aim = self.other[unit], target[unit]
            if aim == place[helped]:
                matched = task[helped] != MOVE and task[helped] != STRANDED
            else:
                matched = task[helped] == MOVE and target[helped] == aim
                if matched and matter:
                    matched = _same_coast(given[unit], given[helped])
            if not matched:
                self.unmatched.add(unit)
            elif helped in backing:
                backing[helped].append(unit)
            else:
                backing[helped] = [unit]

    def _match_convoys(self) -> None:
        convoyed = {*self._armies, *self.carriers}
        self.unmatched.update(
            fleet
            for fleet in self._fleets
            if self.other[fleet] not in convoyed
            or self.target[self.other[fleet]] != self.target[fleet]
        )


def _same_coast(support: Order | None, move: Order | None) -> bool:
    """Return whether the support names no coast, or the one moved to (4.B.4)."""
    if not isinstance(support, SupportMove) or not isinstance(move, Move):
        return True
    return support.destination.coast in {None, move.destination.coast}
