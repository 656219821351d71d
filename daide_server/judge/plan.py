"""What each unit is ordered to do, in numbers.

A unit is called by the number of the province that it stands in. Orders that are
possible come in, one per unit or none; out come lists: who moves where, who helps
whom, who carries whom.
"""

from collections.abc import Mapping
from typing import Final

from daide_server.board.orders import ConvoyedMove

from .convoys import is_useful, joined
from .movement_legality import MovementLegality
from .readings import CONVOY, MOVE, STRANDED, SUPPORT, Reading
from .rules import AdjacentConvoy, Rules, SupportCoast

# Looking up a member of an enum takes longer than a name of the module.
INTENT: Final = AdjacentConvoy.INTENT
MATCHED: Final = SupportCoast.MATCHED


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
        self.orders = orders
        self.target: dict[int, int] = {}
        """Where each unit that moves is going."""
        self.movers: dict[int, list[int]] = {}
        """Who moves to each province that somebody moves to."""
        self.supporting: list[Reading] = []
        self.backing: dict[int, list[int]] = {}
        """Who supports each unit in what it does."""
        self.unmatched: set[int] = set()
        """Supports and convoys for something that the other unit does not do."""
        self.by_convoy: list[int] = []
        """The armies that are ordered to go by convoy; without one, they stay."""
        self.carriers: dict[int, list[int]] = {}
        """The fleets that may carry each army that moves by convoy."""
        self.routes: dict[int, tuple[int, ...]] = {}
        """The seas that such an army names, if it does."""
        self._fleets: list[int] = []
        self._read()
        if self.by_convoy:
            self._embark_all(by_land)
        if rules.adjacent_convoy is INTENT:
            self._read_intents(legality)
        self._match_supports()
        if rules.support_coast is MATCHED:
            self._match_coasts()
        if self._fleets:
            self._match_convoys(by_land)

    def _read(self) -> None:
        target, movers, supporting = self.target, self.movers, self.supporting
        for unit, order in self.orders.items():
            task = order.task
            if task == MOVE:
                to = target[unit] = order.target
                if to in movers:
                    movers[to].append(unit)
                else:
                    movers[to] = [unit]
            elif task == SUPPORT:
                supporting.append(order)
            elif task == CONVOY:
                self._fleets.append(unit)
            elif task == STRANDED:
                self.by_convoy.append(unit)

    def _embark_all(self, by_land: frozenset[int]) -> None:
        index = self.tables.index
        for army in self.by_convoy:
            order, target = self.orders[army].order, self.orders[army].target
            route = None
            if isinstance(order, ConvoyedMove) and order.route is not None:
                route = tuple(index[sea] for sea in order.route)
            if army in by_land or self._embark(army, target, route):
                self.target[army] = target
                self.movers.setdefault(target, []).append(army)

    def _embark(self, army: int, target: int, route: tuple[int, ...] | None) -> bool:
        """Put *army* on its fleets, if they have orders that make a route."""
        fleets = [fleet for fleet in self._fleets if self._carries(fleet, army, target)]
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

    def _carries(self, fleet: int, army: int, target: int) -> bool:
        order = self.orders[fleet]
        return order.other == army and order.target == target

    def _read_intents(self, legality: MovementLegality) -> None:
        """Embark armies that their own fleets convoy past each other (4.A.3)."""
        for army, target in self.target.items():
            if (
                self.at[army].army
                and army not in self.carriers
                and self.target.get(target) == army
                and self._is_carried_by_its_own(army, legality.seas)
            ):
                self._embark(army, target, None)

    def _is_carried_by_its_own(self, army: int, seas: frozenset[int]) -> bool:
        target = self.target[army]
        return any(
            self._carries(fleet, army, target)
            and self.at[fleet].power == self.at[army].power
            and is_useful(self.tables, army, target, seas, fleet)
            for fleet in self._fleets
        )

    def _match_supports(self) -> None:
        """List who helps whom."""
        target, backing, stranded = self.target, self.backing, self.by_convoy
        for order in self.supporting:
            helped, aim = order.other, order.target
            if aim == helped:
                matched = helped not in target and helped not in stranded
            else:
                matched = target.get(helped) == aim
            if not matched:
                self.unmatched.add(order.place)
            elif helped in backing:
                backing[helped].append(order.place)
            else:
                backing[helped] = [order.place]

    def _match_coasts(self) -> None:
        """Take away supports that name another coast than the move (4.B.4)."""
        for support in self.supporting:
            unit, helped = support.place, support.other
            if (
                support.coast is not None
                and unit not in self.unmatched
                and self.orders[helped].coast is not support.coast
            ):
                self.backing[helped].remove(unit)
                self.unmatched.add(unit)

    def _match_convoys(self, by_land: frozenset[int]) -> None:
        """List the fleets whose army is not ordered to go, or has no whole route."""
        armies = by_land | self.carriers.keys()
        for fleet in self._fleets:
            order = self.orders[fleet]
            army = order.other
            if army not in armies or self.orders[army].target != order.target:
                self.unmatched.add(fleet)
