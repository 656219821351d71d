"""Where units can get to, in any number of turns, if nobody stands in the way.

Armies are convoyed between any two coasts of one water: stretches of sea that
fleets can cross without touching land.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from daide_server.board.map import Map, MapNode, Terrain
from daide_server.board.names import Location, Province, UnitType
from daide_server.board.variant import Variant

_T = TypeVar("_T")


def connected(board_map: Map) -> list[frozenset[Province]]:
    """Return the parts of the map that hang together, by any border either way."""
    near: dict[Province, set[Province]] = {each: set() for each in board_map.provinces}
    for (_, at), places in board_map.neighbours.items():
        for place in places:
            near[at.province].add(place.province)
            near[place.province].add(at.province)
    return list(_parts(near))


def within_reach(variant: Variant) -> frozenset[Province]:
    """Return where units that start, or can be built at home, can ever come."""
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
    return _spread(set(starts), steps)


def _shores(board_map: Map) -> Iterator[set[Province]]:
    """Yield the provinces at the shore of each water."""
    near: dict[Province, set[Province]] = {}
    for (kind, at), places in board_map.neighbours.items():
        if kind is UnitType.FLEET and board_map.terrain[at.province] is Terrain.SEA:
            near[at.province] = {place.province for place in places}
    seas = {sea: around & near.keys() for sea, around in near.items()}
    for water in _parts(seas):
        yield {place for sea in water for place in near[sea]} - near.keys()


def _parts(steps: Mapping[_T, set[_T]]) -> Iterator[frozenset[_T]]:
    """Yield the parts that hang together."""
    left = set(steps)
    while left:
        part = _spread({next(iter(left))}, steps)
        left -= part
        yield frozenset(part)


def _spread(found: set[_T], steps: Mapping[_T, set[_T]]) -> set[_T]:
    """Return *found* with all that can be reached from there."""
    ahead = list(found)
    while ahead:
        for place in steps.get(ahead.pop(), set()) - found:
            found.add(place)
            ahead.append(place)
    return found
