"""The best spots for a unit, a name and a centre in a face.

Each face has a raster of distances to its border. All places and arrangements are
scored, and the one with the most space around all that is drawn wins.
"""

from collections.abc import Iterable

import numpy as np
import shapely
from attrs import define
from plane import Floats
from shapely import MultiPolygon, Polygon

Spot = tuple[float, float]

GRID = 2.0
ENOUGH = 13.0
"""More space than this does not improve the score."""
UNIT = (14.0, 14.0)
NAME = (17.0, 7.0)
NAME_WITH_CENTRE = (25.0, 7.0)
STAR_SHIFT = 8.0
ARRANGEMENTS = (
    ((0.0, 24.0), 0.0), ((0.0, -24.0), 2.5), ((40.0, 3.0), 3.0), ((-40.0, 3.0), 3.0),
    ((18.0, 24.0), 3.0), ((-18.0, 24.0), 3.0), ((20.0, -23.0), 3.5),
    ((-20.0, -23.0), 3.5), ((36.0, 14.0), 3.5), ((-36.0, 14.0), 3.5),
    ((36.0, -10.0), 3.5), ((-36.0, -10.0), 3.5),
)  # fmt: skip
"""Offsets of the name from the unit, and the penalty of each."""


@define
class Spots:
    """The middles of what is drawn in one face."""

    unit: Spot
    name: Spot


def placed_spots(
    face: Polygon | MultiPolygon, *, centre: bool, unit: Spot | None = None
) -> Spots:
    """Return the best spots in *face*; a given *unit* is not moved."""
    space = _Space(face)
    places = space.places if unit is None else np.array([unit])
    if not len(places):
        places = np.array([face.representative_point().coords[0]])
    half = NAME_WITH_CENTRE if centre else NAME
    unit_space = np.minimum(space.at(places, _samples(UNIT)), ENOUGH)
    best: tuple[float, Spots] | None = None
    for shift, price in ARRANGEMENTS:
        sideways = np.sign(shift[0]) * (half[0] - NAME[0]) if abs(shift[0]) > 30 else 0  # noqa: PLR2004
        offset = np.array((shift[0] + sideways, shift[1]))
        name_space = np.minimum(space.at(places + offset, _samples(half)), ENOUGH)
        score = np.minimum(unit_space, 1 + 0.7 * name_space) * 2 + 0.3 * (
            unit_space + name_space
        )
        score = score - price - 0.012 * space.eccentricity(places + offset / 2)
        winner = int(score.argmax())
        if best is None or score[winner] > best[0]:
            at = places[winner]
            best = float(score[winner]), _spots(at, at + offset, centre=centre)
    assert best is not None
    return best[1]


def _spots(unit: Floats, name: Floats, *, centre: bool) -> Spots:
    shift = STAR_SHIFT if centre else 0.0
    at = float(unit[0]), float(unit[1])
    return Spots(at, (float(name[0]) + shift, float(name[1])))


def _samples(half: tuple[float, float]) -> Floats:
    return np.array(
        [(half[0] * a, half[1] * b) for a in (-1, -0.5, 0, 0.5, 1) for b in (-1, 0, 1)]
    )


class _Space:
    """The distance of each place to the border; negative outside."""

    def __init__(self, face: Polygon | MultiPolygon) -> None:
        parts: Iterable[Polygon] = shapely.get_parts(face)
        largest = max(parts, key=lambda part: part.area)
        self.left, self.top, right, bottom = largest.bounds
        margin = 60.0
        self.left, self.top = self.left - margin, self.top - margin
        xs = np.arange(self.left, right + margin, GRID)
        ys = np.arange(self.top, bottom + margin, GRID)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        inside = shapely.contains_xy(largest, grid[..., 0], grid[..., 1])
        distance = shapely.distance(
            shapely.simplify(largest, 0.7).boundary, shapely.points(grid)
        )
        self.space = np.where(inside, distance, -distance)
        self.places = grid[inside & (distance > 4)][:: 1 + inside.sum() // 4000]  # noqa: PLR2004
        self.middle = np.array(largest.centroid.coords[0])

    def at(self, places: Floats, samples: Floats) -> Floats:
        """Return the least space at the samples around each place."""
        found = np.full(len(places), np.inf)
        for sample in samples:
            x, y = ((places + sample - (self.left, self.top)) / GRID).round().T
            rows = np.clip(y.astype(int), 0, self.space.shape[0] - 1)
            columns = np.clip(x.astype(int), 0, self.space.shape[1] - 1)
            found = np.minimum(found, self.space[rows, columns])
        return found

    def eccentricity(self, places: Floats) -> Floats:
        """Return how far from the middle of the face each place is."""
        return np.hypot(*(places - self.middle).T)
