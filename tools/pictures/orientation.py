"""Rotations and reflections of a picture, so that north is up."""

import numpy as np
import shapely
from picture_file import DrawnMap
from plane import Floats

COMPASS = {
    "abstraction2": ("BAR", "MOS", "LIB", "POR"),
    "african2": ("TUN", "SOM", "CAP", "SEN"),
    "americas4": ("ALA", "NYC", "TDF", "CAL"),
    "classical": ("SCY", "MES", "NUB", "CEL"),
    "colonial": ("KRA", "OTA", "NEW", "CON"),
    "empire": ("NUN", "NEW", "LIM", "HAW"),
    "hundred3": ("SCT", "CAN", "CAS", "IRI"),
    "iberian2": ("BIL", "BAR", "CAD", "LIS"),
    "modern": ("BRN", "SIB", "ASW", "MID"),
    "sailho": ("AEO", "CEN", "XEN", "VES"),
    "sam53": ("CRC", "RDJ", "TDF", "LIM"),
    "south_america32": ("CAR", "RDJ", "TDF", "LIM"),
    "south_america51": ("CAR", "RDJ", "TDF", "LIM"),
    "south_east_asia3": ("SIC", "PAC", "NTE", "BUR"),
    "versailles3": ("BAR", "MOS", "LIB", "MAO"),
    "world": ("THU", "HEI", "SOP", "ALB"),
    "world3": ("AOC", "HEI", "SOP", "ALB"),
}
"""Provinces in the north, east, south and west of each map that has directions."""


Turn = tuple[bool, tuple[int, int]]
"""Whether x and y are swapped, and the sign of each."""
TURNS: tuple[Turn, ...] = tuple(
    (swap, flips)
    for swap in (False, True)
    for flips in ((1, 1), (1, -1), (-1, 1), (-1, -1))
)


def oriented(drawn: DrawnMap, name: str) -> DrawnMap:
    """Return the picture with north up, if `COMPASS` has the map."""
    if name not in COMPASS:
        return drawn
    swap, flips = _best_turn(drawn, name)
    size = np.array((drawn.width, drawn.height))
    width, height = size[::-1] if swap else size

    def turned(points: Floats) -> Floats:
        """Return the points after the turn, moved into the frame again."""
        points = points[:, ::-1] if swap else points
        return points * flips + np.where(np.array(flips) < 0, (width, height), 0)

    return DrawnMap(
        width,
        height,
        {at: shapely.transform(face, turned) for at, face in drawn.faces.items()},
        [shapely.transform(face, turned) for face in drawn.voids],
    )


def _best_turn(drawn: DrawnMap, name: str) -> Turn:
    """Return the turn after which east is right and south is down, most of all."""
    north, east, south, west = (
        np.array(drawn.faces[place].centroid.coords[0]) for place in COMPASS[name]
    )

    def score(turn: Turn) -> float:
        """Return how far east is right of west, plus south below north."""
        swap, flips = turn
        to_east, to_south = (
            (way[::-1] if swap else way) * flips for way in (east - west, south - north)
        )
        return float(to_east[0] + to_south[1])

    return max(TURNS, key=score)
