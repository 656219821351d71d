"""A board with faulty borders, made one that can be played.

A border that goes one way is made to go both; one that leads to where the unit
cannot stand is closed, or leads to the coasts that have it.
"""

from collections.abc import Iterator, Mapping

from attrs import evolve

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Location, UnitType
from daide_server.board.variant import Variant


def mended(variant: Variant) -> Variant:
    """Return *variant* with borders that go both ways, between places to stand."""
    board_map = variant.map
    borders = {
        standing: dict.fromkeys(_ends(board_map, standing))
        for standing in board_map.neighbours
    }
    for (kind, at), places in borders.items():
        for place in places:
            borders[kind, place].setdefault(at)
    return evolve(
        variant, map=evolve(board_map, neighbours=_sorted(board_map, borders))
    )


def _ends(board_map: Map, standing: MapNode) -> Iterator[Location]:
    kind, at = standing
    for place in board_map.neighbours[standing]:
        if board_map.can_stand(kind, place):
            yield place
        elif kind is UnitType.FLEET:
            coasts = board_map.coasts.get(place.province, ())
            ends = (Location(place.province, coast) for coast in coasts)
            yield from (end for end in ends if at in board_map.neighbours[kind, end])


def _sorted(
    board_map: Map, borders: Mapping[MapNode, Mapping[Location, None]]
) -> dict[MapNode, tuple[Location, ...]]:
    return {
        standing: tuple(sorted(places, key=lambda at: board_map.index[at.province]))
        for standing, places in borders.items()
    }
