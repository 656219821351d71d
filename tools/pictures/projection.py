"""The projection from longitude and latitude to the picture of Europe.

Lambert's azimuthal equal-area projection (Snyder, Map Projections, 24-2 to 24-4), with
the middle enlarged.
"""

import math
from collections.abc import Iterable

import shapely
from europe_lines import Place
from shapely import Polygon

CENTRE = (10.0, 49.0)
EARTH = 6371.0
BULGE = 1700.0
"""In kilometres: distances shrink from the middle outward, less if this is larger."""
LEFT, RIGHT, TOP, BOTTOM = -1440.0, 1730.0, -1680.0, 1290.0
SCALE = 0.46
"""Units of the picture per kilometre."""


def project(place: Place) -> Place:
    """Return where a longitude and latitude are in the picture."""
    east, north = (math.radians(degrees) for degrees in place)
    mid_east, mid_north = (math.radians(degrees) for degrees in CENTRE)
    turn = east - mid_east
    cosine = math.sin(mid_north) * math.sin(north)
    cosine += math.cos(mid_north) * math.cos(north) * math.cos(turn)
    factor = EARTH * math.sqrt(2 / (1 + cosine))
    x = factor * math.cos(north) * math.sin(turn)
    y = factor * (
        math.cos(mid_north) * math.sin(north)
        - math.sin(mid_north) * math.cos(north) * math.cos(turn)
    )
    far = math.hypot(x, y) or 1.0
    shrunk = BULGE * math.atan(far / BULGE) / far
    return (x * shrunk - LEFT) * SCALE, (-y * shrunk - TOP) * SCALE


def area(outline: Iterable[Place]) -> Polygon:
    """Return what *outline* encloses in the picture."""
    return Polygon([project(place) for place in outline])


WIDTH = float(round((RIGHT - LEFT) * SCALE))
HEIGHT = float(round((BOTTOM - TOP) * SCALE))
FRAME = shapely.box(0, 0, WIDTH, HEIGHT)
