"""Repair of faulty borders, so that a board can be played.

A one-way border becomes two-way. A border to where the unit cannot stand is removed,
or leads to the coasts of that province from which the way back exists.
"""

from collections.abc import Iterator, Mapping

from attrs import evolve

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Location, UnitType
from daide_server.board.variant import Variant


def repaired(variant: Variant) -> Variant:
    """Return *variant* with two-way borders between nodes that exist."""
    board_map = variant.map
    borders = {
        node: dict.fromkeys(_destinations(board_map, node))
        for node in board_map.neighbours
    }
    for (kind, at), places in borders.items():
        for place in places:
            borders[kind, place].setdefault(at)
    return evolve(
        variant, map=evolve(board_map, neighbours=_sorted(board_map, borders))
    )


def _destinations(board_map: Map, node: MapNode) -> Iterator[Location]:
    """Yield the neighbours of *node* where the unit can stand."""
    kind, at = node
    for place in board_map.neighbours[node]:
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
        node: tuple(sorted(places, key=lambda at: board_map.index[at.province]))
        for node, places in borders.items()
    }
