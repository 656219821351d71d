"""SVG elements as text, and paths of lines."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from .picture import Point, Polyline


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
