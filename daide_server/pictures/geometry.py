"""Points and lines in the plane of a picture."""

import math
from collections.abc import Sequence
from typing import Final

from .picture import Point, Polyline

MAX_FIRST: Final = 0.4
"""The largest share of a line that `trimmed` cuts off its beginning."""
MAX_LAST: Final = 0.6
"""The largest share of the remaining line that `trimmed` cuts off its end."""

STRAIGHT: Final = 2
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
