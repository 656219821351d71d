"""Where units, stars and names stand on the page's board, without overlaps.

The sizes are those at `BOARD_WIDTHS`: a board gets the smallest of these widths at
which each name has `LABEL_PIXELS` and none is left out. A name that does not fit into
its province stands beside it, with a line; so does a badge that others push away.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Final

from attrs import frozen

from daide_server.board.names import Location, Province
from daide_server.board.notation import SHORT_COASTS

from .crowding import Box, BoxIndex, Canvas, Sign, places, separated
from .links import far_neighbours
from .picture import Picture, Point, Polyline

BOARD_WIDTHS: Final = (660.0, 740.0, 830.0, 1000.0, 1120.0, 1240.0)
"""Widths in CSS pixels: beside the panels at 1280, and above them."""
LABEL_PIXELS: Final = 9.4
BADGE_PIXELS: Final = 22.0
STAR_PIXELS: Final = 9.0
LETTER_WIDTHS: Final[Mapping[str, float]] = {
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
OTHER_WIDTH: Final = 0.722
NAME_GAP: Final = 0.12
"""The gap at the sides of a name, in ems."""
CAPITAL_HEIGHT: Final = 1.0
"""The height of a name in ems, with a gap."""
OUTSIDE_COST: Final = 2.5
"""The cost of a name outside its province, in heights of the name."""
LEADER: Final = 0.3
"""The shift, as a share of its diameter, from which a moved badge has a line."""


@frozen(eq=False)
class BoardLayout:
    """Where the signs of a board stand; lengths are in the units of the picture.

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
    """Return where names of the size *font* stand beside units of the size *badge*.

    Units and stars stay where they are; a name without a free place stays, too.
    """
    taken = BoxIndex(Box(at, badge, badge) for at in picture.units.values())
    for at in picture.centres.values():
        taken.add(Box(at, badge / 2, badge / 2))
    signs = [
        Sign(
            place,
            label_box(place, home, font),
            partial(_cost, picture, place, font, home),
        )
        for place, home in picture.names.items()
    ]
    found = places(signs, taken, Canvas(picture.width, picture.height))
    return {place: found.get(place, home) for place, home in picture.names.items()}


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
        spots = {str(at): spot for at, spot in self.picture.units.items()}
        units = separated(spots, self.badge * 1.04)
        frame = Canvas(self.picture.width, self.picture.height)
        units = {
            key: frame.nearest(Box(at, self.badge, self.badge))
            for key, at in units.items()
        }
        taken = BoxIndex(Box(at, self.badge, self.badge) for at in units.values())
        stars = places(list(self._stars()), taken, frame)
        signs = list(self._names())
        found = places(signs, taken, frame)
        beyond = places(list(self._beyond()), taken, frame)
        names = {place: found[place] for place in self.labels if place in found}
        by_text = {str(at): at for at in self.picture.units}
        return BoardLayout(
            picture=self.picture,
            readable=self.width,
            badge=self.badge,
            font=self.font,
            star=self.star,
            units={by_text[key]: at for key, at in units.items()},
            origins={
                by_text[key]: spots[key]
                for key, at in units.items()
                if math.dist(at, spots[key]) > self.badge * LEADER
            },
            names=names,
            centres={
                place: stars.get(place, at)
                for place, at in self.picture.centres.items()
            },
            beyond={Province(place): at for place, at in beyond.items()},
            leaders=dict(self._leaders(names)),
            missing=tuple(sign.key for sign in signs if sign.key not in found),
        )

    def _stars(self) -> Iterator[Sign]:
        for place, at in self.picture.centres.items():
            box = Box(at, self.star, self.star)
            yield Sign(place, box, self._cost(place, at))

    def _names(self) -> Iterator[Sign]:
        for place, text in self.labels.items():
            at = self.picture.names[place]
            box = label_box(text, at, self.font)
            yield Sign(place, box, self._cost(place, at))

    def _beyond(self) -> Iterator[Sign]:
        for place, others in far_neighbours(self.picture).items():
            text = " ".join(self.labels[other] for other in others)
            at = self.picture.names[place]
            box = label_box(text, at, self.font)
            yield Sign(place, box, partial(math.dist, at))

    def _cost(self, place: Province, home: Point) -> Callable[[Point], float]:
        return partial(_cost, self.picture, place, self.font, home)

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
    """Return how bad *at* is for a sign of *place* that wants to be at *home*."""
    outside = 0.0 if picture.covers(place, at) else OUTSIDE_COST
    return math.dist(home, at) + outside * font


def coast_label(at: Location) -> str:
    """Return the small letters of a named coast, such as `nc`."""
    assert at.coast is not None, "only coasts have these letters"
    return SHORT_COASTS[at.coast].lower()
