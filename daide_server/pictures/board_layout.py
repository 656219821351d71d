"""The places of badges, stars and names on a board, as small as names are readable.

The sizes are those at `BOARD_WIDTHS`: a board gets the smallest of these widths at
which each name has `LABEL_PIXELS` and none is left out. A name that does not fit into
its province is placed beside it, with a line; so is a badge that others push away.
Nothing here is random, so the same signs always get the same places.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Generic, TypeVar

from attrs import frozen

from daide_server.board.names import Location, Province
from daide_server.board.notation import SHORT_COASTS

from .links import far_neighbours
from .picture import Picture, Point, Polyline, plus, toward

PUSH_ROUNDS = 80
"""The rounds in which badges are pushed apart."""
DIRECTIONS = 24
"""The directions, and the rings, in which a free place is searched."""
RINGS = 16
CELL = 64.0
"""The side of a cell of the index, at least as large as most signs."""
HOME_PULL = 0.04
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


_Key = TypeVar("_Key", bound=Hashable)


@frozen
class Sign(Generic[_Key]):
    """A sign that wants a place.

    `cost` says how bad another place is: its distance, at least.
    """

    key: _Key
    box: Box
    cost: Callable[[Point], float]


class Canvas:
    """A picture and the boxes in it, found by where they are."""

    def __init__(self, width: float, height: float, boxes: Iterable[Box] = ()) -> None:
        """Begin with *boxes*."""
        self.width = width
        self.height = height
        self._cells: dict[tuple[int, int], list[Box]] = {}
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        """Add *box*."""
        for cell in _cells(box):
            self._cells.setdefault(cell, []).append(box)

    def is_free(self, box: Box) -> bool:
        """Return whether *box* is inside and overlaps nothing."""
        x, y = box.at
        is_inside = (
            box.width / 2 <= x <= self.width - box.width / 2
            and box.height / 2 <= y <= self.height - box.height / 2
        )
        return is_inside and not any(
            box.overlaps(other)
            for cell in _cells(box)
            for other in self._cells.get(cell, ())
        )

    def nearest(self, box: Box) -> Point:
        """Return the middle of *box* moved inside."""
        x, y = box.at
        return (
            min(max(x, box.width / 2), self.width - box.width / 2),
            min(max(y, box.height / 2), self.height - box.height / 2),
        )


def separated(spots: Mapping[_Key, Point], apart: float) -> dict[_Key, Point]:
    """Return *spots* moved so that none is nearer than *apart* to another.

    Each moves as little as the others allow.
    """
    found = dict(spots)
    keys = list(spots)
    near = [
        (one, other)
        for place, one in enumerate(keys)
        for other in keys[:place]
        if math.dist(spots[one], spots[other]) < apart * 3
    ]
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
                push_apart(found, one, other, short)
        if not moved and turn >= PUSH_ROUNDS // 2:
            break
    return found


def places(signs: Iterable[Sign[_Key]], canvas: Canvas) -> dict[_Key, Point]:
    """Return a place for each of *signs* that overlaps no other box of *canvas*.

    Signs whose own place is free keep it. A sign without any free place is left out.
    """
    found: dict[_Key, Point] = {}
    waiting: list[Sign[_Key]] = []
    for sign in signs:
        if canvas.is_free(sign.box):
            found[sign.key] = sign.box.at
            canvas.add(sign.box)
        else:
            waiting.append(sign)
    for sign in waiting:
        best = _best_place(sign, canvas)
        if best is not None:
            found[sign.key] = best
            canvas.add(Box(best, sign.box.width, sign.box.height))
    return found


def _best_place(sign: Sign[_Key], canvas: Canvas) -> Point | None:
    """Return the free place of the least cost, from near to far."""
    box, home = sign.box, canvas.nearest(sign.box)
    away = math.dist(home, box.at)
    least, best = math.inf, None
    for ring in range(RINGS):
        radius = ring * box.height / 2
        if radius - away > least:
            break  # A cost is at least the distance.
        for at in _circle(home, radius):
            if canvas.is_free(Box(at, box.width, box.height)):
                cost = sign.cost(at)
                if cost < least:
                    least, best = cost, at
    return best


def _circle(middle: Point, radius: float) -> Iterator[Point]:
    for turn in range(DIRECTIONS if radius else 1):
        angle = 2 * math.pi * turn / DIRECTIONS
        yield plus(middle, (math.cos(angle) * radius, math.sin(angle) * radius))


def push_apart(found: dict[_Key, Point], one: _Key, other: _Key, short: float) -> None:
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


BOARD_WIDTHS = (660.0, 740.0, 830.0, 1000.0, 1120.0, 1240.0)
"""Widths in CSS pixels: beside the panels at 1280, and above them."""
LABEL_PIXELS = 9.4
BADGE_PIXELS = 22.0
STAR_PIXELS = 9.0
LETTER_WIDTHS: Mapping[str, float] = {
    **dict.fromkeys("ABCDHKNRU", 0.722),
    **dict.fromkeys("GOQ", 0.778),
    **dict.fromkeys("EPSVXY", 0.667),
    **dict.fromkeys("FLTZ", 0.611),
    "I": 0.278,
    "J": 0.556,
    "M": 0.833,
    "W": 0.944,
    " ": 0.278,
}
"""The widths of capitals of Helvetica Bold, in ems; other fonts are similar."""
OTHER_WIDTH = 0.722
NAME_GAP = 0.12
"""The gap at the sides of a name, in ems."""
CAPITAL_HEIGHT = 1.0
"""The height of a name in ems, with a gap."""
OUTSIDE_COST = 2.5
"""The cost of a name outside its province, in heights of the name."""
LEADER = 0.3
"""The shift, as a share of its diameter, from which a moved badge has a line."""


@frozen(eq=False)
class BoardLayout:
    """The places of the signs of a board; lengths are in the units of the picture.

    `leaders` are the lines from a province to its name beside it, `origins` the places
    from which badges were moved. `missing` are the names for which no place was left.
    """

    picture: Picture
    readable: float
    badge: float
    font: float
    star: float
    units: Mapping[Location, Point]
    origins: Mapping[Location, Point]
    names: Mapping[Province, Point]
    centres: Mapping[Province, Point]
    beyond: Mapping[Province, Point]
    leaders: Mapping[Province, Polyline]
    missing: tuple[str, ...]


def board_layout(picture: Picture, labels: Mapping[Province, str]) -> BoardLayout:
    """Return the layout of *picture* with *labels* as the names of provinces."""
    for width in BOARD_WIDTHS:
        found = _Layout(picture, labels, width).layout()
        if not found.missing:
            break
    return found


@lru_cache(maxsize=64)
def name_places(
    picture: Picture, font: float, badge: float
) -> Mapping[Province, Point]:
    """Return the places of names of the size *font* beside units of the size *badge*.

    Units and stars do not move; a name without a free place does not either.
    """
    boxes = [Box(at, badge, badge) for at in picture.units.values()]
    boxes += [Box(at, badge / 2, badge / 2) for at in picture.centres.values()]
    canvas = Canvas(picture.width, picture.height, boxes)
    labels = {place: place for place in picture.names}
    found = places(_name_signs(picture, labels, font), canvas)
    return {place: found.get(place, home) for place, home in picture.names.items()}


def _name_signs(
    picture: Picture, labels: Mapping[Province, str], font: float
) -> Iterator[Sign[Province]]:
    for place, text in labels.items():
        at = picture.names[place]
        cost = partial(_cost, picture, place, font, at)
        yield Sign(place, label_box(text, at, font), cost)


def label_box(text: str, at: Point, font: float) -> Box:
    """Return the box around *text* at the middle point *at*."""
    width = sum(LETTER_WIDTHS.get(letter, OTHER_WIDTH) for letter in text)
    return Box(at, (width + NAME_GAP) * font, font * CAPITAL_HEIGHT)


class _Layout:
    """The layout for one width of the board."""

    def __init__(
        self, picture: Picture, labels: Mapping[Province, str], width: float
    ) -> None:
        self.picture = picture
        self.labels = labels
        self.width = width
        pixel = picture.width / width
        self.badge = BADGE_PIXELS * pixel
        self.font = LABEL_PIXELS * pixel
        self.star = STAR_PIXELS * pixel

    def layout(self) -> BoardLayout:
        spots = self.picture.units
        canvas = Canvas(self.picture.width, self.picture.height)
        units = {
            at: canvas.nearest(Box(spot, self.badge, self.badge))
            for at, spot in separated(spots, self.badge * 1.04).items()
        }
        for spot in units.values():
            canvas.add(Box(spot, self.badge, self.badge))
        stars = places(self._stars(), canvas)
        found = places(_name_signs(self.picture, self.labels, self.font), canvas)
        beyond = places(self._beyond(), canvas)
        names = {place: found[place] for place in self.labels if place in found}
        return BoardLayout(
            picture=self.picture,
            readable=self.width,
            badge=self.badge,
            font=self.font,
            star=self.star,
            units=units,
            origins={
                at: spots[at]
                for at, spot in units.items()
                if math.dist(spot, spots[at]) > self.badge * LEADER
            },
            names=names,
            centres={
                place: stars.get(place, at)
                for place, at in self.picture.centres.items()
            },
            beyond=beyond,
            leaders=dict(self._leaders(names)),
            missing=tuple(place for place in self.labels if place not in found),
        )

    def _stars(self) -> Iterator[Sign[Province]]:
        for place, at in self.picture.centres.items():
            cost = partial(_cost, self.picture, place, self.font, at)
            yield Sign(place, Box(at, self.star, self.star), cost)

    def _beyond(self) -> Iterator[Sign[Province]]:
        for place, others in far_neighbours(self.picture).items():
            text = " ".join(self.labels[other] for other in others)
            at = self.picture.names[place]
            box = label_box(text, at, self.font)
            yield Sign(place, box, partial(math.dist, at))

    def _leaders(
        self, names: Mapping[Province, Point]
    ) -> Iterator[tuple[Province, Polyline]]:
        for place, at in names.items():
            home = self.picture.names[place]
            if not self.picture.covers(place, at) and math.dist(home, at) > self.font:
                yield place, (home, at)


def _cost(
    picture: Picture, place: Province, font: float, home: Point, at: Point
) -> float:
    """Return the cost of *at* for a sign of *place* whose preferred place is *home*."""
    outside = 0.0 if picture.covers(place, at) else OUTSIDE_COST
    return math.dist(home, at) + outside * font


def coast_label(at: Location) -> str:
    """Return the small letters of a named coast, such as `nc`."""
    assert at.coast is not None, "only coasts have these letters"
    return SHORT_COASTS[at.coast].lower()
