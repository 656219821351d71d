"""Every legal order of a position; what bots choose from.

Legal is what `movement_legality` accepts (DATC chapter 3): tests compare the two.
`possible_orders` has them all, `order_choices` makes those that are asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from daide_server.board.map import Map
from daide_server.board.names import Coast, Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Disband, Order, Remove, Retreat, Waive
from daide_server.board.position import Position
from daide_server.board.turns import Phase

from .convoys import FleetChains
from .lazy import lazy
from .map_tables import tables_of
from .movement_legality import MovementLegality
from .order_lists import (
    Convoys,
    Landings,
    PossibleOrders,
    SupportedLandings,
    Supports,
)
from .placed_units import PlacedUnit
from .sites import free_homes


def possible_orders(
    board_map: Map, position: Position
) -> Mapping[Unit, tuple[Order, ...]]:
    """Return the legal orders of each unit that may be ordered in this turn.

    In an adjustment turn those are the units that could be built or removed; see
    `possible_adjustments` for the powers' choices, waived builds among them.
    Convoyed moves leave the route open, and a convoy is listed for the fleets that
    can have a part in it.
    """
    choices = order_choices(board_map, position)
    return {unit: tuple(orders) for unit, orders in choices.items()}


def order_choices(board_map: Map, position: Position) -> Mapping[Unit, Sequence[Order]]:
    """Return what `possible_orders` returns, in lists that make an order when asked.

    Their lengths are known at once. Who needs an order or two of some units waits a
    fifth of the time.
    """
    match position.turn.phase:
        case Phase.MOVEMENT:
            return _MovementChoices(board_map, position)
        case Phase.RETREATS:
            return {
                unit: (*(Retreat(unit, at) for at in places), Disband(unit))
                for unit, places in position.dislodged.items()
            }
        case Phase.ADJUSTMENTS:
            return {
                order.unit: (order,)
                for choices in possible_adjustments(board_map, position).values()
                for order in choices
                if not isinstance(order, Waive)
            }


def possible_adjustments(
    board_map: Map, position: Position
) -> Mapping[Power, tuple[Build | Remove | Waive, ...]]:
    """Return the builds, removals and waives that each power may order."""
    found: dict[Power, tuple[Build | Remove | Waive, ...]] = {}
    for power in board_map.powers:
        surplus = position.surplus(power)
        if surplus < 0:
            found[power] = tuple(map(Remove, position.units_of(power)))
        elif surplus > 0:
            sites = free_homes(board_map, position, power)
            builds = (
                unit for home in sites for unit in _buildable(board_map, power, home)
            )
            found[power] = (*map(Build, builds), Waive(power))
    return found


def _buildable(board_map: Map, power: Power, home: Province) -> Iterator[Unit]:
    coasts: Sequence[Coast | None] = (None, *board_map.coasts.get(home, ()))
    for unit_type in UnitType:
        for coast in coasts:
            at = board_map.locations.get((home, coast))
            if at is not None and board_map.can_stand(unit_type, at):
                yield board_map.unit(power, unit_type, at)


class _MovementChoices(Mapping[Unit, PossibleOrders]):
    """The possible orders of each unit of a movement turn, found when asked for."""

    def __init__(self, board_map: Map, position: Position) -> None:
        tables = tables_of(board_map)
        self._legality = MovementLegality(tables, position.units)
        self._choices = tables.choices
        self._units = list(self._legality.at.values())
        self._armies = [placed for placed in self._units if placed.army]
        self._chains = FleetChains(tables, self._legality.seas)
        self._by_unit = {placed.unit: placed for placed in self._units}
        # One call for all units takes a third of the time of `map`. It needs two
        # numbers, or does not return a tuple; in the end there are no supports.
        nodes = [placed.node.number for placed in self._units]
        self._for_nodes = itemgetter(*nodes, -1, -1)

    def __getitem__(self, unit: Unit) -> PossibleOrders:
        """Return the orders of *unit*: its moves, then supports, then convoys."""
        placed = self._by_unit[unit]
        own = self._choices[placed]
        counts = self._for_nodes(own.supports.counts)
        supports = Supports(own, self._units, counts)
        if not self._chains.occupied:
            return PossibleOrders(own.alone, (supports,))
        landing, landings = self._landing, []
        for to in placed.near:
            if to in landing:
                armies = self._supported(placed, to) if placed.at_sea else landing[to]
                landings.append(SupportedLandings(own, to, armies))
        if placed.army:
            moves = Landings(own, self._chains.reach(placed.province))
            return PossibleOrders(own.alone, (moves, supports, *landings))
        if placed.at_sea:
            coasts = self._chains.coasts[placed.province]
            convoys = Convoys(own, *self._carried[coasts])
            return PossibleOrders(own.alone, (supports, *landings, convoys))
        return PossibleOrders(own.alone, (supports, *landings))

    def __iter__(self) -> Iterator[Unit]:
        return iter(self._by_unit)

    def __len__(self) -> int:
        return len(self._units)

    @lazy
    def _landing(self) -> Mapping[int, tuple[PlacedUnit, ...]]:
        """The armies that may land in each province and cannot walk there."""
        found: dict[int, list[PlacedUnit]] = {}
        if self._chains.occupied:
            for army in self._armies:
                for to in self._chains.reach(army.province) - army.near:
                    found.setdefault(to, []).append(army)
        return {to: tuple(armies) for to, armies in found.items()}

    @lazy
    def _carried(self) -> Mapping[frozenset[int], tuple[list[PlacedUnit], list[int]]]:
        """The armies at the coasts that each chain of fleets joins, and the coasts."""
        return {
            coasts: (
                [army for army in self._armies if army.province in coasts],
                sorted(coasts),
            )
            for coasts in set(self._chains.coasts.values())
        }

    def _supported(self, fleet: PlacedUnit, to: int) -> tuple[PlacedUnit, ...]:
        """Return the armies that may land in *to* with the support of *fleet*.

        Who supports an army does not carry it.
        """
        reach, sea = self._chains.reach, fleet.province
        armies = self._landing[to]
        return tuple([army for army in armies if to in reach(army.province, sea)])
