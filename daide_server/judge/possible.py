"""Every legal order of a position; what bots choose from."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from daide_server.board.position import Position
from daide_server.board.turns import Phase

from .movement_legality import MovementLegality
from .standings import Standing
from .tables import tables_of


def possible_orders(
    ground: Map, position: Position
) -> Mapping[Unit, tuple[Order, ...]]:
    """Return the legal orders of each unit that may be ordered in this turn.

    In an adjustment turn those are the units that could be built or removed; see
    `possible_adjustments` for the powers' choices, waived builds among them.
    Convoyed moves leave the route open, and a convoy is listed for the fleets that
    can have a part in it.
    """
    match position.turn.phase:
        case Phase.MOVEMENT:
            return _Movements(ground, position).orders()
        case Phase.RETREATS:
            return {
                unit: (*(Retreat(unit, at) for at in places), Disband(unit))
                for unit, places in position.dislodged.items()
            }
        case Phase.ADJUSTMENTS:
            return {
                order.unit: (order,)
                for choices in possible_adjustments(ground, position).values()
                for order in choices
                if not isinstance(order, Waive)
            }


def possible_adjustments(
    ground: Map, position: Position
) -> Mapping[Power, tuple[Build | Remove | Waive, ...]]:
    """Return the builds, removals and waives that each power may order."""
    occupied = {unit.province for unit in position.units}
    found: dict[Power, tuple[Build | Remove | Waive, ...]] = {}
    for power in ground.powers:
        surplus = position.surplus(power)
        if surplus < 0:
            found[power] = tuple(map(Remove, position.units_of(power)))
        elif surplus > 0:
            sites = [
                home
                for home in ground.provinces
                if home in ground.homes[power]
                and position.owners.get(home) == power
                and home not in occupied
            ]
            builds = (
                unit for home in sites for unit in _buildable(ground, power, home)
            )
            found[power] = (*map(Build, builds), Waive(power))
    return found


def _buildable(ground: Map, power: Power, home: Province) -> Iterator[Unit]:
    coasts: Sequence[Coast | None] = (None, *ground.coasts.get(home, ()))
    for unit_type in UnitType:
        for coast in coasts:
            at = ground.locations.get((home, coast))
            if at is not None and ground.can_stand(unit_type, at):
                yield ground.unit(power, unit_type, at)


class _Movements:
    """The orders of a movement turn: who may go where, then who may help whom."""

    def __init__(self, ground: Map, position: Position) -> None:
        tables = tables_of(ground)
        legality = MovementLegality(tables, position.units)
        self._standings = list(legality.at.values())
        self._waters = legality.waters
        self._places = [Location(province) for province in tables.provinces]
        self._at = {unit.province: unit.unit for unit in self._standings}
        self._by_land: dict[int, list[Unit]] = defaultdict(list)
        self._by_sea: dict[int, list[Standing]] = defaultdict(list)
        """Who may come to each province, and who only over sea."""
        self._carried: dict[frozenset[int], tuple[list[Unit], list[Location]]] = {}
        for unit in self._standings:
            for target in unit.near:
                self._by_land[target].append(unit.unit)
            if unit.army:
                for target in self._waters.reach(unit.province) - unit.near:
                    self._by_sea[target].append(unit)

    def orders(self) -> dict[Unit, tuple[Order, ...]]:
        """Return the orders of each unit."""
        return {standing.unit: self._orders(standing) for standing in self._standings}

    def _orders(self, standing: Standing) -> tuple[Order, ...]:
        unit, at = standing.unit, self._at
        found: list[Order] = [*standing.alone]
        if standing.army:
            reach = self._waters.reach(standing.province)
            found += [ConvoyedMove(unit, self._places[to], None) for to in reach]
        found += [SupportHold(unit, at[near]) for near in standing.near if near in at]
        for target in standing.near:
            place = self._places[target]
            found += [
                SupportMove(unit, other, place)
                for other in self._comers(target, standing)
                if other is not unit
            ]
        if standing.at_sea:
            found += map(Convoy, repeat(unit), *self._convoys(standing.province))
        return tuple(found)

    def _comers(self, target: int, supporter: Standing) -> list[Unit]:
        """Return who may come to *target* without the help of the supporter."""
        by_sea = self._by_sea.get(target)
        if by_sea is None:
            return self._by_land[target]
        reach = self._waters.reach
        sea = supporter.province if supporter.at_sea else -1
        over_sea = [unit.unit for unit in by_sea if target in reach(unit.province, sea)]
        return self._by_land[target] + over_sea

    def _convoys(self, sea: int) -> tuple[list[Unit], list[Location]]:
        """Return the armies, and where to, that a fleet in *sea* may help to carry."""
        shores = self._waters.shores[sea]
        known = self._carried.get(shores)
        if known is None:
            moves = [
                (army.unit, self._places[to])
                for army in self._standings
                if army.army and army.province in shores
                for to in shores
                if to != army.province
            ]
            known = [army for army, _ in moves], [to for _, to in moves]
            self._carried[shores] = known
        return known
