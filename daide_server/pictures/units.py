"""Units: a round badge with a cannon is an army, a hull with sails is a fleet."""

from collections.abc import Iterator
from typing import Final

from daide_server.board.names import Unit, UnitType

from . import colours
from .picture import Point
from .scene import Scene
from .svg import element, group, title

SIZE: Final = 12.6
"""Half the width of an army."""
SHAPE_SIZE: Final = 11.5
"""The same in the coordinates of the shapes below."""

_ARMY: Final = "M0-11.5A11.5 11.5 0 1 1 0 11.5A11.5 11.5 0 1 1 0-11.5Z"
_CANNON: Final = (
    "M-6.8 1.6L5.9-5.9L7.6-2.9L-1.2 2.3A4.1 4.1 0 1 1-5.1 0.6Z"
    "M-2.9 2.6A2 2 0 1 0-2.9 6.6A2 2 0 1 0-2.9 2.6Z"
)
_FLEET: Final = "M-15 2.6L15 2.6C13.4 7.6 10.4 10 6.6 10L-8.4 10C-11.6 10-14 7-15 2.6Z"
_SAILS: Final = (
    "M-1-12.5L-1 1L-11.5 1C-9.4-5.2-6-9.7-1-12.5ZM1.4-10.4C6.6-8 9.6-4 10.6 1L1.4 1Z"
)


def units(scene: Scene) -> Iterator[str]:
    """Yield the units on the board, then the dislodged and the built ones on top."""
    for unit in scene.position.units:
        yield badge(scene, unit, scene.unit_place(unit))
    for unit in scene.position.dislodged:
        yield badge(scene, unit, scene.unit_place(unit), edge=colours.BAD)
    for unit in scene.builds():
        yield badge(scene, unit, scene.unit_place(unit), edge=colours.GOOD)


def badge(scene: Scene, unit: Unit, at: Point, *, edge: str = "#ffffff") -> str:
    """Return *unit* at the point *at*, in the colour of its power."""
    fill = scene.colours[unit.power]
    name = title(f"{scene.title(unit.power)}: {unit}")
    return group(
        [name, *symbol(unit.type, fill, edge)],
        transform=f"translate({at[0]:.1f} {at[1]:.1f}) scale({SIZE / SHAPE_SIZE:.3g})",
        stroke_linejoin="round",
    )


def symbol(kind: UnitType, fill: str, edge: str) -> Iterator[str]:
    """Yield the shapes of an army or a fleet around the origin."""
    shapes = [_ARMY] if kind is UnitType.ARMY else [_FLEET, _SAILS]
    outline = "".join(shapes)
    yield element(
        "path", d=outline, fill=colours.INK, stroke=colours.INK, stroke_width=4.6
    )
    yield element("path", d=outline, fill=fill, stroke=edge, stroke_width=2.8)
    yield element("path", d=outline, fill=fill)
    if kind is UnitType.ARMY:
        yield element("path", d=_CANNON, fill="#ffffff", fill_rule="evenodd")
    else:
        yield element("path", d=_SAILS, fill=colours.mixed(fill, "#ffffff", 0.45))
