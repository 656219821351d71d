"""Links: lines between neighbours that share no border in the picture."""

import math
from collections.abc import Iterator, Mapping, Sequence

from daide_server.board.names import Province

from . import palette
from .picture import Picture, Polyline, plus
from .scene import Scene
from .shapes import element, path, text

FAR_SHARE = 0.3
"""Links that are longer than this share of the width are drawn as two stubs."""
STUB = 30.0
"""The length of a stub."""
STUB_NAMES = 17.0
"""The distance of the names of neighbours below a stub."""


def links(scene: Scene) -> Iterator[str]:
    """Yield lines between neighbours that share no border in the picture.

    A map of the world has neighbours at its left and right edge: a stub leaves each of
    them outward, with the name of the other. In a picture without any borders every
    link is a whole line.
    """
    spots = scene.picture.names
    for one, other in near_links(scene.picture):
        yield _link((spots[one], spots[other]))
    for here, others in far_neighbours(scene.picture).items():
        yield from _stub(scene, here, others)


def near_links(picture: Picture) -> Iterator[tuple[Province, Province]]:
    """Yield the links that are drawn as a whole line."""
    return (pair for pair in picture.links if not _is_far(picture, pair))


def far_neighbours(picture: Picture) -> Mapping[Province, tuple[Province, ...]]:
    """Return the neighbours at the other side of the picture, by province."""
    found: dict[Province, tuple[Province, ...]] = {}
    for pair in picture.links:
        if _is_far(picture, pair):
            for one, other in (pair, pair[::-1]):
                found[one] = (*found.get(one, ()), other)
    return found


def _is_far(picture: Picture, pair: tuple[Province, Province]) -> bool:
    far = FAR_SHARE * picture.width if picture.borders else math.inf
    return math.dist(*(picture.names[place] for place in pair)) >= far


def _link(line: Polyline) -> str:
    return element(
        "path",
        d=path([line], closed=False),
        stroke=palette.FAINT_INK,
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
        fill=palette.FAINT_INK,
    )
