"""Where units can get to, in any number of turns, if nobody stands in the way.

Armies are convoyed between any two coasts of one water: stretches of sea that
fleets can cross without touching land.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Location, Province, UnitType
from daide_server.board.variant import Variant

T = TypeVar("T")

Standing = tuple[UnitType, Location]


def connected(ground: Map) -> list[frozenset[Province]]:
    """Return the parts of the map that hang together, by any border either way."""
    near: dict[Province, set[Province]] = {each: set() for each in ground.provinces}
    for (_, at), places in ground.neighbours.items():
        for place in places:
            near[at.province].add(place.province)
            near[place.province].add(at.province)
    return list(_parts(near))


def within_reach(variant: Variant) -> frozenset[Province]:
    """Return where units that start, or can be built at home, can ever come."""
    ground = variant.map
    starts: set[Standing] = {(unit.type, unit.location) for unit in variant.start.units}
    homes = {
        home
        for power in ground.powers
        for home in ground.homes[power]
        if variant.start.owners.get(home) == power
    }
    starts |= {(kind, at) for kind, at in ground.neighbours if at.province in homes}
    return frozenset(at.province for _, at in _reached(ground, starts))


def _reached(ground: Map, starts: Iterable[Standing]) -> set[Standing]:
    steps: dict[Standing, set[Standing]] = {
        (kind, at): {(kind, place) for place in places}
        for (kind, at), places in ground.neighbours.items()
    }
    for shore in _shores(ground):
        armies = {
            (UnitType.ARMY, Location(province))
            for province in shore
            if ground.can_stand(UnitType.ARMY, Location(province))
        }
        for army in armies:
            steps[army] |= armies
    return _spread(set(starts), steps)


def _shores(ground: Map) -> Iterator[set[Province]]:
    """Yield the provinces at the shore of each water."""
    near: dict[Province, set[Province]] = {}
    for (kind, at), places in ground.neighbours.items():
        if kind is UnitType.FLEET and ground.terrain[at.province] is Terrain.SEA:
            near[at.province] = {place.province for place in places}
    seas = {sea: around & near.keys() for sea, around in near.items()}
    for water in _parts(seas):
        yield {place for sea in water for place in near[sea]} - near.keys()


def _parts(steps: Mapping[T, set[T]]) -> Iterator[frozenset[T]]:
    """Yield the parts that hang together."""
    left = set(steps)
    while left:
        part = _spread({next(iter(left))}, steps)
        left -= part
        yield frozenset(part)


def _spread(found: set[T], steps: Mapping[T, set[T]]) -> set[T]:
    """Return *found* with all that can be reached from there."""
    ahead = list(found)
    while ahead:
        for place in steps.get(ahead.pop(), set()) - found:
            found.add(place)
            ahead.append(place)
    return found
