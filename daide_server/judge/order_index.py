"""Who moves where, who supports whom, who convoys whom (DATC 5.B.3, 4.A.3, 4.B.4).

A unit is identified by the number of its province. The input are possible orders, at
most one per unit; the output are dictionaries by unit or province. Everything that
depends only on the position and the orders, and not on the success of moves, is found
here.
"""

from bisect import insort
from collections.abc import Mapping

from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Move,
    SupportHold,
    SupportMove,
)

from .compiled_orders import CompiledOrder
from .fleet_chains import is_useful, joined
from .legality import MovementLegality
from .resolution import NoConvoy, Unmatched
from .rules import AdjacentConvoy, Rules, SupportCoast


class OrderIndex:
    """The orders of one turn, by unit and by province."""

    def __init__(
        self,
        legality: MovementLegality,
        orders: Mapping[int, CompiledOrder],
        rules: Rules,
        by_land: frozenset[int] = frozenset(),
    ) -> None:
        self.tables = legality.tables
        self.at = legality.at
        self.orders = orders
        self.target: dict[int, int] = {}
        """The destination of each unit that moves."""
        self.movers: dict[int, list[int]] = {}
        """The units that move to each province, in ascending order."""
        self.support_orders: list[CompiledOrder] = []
        """The orders to support."""
        self.supporters: dict[int, list[int]] = {}
        """The units that support each unit in its order."""
        self.by_convoy: list[int] = []
        """The armies that are ordered to go by convoy; without one, they stay."""
        self.convoy_fleets: dict[int, list[int]] = {}
        """The fleets that convoy each army that moves by convoy."""
        self.routes: dict[int, tuple[int, ...]] = {}
        """The seas that an army names as the route of its convoy."""
        self.unmatched: dict[int, Unmatched | NoConvoy] = {}
        """Supports, convoys and convoyed moves without a matching order, and why."""
        self._fleets: list[int] = []
        self._read()
        self._match(legality, rules, by_land)

    def _read(self) -> None:
        """Sort the orders by their type."""
        target, movers, supports = self.target, self.movers, self.support_orders
        for unit, compiled in self.orders.items():
            kind = type(compiled.order)
            if kind is Move:
                to = target[unit] = compiled.target
                if to in movers:
                    insort(movers[to], unit)
                else:
                    movers[to] = [unit]
            elif kind is SupportMove or kind is SupportHold:
                supports.append(compiled)
            elif kind is Convoy:
                self._fleets.append(unit)
            elif kind is ConvoyedMove:
                self.by_convoy.append(unit)

    def _match(
        self, legality: MovementLegality, rules: Rules, by_land: frozenset[int]
    ) -> None:
        """Match convoys and supports with the orders that they are for."""
        if self.by_convoy:
            self._embark_all(by_land)
        if rules.adjacent_convoy in _BY_INTENT:
            self._read_intents(legality, by_land, rules)
        if self.support_orders:
            match_coasts = rules.support_coast is SupportCoast.MATCHED
            self._match_supports(match_coasts=match_coasts)
        if self._fleets:
            self._match_convoys(by_land)

    def _embark_all(self, by_land: frozenset[int]) -> None:
        index = self.tables.index
        for army in self.by_convoy:
            order, target = self.orders[army].order, self.orders[army].target
            route = None
            if isinstance(order, ConvoyedMove) and order.route is not None:
                route = tuple(index[sea] for sea in order.route)
            if army in by_land or self._embark(army, target, route):
                self.target[army] = target
                insort(self.movers.setdefault(target, []), army)
            else:
                self.unmatched[army] = _NO_CONVOY

    def _embark(self, army: int, target: int, route: tuple[int, ...] | None) -> bool:
        """Put *army* on its fleets, if they have orders that make a route."""
        fleets = [fleet for fleet in self._fleets if self._convoys(fleet, army, target)]
        if route is not None:
            if not all(sea in fleets for sea in route):
                return False
            self.routes[army] = route
            self.convoy_fleets[army] = list(route)
            return True
        if not joined(self.tables, army, target, fleets):
            return False
        self.convoy_fleets[army] = fleets
        return True

    def _convoys(self, fleet: int, army: int, target: int) -> bool:
        order = self.orders[fleet]
        return order.supported_province == army and order.target == target

    def _read_intents(
        self, legality: MovementLegality, by_land: frozenset[int], rules: Rules
    ) -> None:
        """Embark armies that fleets of their own power convoy (4.A.3)."""
        anywhere = rules.adjacent_convoy is AdjacentConvoy.OWN_FLEET
        for army, target in self.target.items():
            if (
                self.at[army].army
                and army not in self.convoy_fleets
                and army not in by_land
                and (anywhere or self.target.get(target) == army)
                and self._is_convoyed_by_its_own(army, legality.seas)
            ):
                self._embark(army, target, None)

    def _is_convoyed_by_its_own(self, army: int, seas: frozenset[int]) -> bool:
        target = self.target[army]
        return any(
            self._convoys(fleet, army, target)
            and self.at[fleet].power == self.at[army].power
            and is_useful(self.tables, army, target, seas, fleet)
            for fleet in self._fleets
        )

    def _match_supports(self, *, match_coasts: bool) -> None:
        """List who supports whom; a named coast must be that of the move (4.B.4)."""
        target, supporters = self.target, self.supporters
        for order in self.support_orders:
            supported, destination = order.supported_province, order.target
            if destination == supported:
                matched = supported not in target and supported not in self.by_convoy
            else:
                matched = target.get(supported) == destination
            if matched and match_coasts and order.coast is not None:
                matched = self.orders[supported].coast is order.coast
            if not matched:
                self.unmatched[order.province] = self._why_unmatched(order)
            elif supported in supporters:
                supporters[supported].append(order.province)
            else:
                supporters[supported] = [order.province]

    def _match_convoys(self, by_land: frozenset[int]) -> None:
        """List the fleets whose army has no such order, or no complete route."""
        armies = by_land | self.convoy_fleets.keys()
        for fleet in self._fleets:
            order = self.orders[fleet]
            army = order.supported_province
            if army not in armies or self.orders[army].target != order.target:
                self.unmatched[fleet] = self._why_unmatched(order)

    def _why_unmatched(self, order: CompiledOrder) -> Unmatched | NoConvoy:
        """Return why *order* has no effect: its army may have found no convoy."""
        army = order.supported_province
        stays = army in self.by_convoy and army not in self.target
        if stays and self.orders[army].target == order.target:
            return _NO_CONVOY
        return _UNMATCHED


_BY_INTENT = {AdjacentConvoy.INTENT, AdjacentConvoy.OWN_FLEET}
_NO_CONVOY = NoConvoy()
_UNMATCHED = Unmatched()
