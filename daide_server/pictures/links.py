"""Links: neighbours that have no border in the picture."""

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
"""Links of this share of the width, or longer, are not drawn across the picture."""
STUB: Final = 30.0


def links(scene: Scene) -> Iterator[str]:
    """Return lines between neighbours that have no border in the picture.

    Of those far apart, as at the two ends of the world, only the ends of the line are
    drawn, outward, with the neighbours' names. A picture that has no borders at all
    is nothing without its lines.
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
    """Return the line that leaves *here* for *others*, which are around the world."""
    spots = scene.picture.names
    side = 1 if spots[here][0] > scene.picture.width / 2 else -1
    start = plus(spots[here], (side * STUB / 2, 0))
    tip = plus(start, (side * STUB, 0))
    yield _link((start, tip))
    yield text(
        " ".join(others),
        plus(spots[here], (side * STUB / 2, 17)),
        text_anchor="end" if side > 0 else "start",
        font_size=10,
        fill=colours.FAINT_INK,
    )
