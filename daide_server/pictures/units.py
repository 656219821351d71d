"""Units: a round badge is an army, a hull with sails a fleet, with its power's letter.

The shapes are those of the page (`web/templates/icons.svg`).
"""

from collections.abc import Iterator
from typing import Final

from daide_server.board.names import Unit, UnitType

from . import colours
from .picture import Point
from .scene import Scene
from .svg import element, group, text, title

SIZE: Final = 12.6
"""Half the width of an army."""
SHAPE_SIZE: Final = 11.6
"""The same in the coordinates of the shapes below."""
LETTER_SIZE: Final = 12.5
LETTER_DROP: Final = 4.4
"""From the middle of a badge to the base line of its letter."""
HULL_DROP: Final = 3.2
"""How much lower the letter of a fleet is."""

_ARMY: Final = "M0-11.6A11.6 11.6 0 1 1 0 11.6A11.6 11.6 0 1 1 0-11.6Z"
_FLEET: Final = (
    "M-12.4-4.8L-5.8-4.8L-0.8-12.4L-0.8-4.8L0.6-4.8L0.6-10.6L6-4.8L12.4-4.8"
    "C11.4 4.8 7.4 11.4 0 11.4C-7.4 11.4-11.4 4.8-12.4-4.8Z"
)


def units(scene: Scene) -> Iterator[str]:
    """Yield the units on the board, then the dislodged and the built ones on top."""
    for unit in scene.position.units:
        yield badge(scene, unit, scene.unit_place(unit))
    for unit in scene.position.dislodged:
        yield badge(scene, unit, scene.unit_place(unit), edge=colours.BAD)
    for unit in scene.builds():
        yield badge(scene, unit, scene.unit_place(unit), edge=colours.GOOD)


def badge(scene: Scene, unit: Unit, at: Point, *, edge: str = colours.INK) -> str:
    """Return *unit* at the point *at*, in the colour of its power."""
    pair = scene.palette[unit.power]
    drop = LETTER_DROP + (HULL_DROP if unit.type is UnitType.FLEET else 0)
    letter = text(
        scene.letters[unit.power],
        (0, drop),
        fill=pair.ink_on_light,
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
    width = 2.4 if edge == colours.INK else 4.4
    yield element("path", d=outline, fill=fill, stroke=edge, stroke_width=width)
    yield element("path", d=outline, fill=fill)
