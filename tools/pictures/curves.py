"""Lines through a few places: smooth at sea, rough on land."""

import math
import random

from europe_lines import Hint, Place
from projection import project
from shapely import LineString

from daide_server.pictures.picture import curve

ROUGHNESS = 0.09
STEP = 5.0
"""The length of the pieces of a rough line."""


def smooth(hint: Hint) -> LineString:
    """Return a smooth line through the places of *hint*."""
    return LineString(curve([project(place) for place in hint], steps=8))


def rough(line: LineString, chance: random.Random) -> LineString:
    """Return *line* with random offsets, like a border along rivers and hills.

    The offsets are those of midpoint displacement.
    """
    pieces = max(2, 2 ** math.ceil(math.log2(line.length / STEP)))
    offsets = [0.0] * (pieces + 1)
    step = pieces
    while step > 1:
        for place in range(step // 2, pieces, step):
            middle = (offsets[place - step // 2] + offsets[place + step // 2]) / 2
            spread = ROUGHNESS * line.length * step / pieces
            offsets[place] = middle + chance.uniform(-spread, spread)
        step //= 2
    return LineString(
        _aside(line, place / pieces, offset) for place, offset in enumerate(offsets)
    )


def _aside(line: LineString, share: float, offset: float) -> Place:
    at, near = (
        line.interpolate(min(1, max(0, share + more)), normalized=True)
        for more in (0, 0.01 if share < 0.5 else -0.01)  # noqa: PLR2004
    )
    across, down = near.x - at.x, near.y - at.y
    if share >= 0.5:  # noqa: PLR2004
        across, down = -across, -down
    length = math.hypot(across, down) or 1
    return at.x - down / length * offset, at.y + across / length * offset
