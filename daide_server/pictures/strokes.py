"""The strokes of orders: arrows, dotted lines, rings and marks.

Each has a pale edge, which separates it from the map and from other strokes.
"""

import math
from collections.abc import Iterator
from typing import Final

from . import colours
from .geometry import beside, plus, toward, trimmed
from .picture import Point, Polyline
from .svg import element, path
from .units import SIZE

ARROW_HEAD: Final = 11.0
"""The length of the head of an arrow."""
ARROW_WIDTH: Final = 4.0
FAILED_WIDTH: Final = 2.4
"""Of the shaft of an arrow that failed, which is quieter."""
SUPPORT_WIDTH: Final = 2.6
RETREAT_DASHES: Final = "7 3"
FAILED_DASHES: Final = "9 5"
SUPPORT_DASHES: Final = "0.1 5.4"
CONVOY_DASHES: Final = "9 3 2 3"
BUILT_OFFSET: Final = (13.0, -11.0)
"""From a unit to the plus sign of a build."""
BURST_RAYS: Final = 10
HEAD_HALF_WIDTH: Final = ARROW_HEAD * 0.55


def arrow(line: Polyline, colour: str, dashes: str = "") -> Iterator[str]:
    """Yield an arrow along *line*, with a pale edge."""
    shaft = trimmed(line, 0, ARROW_HEAD * 0.7)
    width = FAILED_WIDTH if dashes == FAILED_DASHES else ARROW_WIDTH
    head = path([_head(line)], closed=True)
    for tint, extra in (("#ffffff", 2.4), (colours.INK, 1.0), (colour, 0.0)):
        yield from _shaft(shaft, tint, width + extra, dashes)
        yield element(
            "path", d=head, fill=tint, stroke=tint, stroke_width=max(extra, 0.2)
        )


def stroke(line: Polyline, colour: str, width: float, dashes: str) -> Iterator[str]:
    """Yield a thin line with a pale edge."""
    for tint, extra in (("#ffffff", 2.2), (colours.INK, 1.0), (colour, 0.0)):
        yield from _shaft(line, tint, width + extra, dashes)


def ring(at: Point, colour: str, radius: float = SIZE + 6) -> Iterator[str]:
    """Yield the ring around a unit that holds."""
    for tint, width in (("#ffffff", 4.6), (colours.INK, 3.4), (colour, 2.4)):
        yield element(
            "circle",
            cx=at[0],
            cy=at[1],
            r=radius,
            fill="none",
            stroke=tint,
            stroke_width=width,
        )


def dot(at: Point, colour: str) -> str:
    """Return the dot at the end of a support."""
    return element(
        "circle",
        cx=at[0],
        cy=at[1],
        r=3.4,
        fill=colour,
        stroke="#ffffff",
        stroke_width=1.2,
    )


def cross(at: Point, size: float) -> Iterator[str]:
    """Yield the mark of an order that failed, or of a unit that is removed."""
    x, y = at
    lines = [
        ((x - size, y - size), (x + size, y + size)),
        ((x - size, y + size), (x + size, y - size)),
    ]
    for tint, width in (("#ffffff", 4.4), (colours.BAD, 2.2)):
        yield element(
            "path",
            d=path(lines, closed=False),
            fill="none",
            stroke=tint,
            stroke_width=width,
            stroke_linecap="round",
        )


def plus_sign(at: Point) -> Iterator[str]:
    """Yield the mark of the unit at *at* that is built."""
    x, y = plus(at, BUILT_OFFSET)
    yield element("circle", cx=x, cy=y, r=6.5, fill=colours.GOOD, stroke="#ffffff")
    lines = [((x - 3.5, y), (x + 3.5, y)), ((x, y - 3.5), (x, y + 3.5))]
    yield element("path", d=path(lines, closed=False), stroke="#ffffff", stroke_width=2)


def burst(at: Point, scale: float = 1.0) -> str:
    """Return the mark of a unit that is dislodged."""
    return element(
        "path",
        d=path([tuple(_star(at, scale))], closed=True),
        fill="none",
        stroke=colours.BAD,
        stroke_width=2.6,
        stroke_linejoin="round",
    )


def _star(at: Point, scale: float) -> Iterator[Point]:
    for corner in range(2 * BURST_RAYS):
        radius = (SIZE + (11 if corner % 2 else 5)) * scale
        angle = corner * math.pi / BURST_RAYS
        yield at[0] + math.cos(angle) * radius, at[1] + math.sin(angle) * radius


def _shaft(line: Polyline, colour: str, width: float, dashes: str) -> Iterator[str]:
    more: dict[str, str | float] = {"stroke_dasharray": dashes} if dashes else {}
    yield element(
        "path",
        d=path([line], closed=False),
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap="round" if dashes == SUPPORT_DASHES else "butt",
        stroke_linejoin="round",
        **more,
    )


def _head(line: Polyline) -> Polyline:
    end = line[-1]
    base = toward(end, line[-2], ARROW_HEAD)
    left, right = (
        beside(base, end, 0, HEAD_HALF_WIDTH),
        beside(base, end, 0, -HEAD_HALF_WIDTH),
    )
    return end, left, right
