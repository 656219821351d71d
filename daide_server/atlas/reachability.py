"""The provinces that units can reach in any number of turns on an empty board.

Convoys count: an army can get from a coast to each other coast of the same water, a
connected set of sea provinces.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from daide_server.board.map import Map, MapNode, Terrain
from daide_server.board.names import Location, Province, UnitType
from daide_server.board.variant import Variant

_T = TypeVar("_T")


def connected(board_map: Map) -> list[frozenset[Province]]:
    """Return the connected components of the map; each border counts both ways."""
    near: dict[Province, set[Province]] = {each: set() for each in board_map.provinces}
    for (_, at), places in board_map.neighbours.items():
        for place in places:
            near[at.province].add(place.province)
            near[place.province].add(at.province)
    return list(_components(near))


def within_reach(variant: Variant) -> frozenset[Province]:
    """Return the provinces that the units at the start or built at home can reach."""
    board_map = variant.map
    starts: set[MapNode] = {(unit.type, unit.location) for unit in variant.start.units}
    homes = {
        home
        for power in board_map.powers
        for home in board_map.homes[power]
        if variant.start.owners.get(home) == power
    }
    starts |= {(kind, at) for kind, at in board_map.neighbours if at.province in homes}
    return frozenset(at.province for _, at in _reached(board_map, starts))


def _reached(board_map: Map, starts: Iterable[MapNode]) -> set[MapNode]:
    """Return the nodes that moves and convoys lead to from *starts*."""
    steps: dict[MapNode, set[MapNode]] = {
        (kind, at): {(kind, place) for place in places}
        for (kind, at), places in board_map.neighbours.items()
    }
    for shore in _shores(board_map):
        armies = {
            (UnitType.ARMY, Location(province))
            for province in shore
            if board_map.can_stand(UnitType.ARMY, Location(province))
        }
        for army in armies:
            steps[army] |= armies
    return _closure(set(starts), steps)


def _shores(board_map: Map) -> Iterator[set[Province]]:
    """Yield the coastal provinces around each water."""
    near: dict[Province, set[Province]] = {}
    for (kind, at), places in board_map.neighbours.items():
        if kind is UnitType.FLEET and board_map.terrain[at.province] is Terrain.SEA:
            near[at.province] = {place.province for place in places}
    seas = {sea: around & near.keys() for sea, around in near.items()}
    for water in _components(seas):
        yield {place for sea in water for place in near[sea]} - near.keys()


def _components(steps: Mapping[_T, set[_T]]) -> Iterator[frozenset[_T]]:
    """Yield the connected components of an undirected graph."""
    unvisited = set(steps)
    while unvisited:
        component = _closure({next(iter(unvisited))}, steps)
        unvisited -= component
        yield frozenset(component)


def _closure(found: set[_T], steps: Mapping[_T, set[_T]]) -> set[_T]:
    """Add to *found* all that can be reached from it; return it."""
    pending = list(found)
    while pending:
        for place in steps.get(pending.pop(), set()) - found:
            found.add(place)
            pending.append(place)
    return found
