"""The whole picture: map, orders, units and names, with the legend to the right."""

from collections.abc import Mapping

from daide_server.board.names import Province

from . import colours
from .legend import WIDTH, height, legend
from .map_layer import map_layer, names
from .order_layer import marks, orders
from .scene import Scene
from .units import element, group, title, units

FONTS = "'Source Sans 3','Source Sans Pro','Segoe UI',Helvetica,Arial,sans-serif"


def draw(
    scene: Scene, labels: Mapping[Province, str] = {}, *, with_legend: bool = True
) -> str:
    """Return the scene as the text of an SVG file, with *labels* for DAIDE's names.

    The legend is a column of its own, `legend.WIDTH` wide, to the right of the map.
    """
    picture = scene.picture
    width = picture.width + (WIDTH if with_legend else 0)
    tall = max(picture.height, height(scene)) if with_legend else picture.height
    return (
        element(
            "svg",
            title(f"{scene.variant.name}: {scene.heading}"),
            element("rect", width=width, height=tall, fill=colours.PAPER),
            _clip(scene),
            group(_board(scene, labels), clip_path="url(#frame)"),
            _frame(scene),
            group(legend(scene), transform=f"translate({picture.width:g} 0)")
            if with_legend
            else "",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width:g} {tall:g}",
            width=width,
            height=tall,
            font_family=FONTS,
        )
        + "\n"
    )


def _board(scene: Scene, labels: Mapping[Province, str]) -> list[str]:
    return [
        *map_layer(scene),
        group(orders(scene), id="orders"),
        *names(scene, labels),
        group(units(scene), id="units"),
        group(marks(scene), id="marks"),
    ]


def _clip(scene: Scene) -> str:
    inside = element("rect", width=scene.picture.width, height=scene.picture.height)
    return element("defs", element("clipPath", inside, id="frame"))


def _frame(scene: Scene) -> str:
    return element(
        "rect",
        x=1,
        y=1,
        width=scene.picture.width - 2,
        height=scene.picture.height - 2,
        fill="none",
        stroke=colours.COAST,
        stroke_width=2,
    )
