"""The geometry of a map: provinces as faces whose borders are shared arcs.

An arc is a line between two corners of the map and belongs to the one or two faces
beside it, so neighbours share their border exactly, without gaps or overlaps. A face
is made of rings; a ring lists the numbers of its arcs, and `~n` is arc `n` backwards,
as in TopoJSON (specification, 2.1.4 Arc Indexes).

A picture file is a JSON object with the fields of `Picture`, with `size` for width and
height, and `like` alone for the picture of another variant. Points and lines in the
plane of a picture are at the end.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Province
from daide_server.errors import InputError

Point = tuple[float, float]
Polyline = tuple[Point, ...]
Ring = tuple[int, ...]
Border = frozenset[Province]

TENTHS = 10.0
"""Files have coordinates as whole tenths; of lines, the differences of points."""


class PictureError(InputError):
    """The data of a picture is wrong, or of another map; the message says where."""


@frozen(eq=False, slots=False)
class Picture:
    """The geometry of a map.

    `units`, `names` and `centres` are the middle points of the drawn signs. `links` are
    neighbours that share no border in the picture. A province without a supply centre
    has the colour of the one that it `follows`. `islands` and `lakes` are drawn on top
    of provinces and belong to none; `voids` are areas that no unit can enter.
    """

    width: float
    height: float
    arcs: tuple[Polyline, ...]
    faces: Mapping[Province, tuple[Ring, ...]]
    voids: tuple[Ring, ...]
    islands: tuple[Polyline, ...]
    lakes: tuple[Polyline, ...]
    units: Mapping[Location, Point]
    names: Mapping[Province, Point]
    centres: Mapping[Province, Point]
    links: tuple[tuple[Province, Province], ...]
    follows: Mapping[Province, Province]

    @cached_property
    def sides(self) -> tuple[tuple[Province, ...], ...]:
        """The provinces beside each arc: two, or one at a void or the frame."""
        found: list[tuple[Province, ...]] = [()] * len(self.arcs)
        for province, rings in self.faces.items():
            for number in (number for ring in rings for number in ring):
                place = _number(number)
                found[place] = (*found[place], province)
        return tuple(found)

    @cached_property
    def borders(self) -> frozenset[Border]:
        """The pairs of provinces that share an arc."""
        return frozenset(frozenset(pair) for pair in self.sides if len(set(pair)) > 1)

    def outline(self, ring: Ring) -> Polyline:
        """Return the points of *ring*; the first is not repeated at the end."""
        points: list[Point] = []
        for number in ring:
            arc = self.arcs[_number(number)]
            points += (arc if number >= 0 else arc[::-1])[:-1]
        return tuple(points)

    def covers(self, province: Province, at: Point) -> bool:
        """Return whether the point *at* is inside the face of *province*."""
        rings = self._outlines[province]
        return sum(is_inside(ring, at) for ring in rings) % 2 == 1

    @cached_property
    def _outlines(self) -> Mapping[Province, tuple[Polyline, ...]]:
        return {
            place: tuple(map(self.outline, rings))
            for place, rings in self.faces.items()
        }

    def unit_spot(self, location: Location) -> Point:
        """Return the place of a unit at *location*."""
        spot = self.units.get(location)
        return self.units[Location(location.province)] if spot is None else spot


def is_inside(ring: Polyline, at: Point) -> bool:
    """Return whether *at* is inside *ring*: a ray crosses it an odd number of times."""
    x, y = at
    crossings = 0
    for (left, top), (right, bottom) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (top > y) != (bottom > y):
            crossings += x < left + (y - top) * (right - left) / (bottom - top)
    return crossings % 2 == 1


def from_mapping(data: Mapping[str, Any], board_map: Map) -> Picture:
    """Return the picture of *board_map* that *data*, the content of a file, describes.

    Raises `PictureError` where something is missing, wrong, or of another map.
    """
    try:
        picture = _picture(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        message = f"picture of {board_map.name}: {type(error).__name__}: {error}"
        raise PictureError(message) from error
    _check(picture, board_map)
    return picture


def _number(reference: int) -> int:
    """Return the number of the arc that *reference*, `n` or `~n`, means."""
    return reference if reference >= 0 else ~reference


def _picture(data: Mapping[str, Any]) -> Picture:
    width, height = data["size"]
    return Picture(
        width=float(width),
        height=float(height),
        arcs=tuple(map(_line, data["arcs"])),
        faces={
            Province(name): tuple(map(tuple, rings))
            for name, rings in data["faces"].items()
        },
        voids=tuple(map(tuple, data["voids"])),
        islands=tuple(map(_line, data["islands"])),
        lakes=tuple(map(_line, data["lakes"])),
        units={_location(at): _spot(xy) for at, xy in data["units"].items()},
        names={Province(at): _spot(xy) for at, xy in data["names"].items()},
        centres={Province(at): _spot(xy) for at, xy in data["centres"].items()},
        links=tuple((Province(one), Province(other)) for one, other in data["links"]),
        follows={Province(at): Province(to) for at, to in data["follows"].items()},
    )


def _line(steps: Sequence[int]) -> Polyline:
    """Return the points of a line from its first point and differences, in tenths."""
    x = y = 0
    points: list[Point] = []
    for across, down in zip(steps[::2], steps[1::2], strict=True):
        x, y = x + across, y + down
        points.append((x / TENTHS, y / TENTHS))
    return tuple(points)


def _spot(place: Sequence[int]) -> Point:
    x, y = place
    return x / TENTHS, y / TENTHS


def _location(text: str) -> Location:
    name, _, coast = text.partition("/")
    return Location(Province(name), Coast(coast) if coast else None)


def _check(picture: Picture, board_map: Map) -> None:
    """Raise `PictureError` unless the picture has exactly the places of the map."""
    needed: dict[str, tuple[set[object], set[object]]] = {
        "faces": (set(board_map.provinces), set(picture.faces)),
        "names": (set(board_map.provinces), set(picture.names)),
        "centres": (set(board_map.centres), set(picture.centres)),
        "units": (set(board_map.locations.values()), set(picture.units)),
    }
    for key, (expected, found) in needed.items():
        if expected != found:
            wrong = ", ".join(sorted(map(str, expected ^ found)))
            message = f"picture of {board_map.name}: {key}: not as on the map: {wrong}"
            raise PictureError(message)


MAX_FIRST = 0.4
"""The largest share of a line that `trimmed` cuts off its beginning."""
MAX_LAST = 0.6
"""The largest share of the remaining line that `trimmed` cuts off its end."""

STRAIGHT = 2
"""The number of points of a straight line."""


def plus(one: Point, other: Point) -> Point:
    """Return the sum of two points."""
    return one[0] + other[0], one[1] + other[1]


def between(start: Point, end: Point, share: float) -> Point:
    """Return the point at *share* of the way from *start* to *end*."""
    return (
        start[0] + (end[0] - start[0]) * share,
        start[1] + (end[1] - start[1]) * share,
    )


def toward(start: Point, end: Point, distance: float) -> Point:
    """Return the point at *distance* from *start* in the direction of *end*."""
    length = math.dist(start, end)
    return start if length == 0 else between(start, end, distance / length)


def beside(start: Point, end: Point, share: float, aside: float) -> Point:
    """Return the point at *share* of the way, moved *aside* to its right."""
    along = between(start, end, share)
    length = math.dist(start, end) or 1.0
    return (
        along[0] - (end[1] - start[1]) / length * aside,
        along[1] + (end[0] - start[0]) / length * aside,
    )


def length(line: Sequence[Point]) -> float:
    """Return the length of *line*."""
    return sum(map(math.dist, line, line[1:]))


def trimmed(line: Sequence[Point], first: float, last: float) -> Polyline:
    """Return *line* without pieces of the lengths *first* and *last* at its ends.

    A short line keeps its middle part.
    """
    start = _cut(list(line), min(first, length(line) * MAX_FIRST))
    return tuple(_cut(start[::-1], min(last, length(start) * MAX_LAST))[::-1])


def middle(line: Sequence[Point], share: float = 0.5) -> Point:
    """Return the point at *share* of the length of *line*."""
    return _cut(list(line), length(line) * share)[0]


def curve(points: Sequence[Point], steps: int = 12) -> Polyline:
    """Return a smooth line through *points*: a Catmull-Rom spline."""
    if len(points) <= STRAIGHT:
        return tuple(points)
    padded = (points[0], *points, points[-1])
    found = [points[0]]
    for place in range(len(points) - 1):
        stretch = padded[place : place + 4]
        found += [_on_curve(stretch, step / steps) for step in range(1, steps + 1)]
    return tuple(found)


def bow(start: Point, end: Point, bulge: float, steps: int = 12) -> Polyline:
    """Return a parabola from *start* to *end*, *bulge* of their distance high."""
    aside = math.dist(start, end) * bulge
    return tuple(
        beside(
            start, end, step / steps, 4 * aside * (step / steps) * (1 - step / steps)
        )
        for step in range(steps + 1)
    )


def simplified(line: Polyline, tolerance: float) -> Polyline:
    """Return *line* with fewer points, none of it further off than *tolerance*.

    The ends stay (Ramer, 1972; Douglas and Peucker, 1973).
    """
    kept, waiting = {0, len(line) - 1}, [(0, len(line) - 1)]
    while waiting:
        first, last = waiting.pop()
        inner = range(first + 1, last)
        if not inner:
            continue
        ends = line[first], line[last]
        farthest = max(inner, key=lambda place: _distance(line[place], ends))
        if _distance(line[farthest], ends) > tolerance:
            kept.add(farthest)
            waiting += [(first, farthest), (farthest, last)]
    return tuple(line[place] for place in sorted(kept))


def _distance(at: Point, ends: tuple[Point, Point]) -> float:
    """Return the distance of *at* from the line between *ends*."""
    (x, y), (to_x, to_y) = ends
    across, down = to_x - x, to_y - y
    size = across**2 + down**2
    if size == 0:
        return math.dist(at, ends[0])
    share = ((at[0] - x) * across + (at[1] - y) * down) / size
    return math.dist(at, between(*ends, min(1.0, max(0.0, share))))


def _cut(line: list[Point], distance: float) -> list[Point]:
    """Return *line* without its first *distance*."""
    while len(line) > STRAIGHT and math.dist(line[0], line[1]) <= distance:
        distance -= math.dist(line[0], line[1])
        line = line[1:]
    return [toward(line[0], line[1], distance), *line[1:]]


def _on_curve(stretch: Sequence[Point], share: float) -> Point:
    """Return the point at *share* of the way between the middle two of four points."""
    x, y = (_blend([point[axis] for point in stretch], share) for axis in range(2))
    return x, y


def _blend(values: Sequence[float], share: float) -> float:
    """Return one coordinate of a Catmull-Rom spline, its cubic in Horner's form."""
    before, start, end, after = values
    return start + 0.5 * share * (
        end
        - before
        + share
        * (
            2 * before
            - 5 * start
            + 4 * end
            - after
            + share * (3 * (start - end) + after - before)
        )
    )
