"""SVG elements, units and strokes.

A round badge is an army, a hull with sails a fleet, with its power's letter. They are
those of the page (`web/templates/icons.svg`).
"""

import math
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from daide_server.board.names import Unit, UnitType

from . import palette
from .picture import Point, Polyline, beside, plus, toward, trimmed
from .scene import Scene

# SVG elements as text, and paths of lines


def element(name: str, *children: str, **attributes: str | float) -> str:
    """Return an element; `stroke_width=2` is written as `stroke-width="2"`."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
    )
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


def group(children: Iterable[str], **attributes: str | float) -> str:
    """Return the elements as a group, or nothing if there are none."""
    inside = "\n".join(children)
    return element("g", f"\n{inside}\n", **attributes) if inside else ""


def text(words: str, at: Point, **attributes: str | float) -> str:
    """Return a text element with *words* at a point."""
    return element("text", escape(words), x=at[0], y=at[1], **attributes)


def circle(at: Point, radius: float, **attributes: str | float) -> str:
    """Return a circle around *at*."""
    return element("circle", cx=at[0], cy=at[1], r=radius, **attributes)


def title(words: str) -> str:
    """Return a title: the tooltip of the element around it."""
    return element("title", escape(words))


def path(lines: Iterable[Polyline], *, closed: bool, parts: int = 10) -> str:
    """Return *lines* as the attribute `d` of a path (SVG 1.1, 8.3).

    Coordinates are rounded to *parts* of a unit.
    """
    return "".join(_subpath(line, parts) + "Z" * closed for line in lines if line)


def number(value: float) -> str:
    """Return *value* with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0").replace("-0", "0", value == 0)


def _subpath(line: Polyline, parts: int) -> str:
    """Return a line with relative coordinates, which are shorter than absolute ones.

    They are differences of rounded points, so that rounding errors do not add up.
    """
    places = [(round(x * parts), round(y * parts)) for x, y in line]
    x, y = places[0]
    steps = [f"M{x / parts:g}{_next(y / parts)}l"]
    for across, down in places[1:]:
        step = f"{(across - x) / parts:g}{_next((down - y) / parts)}"
        if (across, down) != (x, y):
            steps.append(step if step[0] == "-" or len(steps) == 1 else f" {step}")
        x, y = across, down
    return "".join(steps).rstrip("l")


def _next(value: float) -> str:
    """Return a number after another one: a minus sign separates them as well."""
    return f"{value:g}" if value < 0 else f" {value:g}"


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)


SIZE = 12.6
"""Half the width of an army."""
SHAPE_SIZE = 11.6
"""The same in the coordinates of the shapes below."""
LETTER_SIZE = 12.5
LETTER_DROP = 4.4
"""The distance from the middle of a badge to the base line of its letter."""
HULL_DROP = 3.2
"""The additional distance for the letter of a fleet."""

_ARMY = "M0-11.6A11.6 11.6 0 1 1 0 11.6A11.6 11.6 0 1 1 0-11.6Z"
_FLEET = (
    "M-12.4-4.8L-5.8-4.8L-0.8-12.4L-0.8-4.8L0.6-4.8L0.6-10.6L6-4.8L12.4-4.8"
    "C11.4 4.8 7.4 11.4 0 11.4C-7.4 11.4-11.4 4.8-12.4-4.8Z"
)


def units(scene: Scene) -> Iterator[str]:
    """Yield the units on the board, then the dislodged and the built ones on top."""
    for unit in scene.position.units:
        yield badge(scene, unit, palette.INK)
    for unit in scene.position.dislodged:
        yield badge(scene, unit, palette.BAD)
    for unit in scene.builds():
        yield badge(scene, unit, palette.GOOD)


def badge(scene: Scene, unit: Unit, edge: str) -> str:
    """Return *unit* in the colour of its power."""
    pair, at = scene.palette[unit.power], scene.unit_place(unit)
    drop = LETTER_DROP + (HULL_DROP if unit.type is UnitType.FLEET else 0)
    letter = text(
        scene.letters[unit.power],
        (0, drop),
        fill=palette.readable_ink(pair.light),
        font_size=LETTER_SIZE,
        font_weight="bold",
        text_anchor="middle",
    )
    name = title(f"{scene.title(unit.power)}: {unit}")
    return group(
        [name, *symbol(unit.type, pair.light, edge), letter],
        transform=f"translate({at[0]:.1f} {at[1]:.1f}) scale({SIZE / SHAPE_SIZE:.3g})",
        stroke_linejoin="round",
    )


def symbol(kind: UnitType, fill: str, edge: str) -> Iterator[str]:
    """Yield the shapes of an army or a fleet around the origin."""
    outline = _ARMY if kind is UnitType.ARMY else _FLEET
    width = 2.4 if edge == palette.INK else 4.4
    yield element("path", d=outline, fill=fill, stroke=edge, stroke_width=width)
    yield element("path", d=outline, fill=fill)


# The strokes of orders: arrows, dotted lines, rings and marks. Each has a pale edge,
# which separates it from the map and from other strokes.

ARROW_HEAD = 11.0
"""The length of the head of an arrow."""
ARROW_WIDTH = 4.0
FAILED_WIDTH = 2.4
"""Width of the shaft of an arrow that failed."""
SUPPORT_WIDTH = 2.6
RETREAT_DASHES = "7 3"
FAILED_DASHES = "9 5"
SUPPORT_DASHES = "0.1 5.4"
CONVOY_DASHES = "9 3 2 3"
BUILT_OFFSET = (13.0, -11.0)
"""The offset from a unit to the plus sign of a build."""
BURST_RAYS = 10
HEAD_HALF_WIDTH = ARROW_HEAD * 0.55


def arrow(line: Polyline, colour: str, dashes: str = "") -> Iterator[str]:
    """Yield an arrow along *line*, with a pale edge."""
    shaft = trimmed(line, 0, ARROW_HEAD * 0.7)
    width = FAILED_WIDTH if dashes == FAILED_DASHES else ARROW_WIDTH
    head = path([_head(line)], closed=True)
    for tint, extra in (("#ffffff", 2.4), (palette.INK, 1.0), (colour, 0.0)):
        yield from _shaft(shaft, tint, width + extra, dashes)
        yield element(
            "path", d=head, fill=tint, stroke=tint, stroke_width=max(extra, 0.2)
        )


def stroke(line: Polyline, colour: str, width: float, dashes: str) -> Iterator[str]:
    """Yield a thin line with a pale edge."""
    for tint, extra in (("#ffffff", 2.2), (palette.INK, 1.0), (colour, 0.0)):
        yield from _shaft(line, tint, width + extra, dashes)


def ring(at: Point, colour: str, radius: float = SIZE + 6) -> Iterator[str]:
    """Yield the ring around a unit that holds."""
    for tint, width in (("#ffffff", 4.6), (palette.INK, 3.4), (colour, 2.4)):
        yield circle(at, radius, fill="none", stroke=tint, stroke_width=width)


def dot(at: Point, colour: str) -> str:
    """Return the dot at the end of a support."""
    return circle(at, 3.4, fill=colour, stroke="#ffffff", stroke_width=1.2)


def cross(at: Point, size: float) -> Iterator[str]:
    """Yield the mark of an order that failed, or of a unit that is removed."""
    x, y = at
    lines = [
        ((x - size, y - size), (x + size, y + size)),
        ((x - size, y + size), (x + size, y - size)),
    ]
    for tint, width in (("#ffffff", 4.4), (palette.BAD, 2.2)):
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
    yield circle((x, y), 6.5, fill=palette.GOOD, stroke="#ffffff")
    lines = [((x - 3.5, y), (x + 3.5, y)), ((x, y - 3.5), (x, y + 3.5))]
    yield element("path", d=path(lines, closed=False), stroke="#ffffff", stroke_width=2)


def burst(at: Point, scale: float = 1.0) -> str:
    """Return the mark of a unit that is dislodged."""
    return element(
        "path",
        d=path([tuple(_star(at, scale))], closed=True),
        fill="none",
        stroke=palette.BAD,
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
