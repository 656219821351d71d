"""Every legal order of a position; what bots choose from.

Legal is what `movement_legality` accepts (DATC chapter 3): tests compare the two.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from daide_server.board.map import Map
from daide_server.board.names import Coast, Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Disband, Order, Remove, Retreat, Waive
from daide_server.board.position import Position
from daide_server.board.turns import Phase

from .convoys import FleetChains
from .map_tables import tables_of
from .movement_legality import MovementLegality
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
    match position.turn.phase:
        case Phase.MOVEMENT:
            return _MovementOrders(board_map, position).orders()
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


class _MovementOrders:
    """The orders of a movement turn: moves, then supports, then convoys."""

    def __init__(self, board_map: Map, position: Position) -> None:
        tables = tables_of(board_map)
        legality = MovementLegality(tables, position.units)
        self._choices = tables.choices
        self._units = list(legality.at.values())
        self._armies = [placed for placed in self._units if placed.army]
        self._chains = FleetChains(tables, legality.seas)
        landing: dict[int, list[PlacedUnit]] = {}
        for army in self._armies:
            for to in self._chains.reach(army.province) - army.near:
                landing.setdefault(to, []).append(army)
        self._landing = {to: tuple(armies) for to, armies in landing.items()}
        """The armies that may land in each province and cannot walk there."""

    def orders(self) -> dict[Unit, tuple[Order, ...]]:
        """Return the orders of each unit."""
        return {placed.unit: self._orders(placed) for placed in self._units}

    def _orders(self, placed: PlacedUnit) -> tuple[Order, ...]:
        choices = self._choices[placed]
        found: list[Order] = [*choices.alone]
        if placed.army:
            found += choices.land[self._chains.reach(placed.province)]
        support = choices.support.__getitem__
        found += chain.from_iterable(map(support, self._units))
        for to in placed.near:
            if to in self._landing:
                armies = self._landing[to]
                if placed.at_sea:
                    armies = self._without(placed, armies, to)
                found += choices.support_landings[to, armies]
        if placed.at_sea:
            coasts = self._chains.coasts[placed.province]
            for army in self._armies:
                if army.province in coasts:
                    found += choices.convoy[army, coasts]
        return tuple(found)

    def _without(
        self, fleet: PlacedUnit, armies: tuple[PlacedUnit, ...], to: int
    ) -> tuple[PlacedUnit, ...]:
        """Return which of *armies* may land in *to* without a convoy by *fleet*."""
        reach, sea = self._chains.reach, fleet.province
        return tuple(army for army in armies if to in reach(army.province, sea))
