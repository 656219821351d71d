"""Places for signs that would overlap: badges of units, stars and names.

Badges are pushed apart, as they are all of one size. Names and stars, one after the
other, take the free place that is best for them, near the one that they want. Nothing
here is random, so the same signs always get the same places.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from .geometry import plus, toward
from .picture import Point

PUSH_ROUNDS: Final = 80
"""The rounds in which badges are pushed apart."""
DIRECTIONS: Final = 24
"""The directions, and the rings, in which a free place is searched."""
RINGS: Final = 16
CELL: Final = 64.0
"""The side of a cell of the index, at least as large as most signs."""
HOME_PULL: Final = 0.04
"""The share of its way home that a badge goes back in a round."""


@frozen
class Box:
    """A rectangle around a middle point."""

    at: Point
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether the two have more than an edge in common."""
        x, y = self.at
        there, below = other.at
        return (
            abs(x - there) * 2 < self.width + other.width
            and abs(y - below) * 2 < self.height + other.height
        )


@frozen
class Sign:
    """A sign that wants a place.

    `cost` says how bad another place is: its distance, at least.
    """

    key: str
    box: Box
    cost: Callable[[Point], float]


@frozen
class Canvas:
    """The size of the picture that signs stay in."""

    width: float
    height: float

    def holds(self, box: Box) -> bool:
        """Return whether *box* is inside."""
        x, y = box.at
        return (
            box.width / 2 <= x <= self.width - box.width / 2
            and box.height / 2 <= y <= self.height - box.height / 2
        )

    def nearest(self, box: Box) -> Point:
        """Return the middle of *box* moved inside."""
        x, y = box.at
        return (
            min(max(x, box.width / 2), self.width - box.width / 2),
            min(max(y, box.height / 2), self.height - box.height / 2),
        )


class BoxIndex:
    """Boxes, found by where they are."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        """Hold *boxes*."""
        self._cells: dict[tuple[int, int], list[Box]] = {}
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        """Hold *box* as well."""
        for cell in _cells(box):
            self._cells.setdefault(cell, []).append(box)

    def is_free(self, box: Box) -> bool:
        """Return whether *box* overlaps nothing."""
        return not any(
            box.overlaps(other)
            for cell in _cells(box)
            for other in self._cells.get(cell, ())
        )


def separated(spots: Mapping[str, Point], apart: float) -> dict[str, Point]:
    """Return *spots* moved so that none is nearer than *apart* to another.

    Each goes as little away as the others let it.
    """
    found = dict(spots)
    near = list(_close_pairs(spots, apart * 3))
    for turn in range(PUSH_ROUNDS):
        if turn < PUSH_ROUNDS // 2:
            for key, home in spots.items():
                pull = math.dist(found[key], home) * HOME_PULL
                found[key] = toward(found[key], home, pull)
        moved = False
        for one, other in near:
            short = apart - math.dist(found[one], found[other])
            if short > 0:
                moved = True
                _push(found, one, other, short)
        if not moved and turn >= PUSH_ROUNDS // 2:
            break
    return found


def places(signs: Sequence[Sign], taken: BoxIndex, frame: Canvas) -> dict[str, Point]:
    """Return a place for each of *signs*, free of *taken* and of each other.

    Signs whose own place is free keep it. A sign without any free place is left out.
    """
    found: dict[str, Point] = {}
    waiting: list[Sign] = []
    for sign in signs:
        if frame.holds(sign.box) and taken.is_free(sign.box):
            found[sign.key] = sign.box.at
            taken.add(sign.box)
        else:
            waiting.append(sign)
    for sign in waiting:
        best = _best_place(sign, taken, frame)
        if best is not None:
            found[sign.key] = best
            taken.add(Box(best, sign.box.width, sign.box.height))
    return found


def _best_place(sign: Sign, taken: BoxIndex, frame: Canvas) -> Point | None:
    """Return the free place of the least cost, from near to far."""
    box, home = sign.box, frame.nearest(sign.box)
    away = math.dist(home, box.at)
    least, best = math.inf, None
    for ring in range(RINGS):
        radius = ring * box.height / 2
        if radius - away > least:
            break  # A cost is at least the distance.
        for at in _circle(home, radius):
            tried = Box(at, box.width, box.height)
            if frame.holds(tried) and taken.is_free(tried):
                cost = sign.cost(at)
                if cost < least:
                    least, best = cost, at
    return best


def _circle(middle: Point, radius: float) -> Iterator[Point]:
    for turn in range(DIRECTIONS if radius else 1):
        angle = 2 * math.pi * turn / DIRECTIONS
        yield plus(middle, (math.cos(angle) * radius, math.sin(angle) * radius))


def _close_pairs(
    spots: Mapping[str, Point], distance: float
) -> Iterator[tuple[str, str]]:
    keys = list(spots)
    for place, one in enumerate(keys):
        for other in keys[:place]:
            if math.dist(spots[one], spots[other]) < distance:
                yield one, other


def _push(found: dict[str, Point], one: str, other: str, short: float) -> None:
    """Move two spots apart by *short* together."""
    here, there = found[one], found[other]
    # Two at the same spot have no direction; the second moves to the right.
    aim = there if here != there else plus(here, (1.0, 0.0))
    found[one] = toward(here, aim, -short / 2)
    found[other] = toward(aim, here, -short / 2)


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    x, y = box.at
    left, right = x - box.width / 2, x + box.width / 2
    top, bottom = y - box.height / 2, y + box.height / 2
    for column in range(int(left // CELL), int(right // CELL) + 1):
        for row in range(int(top // CELL), int(bottom // CELL) + 1):
            yield column, row
