"""Every legal order of a position; what bots choose from.

Legal is what `legality` accepts (DATC chapter 3): tests compare the two.
"""

from collections.abc import Iterator, Mapping, Sequence

from daide_server.board.map import Map, Phase, Position
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Build, Disband, Order, Remove, Retreat, Waive

from .compiled_orders import PlacedUnit
from .fleet_chains import Chain, Landings
from .legality import MovementLegality
from .map_tables import tables_of
from .resolution import free_homes


def possible_orders(
    board_map: Map, position: Position
) -> Mapping[Unit, tuple[Order, ...]]:
    """Return the legal orders of each unit that may be ordered in this turn.

    In an adjustment turn those are the units that could be built or removed; see
    `possible_adjustments` for the powers' choices, waived builds among them.
    Convoyed moves leave the route open, and a convoy is listed for the fleets that
    can have a part in it.
    """
    match position.turn.phase:
        case Phase.MOVEMENT:
            legality = MovementLegality(tables_of(board_map), position.units)
            return dict(MovementOrders(legality).by_unit())
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
            builds = tables_of(board_map).builds
            homes = free_homes(board_map, position, power)
            possible = (order for home in homes for order in builds[power, home])
            found[power] = (*possible, Waive(power))
    return found


class MovementOrders:
    """The possible orders of the units of a movement turn."""

    def __init__(self, legality: MovementLegality) -> None:
        self._choices = legality.tables.choices
        self._units = list(legality.at.values())
        self._at_node = {placed.node.number: placed for placed in self._units}
        self._place = {placed: place for place, placed in enumerate(self._units)}
        self._chains: Mapping[int, Chain] = {}
        """The chain of the fleet in each sea."""
        self._reaches: Mapping[PlacedUnit, Landings] = {}
        """Where fleets may take each army that is at the coast of a chain."""
        if legality.seas:
            self._chains, reach = legality.fleets.at, legality.fleets.reach
            found = ((unit, reach(unit.node)) for unit in self._units if unit.army)
            self._reaches = {army: to for army, to in found if to is not None}

    def by_unit(self) -> Iterator[tuple[Unit, tuple[Order, ...]]]:
        """Yield each unit, in the order of the position, with its possible orders."""
        for placed in self._units:
            yield placed.unit, tuple(self._orders(placed))

    def _orders(self, placed: PlacedUnit) -> list[Order]:
        """Return the orders of a unit: without another unit, supports, convoys."""
        own = self._choices[placed]
        supports, support = own.supports, own.support
        found = [*own.alone]
        if placed in self._reaches:
            found += map(own.land.__getitem__, self._reaches[placed].ordered)
        at_node = self._at_node
        near = map(at_node.__getitem__, supports.near & at_node.keys())
        for other in sorted(near, key=self._place.__getitem__):
            found += [support[other, to] for to in supports.of[other.node.number]]
        found += map(support.__getitem__, self._supported_landings(placed))
        found += map(own.convoy.__getitem__, self._convoys(placed))
        return found

    def _supported_landings(
        self, placed: PlacedUnit
    ) -> Sequence[tuple[PlacedUnit, int]]:
        """Return each landing of an army that the unit may support."""
        node = placed.node
        reaches = self._reaches.items()
        supported = [(army, found) for army, reach in reaches if (found := reach[node])]
        return [
            (army, to) for to in node.near for army, found in supported if to in found
        ]

    def _convoys(self, fleet: PlacedUnit) -> Sequence[tuple[PlacedUnit, int]]:
        """Return each army at the coasts of the fleet's chain, and where it may go."""
        if not fleet.at_sea:
            return ()
        chain = self._chains[fleet.province]
        armies = [army for army in self._reaches if army.province in chain.coasts]
        return [
            (army, to) for army in armies for to in chain.ordered if to != army.province
        ]
