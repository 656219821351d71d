"""Every legal order of a position; what bots choose from."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
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
from .tables import Standing, tables_of


def possible_orders(
    ground: Map, position: Position
) -> Mapping[Unit, tuple[Order, ...]]:
    """Return the legal orders of each unit that may be ordered in this turn.

    In an adjustment turn those are the units that could be built or removed; see
    `possible_adjustments` for the powers' choices, waived builds among them.
    Convoyed moves leave the route open.
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
        self._legality = MovementLegality(tables, position.units)
        self._places = [Location(province) for province in tables.provinces]
        self._comers: dict[int, list[tuple[Standing, bool]]] = defaultdict(list)
        """Who may come to each province, and whether only by convoy."""
        for unit in self._legality.standings:
            for target in unit.near:
                self._comers[target].append((unit, False))
            if unit.army:
                for target in self._legality.waters.reach(unit.province) - unit.near:
                    self._comers[target].append((unit, True))

    def orders(self) -> dict[Unit, tuple[Order, ...]]:
        """Return the orders of each unit."""
        standings = self._legality.standings
        at = {unit.province: unit.unit for unit in standings}
        convoys = self._convoys()
        return {
            unit.unit: (
                Hold(unit.unit),
                *(Move(unit.unit, to) for to in unit.reach),
                *self._convoyed_moves(unit),
                *(SupportHold(unit.unit, at[near]) for near in unit.near if near in at),
                *self._supported_moves(unit),
                *(
                    Convoy(unit.unit, army, to)
                    for army, to in (convoys if unit.at_sea else ())
                ),
            )
            for unit in standings
        }

    def _convoyed_moves(self, unit: Standing) -> Iterator[Order]:
        if unit.army:
            for target in self._legality.waters.reach(unit.province):
                yield ConvoyedMove(unit.unit, self._places[target], None)

    def _supported_moves(self, unit: Standing) -> Iterator[Order]:
        supporter, reach = unit.unit, self._legality.waters.reach
        for target in unit.near:
            place = self._places[target]
            for comer, over_sea in self._comers[target]:
                if comer is unit:
                    continue
                by_sea = unit.province if over_sea and unit.at_sea else -1
                if by_sea < 0 or target in reach(comer.province, by_sea):
                    yield SupportMove(supporter, comer.unit, place)

    def _convoys(self) -> list[tuple[Unit, Location]]:
        reach = self._legality.waters.reach
        return [
            (army.unit, self._places[target])
            for army in self._legality.standings
            if army.army
            for target in reach(army.province)
        ]
