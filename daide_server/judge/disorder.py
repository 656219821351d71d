"""Civil disorder: which units leave when a power removes too few (4.D.8).

Ties are by name, as other programs spell it (`board.common_names`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from daide_server.board.common_names import province_spelling
from daide_server.board.map import MAPS_KEPT, Map
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.position import Position

from .rules import CivilDisorder

_Node = TypeVar("_Node", Province, Location)

_UNREACHABLE: Final = 1 << 16

_Urgency = Callable[[Unit], tuple[int, int, str]]


def by_urgency(
    board_map: Map, position: Position, power: Power, policy: CivilDisorder
) -> list[Unit]:
    """Return the units of *power*, those that are removed first in front."""
    urgency = _URGENCY[policy](board_map, position, power)
    return sorted(position.units_of(power), key=urgency)


def _from_home_centres(board_map: Map, _position: Position, power: Power) -> _Urgency:
    homes, spelled = board_map.homes[power], province_spelling(board_map)

    def urgency(unit: Unit) -> tuple[int, int, str]:
        name = spelled.get(unit.province, unit.province)
        if unit.type is UnitType.FLEET:
            return -_distance_by_sea(board_map, unit, homes), 0, name
        return -_distance_over_borders(board_map, unit, homes), 1, name

    return urgency


def _over_any_border(board_map: Map, _position: Position, power: Power) -> _Urgency:
    homes = board_map.homes[power]

    def urgency(unit: Unit) -> tuple[int, int, str]:
        return (
            -_distance_over_borders(board_map, unit, homes),
            -board_map.index[unit.province],
            "",
        )

    return urgency


def _from_owned_centres(board_map: Map, position: Position, power: Power) -> _Urgency:
    # A home centre without owner is still its power's. In play each of them
    # has an owner; positions that are set up may leave some out (DATC 6.J.2).
    untaken = board_map.homes[power].difference(position.owners)
    owned = {*position.centres_of(power), *untaken}
    spelled = province_spelling(board_map)

    def urgency(unit: Unit) -> tuple[int, int, str]:
        is_army = int(unit.type is UnitType.ARMY)
        name = spelled.get(unit.province, unit.province)
        return -_distance_over_borders(board_map, unit, owned), is_army, name

    return urgency


_URGENCY: Final[Mapping[CivilDisorder, Callable[[Map, Position, Power], _Urgency]]] = {
    CivilDisorder.HOME_CENTRES: _from_home_centres,
    CivilDisorder.ANY_BORDER: _over_any_border,
    CivilDisorder.OWNED_CENTRES: _from_owned_centres,
}


def _distance_by_sea(board_map: Map, fleet: Unit, goals: Collection[Province]) -> int:
    """Return how many moves take *fleet* to the nearest of *goals*."""
    ends = {at for (_, at) in board_map.neighbours if at.province in goals}
    return _distance(fleet.location, ends, _sailing(board_map))


def _distance_over_borders(
    board_map: Map, unit: Unit, goals: Collection[Province]
) -> int:
    """Return how many borders lie between the unit and the nearest of *goals*."""
    return _distance(unit.province, goals, _borders(board_map))


def _distance(
    start: _Node, goals: Collection[_Node], edges: Mapping[_Node, Iterable[_Node]]
) -> int:
    """Return the edges between *start* and the nearest goal, breadth first."""
    steps, visited, frontier = 0, {start}, {start}
    while frontier:
        if not frontier.isdisjoint(goals):
            return steps
        steps += 1
        frontier = {ahead for node in frontier for ahead in edges[node]} - visited
        visited |= frontier
    return _UNREACHABLE


@lru_cache(MAPS_KEPT)
def _sailing(board_map: Map) -> Mapping[Location, Iterable[Location]]:
    return {
        at: near
        for (unit_type, at), near in board_map.neighbours.items()
        if unit_type is UnitType.FLEET
    }


@lru_cache(MAPS_KEPT)
def _borders(board_map: Map) -> Mapping[Province, set[Province]]:
    """Return the neighbours of each province, for any unit."""
    found: dict[Province, set[Province]] = {at: set() for at in board_map.provinces}
    for (_, at), near in board_map.neighbours.items():
        found[at.province].update(place.province for place in near)
    return found
