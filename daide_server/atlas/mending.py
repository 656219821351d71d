"""A board with faulty borders, made one that can be played.

A border that goes one way is made to go both; one that leads to where the unit
cannot stand is closed, or leads to the coasts that have it.
"""

from collections.abc import Iterator, Mapping

from attrs import evolve

from daide_server.board.map import Map
from daide_server.board.names import Location, UnitType
from daide_server.board.variant import Variant

Standing = tuple[UnitType, Location]


def mended(variant: Variant) -> Variant:
    """Return *variant* with borders that go both ways, between places to stand."""
    ground = variant.map
    borders = {
        standing: dict.fromkeys(_ends(ground, standing))
        for standing in ground.neighbours
    }
    for (kind, at), places in borders.items():
        for place in places:
            borders[kind, place].setdefault(at)
    return evolve(variant, map=evolve(ground, neighbours=_sorted(ground, borders)))


def _ends(ground: Map, standing: Standing) -> Iterator[Location]:
    kind, at = standing
    for place in ground.neighbours[standing]:
        if ground.can_stand(kind, place):
            yield place
        elif kind is UnitType.FLEET:
            coasts = ground.coasts.get(place.province, ())
            ends = (Location(place.province, coast) for coast in coasts)
            yield from (end for end in ends if at in ground.neighbours[kind, end])


def _sorted(
    ground: Map, borders: Mapping[Standing, Mapping[Location, None]]
) -> dict[Standing, tuple[Location, ...]]:
    return {
        standing: tuple(sorted(places, key=lambda at: ground.index[at.province]))
        for standing, places in borders.items()
    }
