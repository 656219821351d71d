"""Links: lines between neighbours that share no border in the picture."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from daide_server.board.names import Province

from . import colours
from .geometry import plus
from .picture import Polyline
from .scene import Scene
from .svg import element, path, text

FAR_SHARE: Final = 0.3
"""Links that are longer than this share of the width are drawn as two stubs."""
STUB: Final = 30.0
"""The length of a stub."""
STUB_NAMES: Final = 17.0
"""How far the names of the neighbours stand below a stub."""


def links(scene: Scene) -> Iterator[str]:
    """Yield lines between neighbours that share no border in the picture.

    A map of the world has neighbours at its left and right edge: a stub leaves each of
    them outward, with the name of the other. In a picture without any borders every
    link is a whole line.
    """
    picture = scene.picture
    spots = picture.names
    far = FAR_SHARE * picture.width if picture.has_borders else math.inf
    beyond: dict[Province, list[Province]] = {}
    for one, other in picture.links:
        if math.dist(spots[one], spots[other]) < far:
            yield _link((spots[one], spots[other]))
        else:
            beyond.setdefault(one, []).append(other)
            beyond.setdefault(other, []).append(one)
    for here, others in beyond.items():
        yield from _stub(scene, here, others)


def _link(line: Polyline) -> str:
    return element(
        "path",
        d=path([line], closed=False),
        stroke=colours.FAINT_INK,
        stroke_width=2,
        stroke_dasharray="2 5",
        stroke_linecap="round",
    )


def _stub(scene: Scene, here: Province, others: Sequence[Province]) -> Iterator[str]:
    """Yield the line that leaves *here* toward *others*, and their names."""
    spots = scene.picture.names
    side = 1 if spots[here][0] > scene.picture.width / 2 else -1
    start = plus(spots[here], (side * STUB / 2, 0))
    tip = plus(start, (side * STUB, 0))
    yield _link((start, tip))
    yield text(
        " ".join(others),
        plus(spots[here], (side * STUB / 2, STUB_NAMES)),
        text_anchor="end" if side > 0 else "start",
        font_size=10,
        fill=colours.FAINT_INK,
    )
