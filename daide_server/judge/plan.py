"""What each unit is ordered to do, in numbers.

A unit is called by the number of the province that it stands in. Orders that are
possible come in, one per unit or none; out come lists: who moves where, who helps
whom, who carries whom.
"""

from collections.abc import Mapping

from daide_server.board.orders import ConvoyedMove

from .convoys import is_useful, joined
from .movement_legality import MovementLegality
from .readings import CONVOY, HOLD, MOVE, STRANDED, SUPPORT, Reading
from .rules import AdjacentConvoy, Rules, SupportCoast


class Plan:
    """The orders of one turn, as lists by unit."""

    def __init__(
        self,
        legality: MovementLegality,
        orders: Mapping[int, Reading],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        self.tables = legality.tables
        self.at = legality.at
        count = len(self.tables.provinces)
        self.count = count
        self.task = [HOLD] * count
        self.target = [-1] * count
        """Where a unit moves, or where the unit it supports or convoys is going."""
        self.unmatched: set[int] = set()
        """Supports and convoys for something that the other unit does not do."""
        self.movers: dict[int, list[int]] = {}
        self.backing: dict[int, list[int]] = {}
        self.carriers: dict[int, list[int]] = {}
        """The fleets that may carry each army that moves by convoy."""
        self.routes: dict[int, tuple[int, ...]] = {}
        """The seas that such an army names, if it does."""
        self._orders = orders
        self._supporters: list[int] = []
        self._fleets: list[int] = []
        self.by_convoy: list[int] = []
        """The armies that are ordered to go by convoy."""
        self._read()
        if self.by_convoy:
            self._embark_all(by_land)
        if rules.adjacent_convoy is AdjacentConvoy.INTENT:
            self._read_intents(legality)
        self._match_supports(rules.support_coast)
        if self._fleets:
            self._match_convoys()

    def _read(self) -> None:
        task, target, movers = self.task, self.target, self.movers
        lists = {
            SUPPORT: self._supporters,
            CONVOY: self._fleets,
            STRANDED: self.by_convoy,
        }
        for unit, order in self._orders.items():
            what = order.task
            if what == HOLD:
                continue
            to = order.target
            task[unit] = what
            target[unit] = to
            if what != MOVE:
                lists[what].append(unit)
            elif to in movers:
                movers[to].append(unit)
            else:
                movers[to] = [unit]

    def _embark_all(self, by_land: frozenset[int]) -> None:
        index = self.tables.index
        for army in self.by_convoy:
            order = self._orders[army].order
            route = None
            if isinstance(order, ConvoyedMove) and order.route is not None:
                route = tuple(index[sea] for sea in order.route)
            if army in by_land or self._embark(army, route):
                self.task[army] = MOVE
                self.movers.setdefault(self.target[army], []).append(army)

    def _embark(self, army: int, route: tuple[int, ...] | None) -> bool:
        """Put *army* on its fleets, if they have orders that make a route."""
        target = self.target[army]
        fleets = [
            fleet
            for fleet in self._fleets
            if self._orders[fleet].other == army and self.target[fleet] == target
        ]
        if route is not None:
            if not all(sea in fleets for sea in route):
                return False
            self.routes[army] = route
            self.carriers[army] = list(route)
            return True
        if not joined(self.tables, army, target, fleets):
            return False
        self.carriers[army] = fleets
        return True

    def _read_intents(self, legality: MovementLegality) -> None:
        """Embark armies that their own fleets convoy past each other (4.A.3)."""
        for army, standing in self.at.items():
            if (
                standing.army
                and self.task[army] == MOVE
                and army not in self.carriers
                and self._comes_towards(army)
                and self._is_carried_by_its_own(army, legality.waters.occupied)
            ):
                self._embark(army, None)

    def _comes_towards(self, army: int) -> bool:
        facing = self.target[army]
        return self.task[facing] == MOVE and self.target[facing] == army

    def _is_carried_by_its_own(self, army: int, seas: frozenset[int]) -> bool:
        end = self.target[army]
        return any(
            self._orders[fleet].other == army
            and self.target[fleet] == end
            and self.at[fleet].power == self.at[army].power
            and is_useful(self.tables, army, end, seas, fleet)
            for fleet in self._fleets
        )

    def _match_supports(self, coasts: SupportCoast) -> None:
        """List who helps whom."""
        task, target, backing = self.task, self.target, self.backing
        orders = self._orders
        matter = coasts is SupportCoast.MATCHED
        for unit in self._supporters:
            helped, aim = orders[unit].other, target[unit]
            if aim == helped:
                matched = task[helped] != MOVE and task[helped] != STRANDED
            else:
                matched = task[helped] == MOVE and target[helped] == aim
                if matter and matched and orders[unit].coast is not None:
                    matched = orders[helped].coast is orders[unit].coast
            if not matched:
                self.unmatched.add(unit)
            elif helped in backing:
                backing[helped].append(unit)
            else:
                backing[helped] = [unit]

    def _match_convoys(self) -> None:
        convoyed = {*self.by_convoy, *self.carriers}
        for fleet in self._fleets:
            army = self._orders[fleet].other
            if army not in convoyed or self.target[army] != self.target[fleet]:
                self.unmatched.add(fleet)
