"""A picture of any map without a geometry: provinces are discs, borders are lines.

The distance of two discs approximates the number of moves between the provinces: the
graph drawing of Kamada and Kawai (1989), by stress majorization (Gansner, Koren and
North, 2004). No step is random: a map always gives the same picture.
"""

import math
from collections.abc import Mapping
from itertools import combinations

from daide_server.board.map import Map
from daide_server.board.names import Province

from .board_layout import push_apart
from .picture import Picture, Point, Polyline, between, plus

_Near = Mapping[Province, tuple[Province, ...]]
"""The neighbours of each province, in the order of the map."""

STEP = 92.0
"""The wanted distance of neighbours."""
RADIUS = 31.0
"""The radius of a disc."""
APART = 2 * RADIUS + 6
"""The least distance of any two provinces."""
MARGIN = 70.0
ROUNDS = 60
"""The iterations of the layout, then those that separate overlapping discs."""
CORNERS = 16
"""The corners of a disc, which is drawn as a polygon."""
UNIT_OFFSET = (0.0, -8.0)
"""The offsets from the middle of a disc to its unit, to one at a coast, name and
centre."""
COAST_OFFSET = (11.0, -8.0)
NAME_OFFSET = (0.0, 16.0)
CENTRE_OFFSET = (-23.0, -4.0)
FAR_STEPS = 12
"""The distance, in moves, of provinces without a path between them."""


def schematic(board_map: Map) -> Picture:
    """Return the schematic picture of *board_map*."""
    index, near = board_map.index, _near(board_map)
    spots = _layout(near)
    arcs = tuple(_disc(spots[place]) for place in board_map.provinces)
    width, height = (
        max(spot[axis] for spot in spots.values()) + MARGIN for axis in range(2)
    )
    return Picture(
        width=width,
        height=height,
        arcs=arcs,
        faces={place: ((number,),) for number, place in enumerate(board_map.provinces)},
        voids=(),
        islands=(),
        lakes=(),
        units={
            at: plus(spots[at.province], COAST_OFFSET if at.coast else UNIT_OFFSET)
            for at in board_map.locations.values()
        },
        names={place: plus(spots[place], NAME_OFFSET) for place in board_map.provinces},
        centres={
            place: plus(spots[place], CENTRE_OFFSET)
            for place in sorted(board_map.centres)
        },
        links=tuple(
            (one, other)
            for one in near
            for other in near[one]
            if index[one] < index[other]
        ),
        follows={},
    )


def _near(board_map: Map) -> _Near:
    """Return the neighbours of each province for any unit; borders count both ways."""
    found: dict[Province, set[Province]] = {
        place: set() for place in board_map.provinces
    }
    for (_, at), places in board_map.neighbours.items():
        for to in places:
            if to.province != at.province:
                found[at.province].add(to.province)
                found[to.province].add(at.province)
    return {
        place: tuple(sorted(near, key=board_map.index.__getitem__))
        for place, near in found.items()
    }


def _layout(near: _Near) -> dict[Province, Point]:
    """Return the middles of the discs, all within the picture."""
    moves = _distances(near)
    spots = _on_circle(near)
    for _ in range(ROUNDS):
        spots = {place: _improved(place, spots, moves[place]) for place in spots}
    for _ in range(ROUNDS):
        spots = _separated(spots)
    left, top = (min(spot[axis] for spot in spots.values()) for axis in range(2))
    return {at: plus(spot, (MARGIN - left, MARGIN - top)) for at, spot in spots.items()}


def _on_circle(near: _Near) -> dict[Province, Point]:
    """Return the provinces around a circle, in the order of a depth-first search."""
    order, waiting = list[Province](), [*near][::-1]
    while waiting:
        place = waiting.pop()
        if place not in order:
            order.append(place)
            waiting += reversed(near[place])
    turn = 2 * math.pi / len(order)
    radius = STEP * math.sqrt(len(order))
    return {
        place: (math.cos(number * turn) * radius, math.sin(number * turn) * radius)
        for number, place in enumerate(order)
    }


def _distances(near: _Near) -> dict[Province, dict[Province, int]]:
    """Return the numbers of moves from each province to each other."""
    found = {}
    for start in near:
        moves, waiting = {start: 0}, [start]
        for place in waiting:
            for other in near[place]:
                if other not in moves:
                    moves[other] = moves[place] + 1
                    waiting.append(other)
        found[start] = {at: moves.get(at, FAR_STEPS) for at in near}
    return found


def _improved(
    place: Province, spots: Mapping[Province, Point], moves: Mapping[Province, int]
) -> Point:
    """Return the position of *place* that has the least stress, the others fixed.

    Each other province has a weight of 1 over the square of its distance in moves.
    """
    x = y = total = 0.0
    here = spots[place]
    for other, there in spots.items():
        if other == place:
            continue
        apart = math.dist(here, there) or 1.0
        wish = between(there, here, moves[other] * STEP / apart)
        weight = moves[other] ** -2
        x, y, total = x + wish[0] * weight, y + wish[1] * weight, total + weight
    return (x / total, y / total) if total else here


def _separated(spots: Mapping[Province, Point]) -> dict[Province, Point]:
    """Return *spots* with those nearer than `APART` moved away from each other."""
    found = dict(spots)
    for one, other in combinations(spots, 2):
        short = APART - math.dist(found[one], found[other])
        if short > 0:
            push_apart(found, one, other, short)
    return found


def _disc(at: Point) -> Polyline:
    """Return the closed outline of the disc around *at*."""
    turn = 2 * math.pi / CORNERS
    corners = tuple(
        plus(at, (math.cos(n * turn) * RADIUS, math.sin(n * turn) * RADIUS))
        for n in range(CORNERS)
    )
    return (*corners, corners[0])
