"""Forces on the points of borders: they equalise areas and shorten borders.

The energy of a cell is the square of the logarithm of area / target, and the
isoperimetric quotient of the cell; a point moves down the gradient.
"""

from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from plane import Floats, cross


class Forces:
    """Moves points so that areas become equal and borders short."""

    def __init__(
        self, loops: list[Floats], targets: Floats, chains: list[list[int]]
    ) -> None:
        self.loops = loops
        self.targets = targets
        self.here = np.concatenate(loops)
        self.after = np.concatenate([np.roll(loop, -1) for loop in loops])
        self.before = np.concatenate([np.roll(loop, 1) for loop in loops])
        self.cell = np.concatenate(
            [np.full(len(loop), number) for number, loop in enumerate(loops)]
        )
        inner = [
            (b, a, c)
            for chain in chains
            for a, b, c in zip(chain, chain[1:], chain[2:], strict=False)
        ]
        self.inner, self.left, self.right = np.array(inner).T
        self.segments = np.array([pair for chain in chains for pair in pairwise(chain)])

    def is_even(self, points: Floats) -> bool:
        """Return whether no cell is much smaller than it should be."""
        twice = np.bincount(self.cell, cross(points[self.here], points[self.after]))
        return bool((twice > self.targets).all())

    def step(self, points: Floats, free: NDArray[np.bool_], pace: float) -> Floats:
        """Return the points after one step; cells stay valid."""
        move = self._force(points) * self.targets.mean() * 0.35
        even = (points[self.left] + points[self.right]) / 2 - points[self.inner]
        np.add.at(move, self.inner, 0.25 * even)
        return self._careful(points, self._limited(points, move, pace) * free[:, None])

    def _force(self, points: Floats) -> Floats:
        """Return the force on each point: the negative gradient of the energy."""
        count = len(self.loops)
        side = points[self.after] - points[self.here]
        length = np.hypot(*side.T)
        area = 0.5 * np.bincount(
            self.cell, cross(points[self.here], points[self.after]), count
        )
        around = np.bincount(self.cell, length, count)
        area = np.maximum(area, 1.0)
        quotient = around**2 / (4 * np.pi * area)
        by_area = 2 * np.log(area / self.targets) / area - 0.22 * quotient / area
        by_length = 0.44 * quotient / around
        spread = points[self.after] - points[self.before]
        push = np.stack([spread[:, 1], -spread[:, 0]], axis=1) / 2
        force = np.zeros_like(points)
        np.add.at(force, self.here, -by_area[self.cell, None] * push)
        unit = side / np.maximum(length, 1e-9)[:, None]
        pull = by_length[self.cell, None] * unit
        np.add.at(force, self.here, pull)
        np.add.at(force, self.after, -pull)
        return force

    def _limited(self, points: Floats, move: Floats, pace: float) -> Floats:
        """Return the moves, none longer than a share of the shortest side there."""
        one, other = self.segments.T
        sides = np.hypot(*(points[one] - points[other]).T)
        reach = np.full(len(points), 6.0)
        np.minimum.at(reach, one, sides * 0.45)
        np.minimum.at(reach, other, sides * 0.45)
        size = np.hypot(*move.T)
        return move * (pace * np.minimum(1, reach / np.maximum(size, 1e-9)))[:, None]

    def _careful(self, points: Floats, move: Floats) -> Floats:
        """Return the moved points, with those of broken cells left where they were."""
        for _ in range(6):
            moved = points + move
            rings = shapely.linearrings(moved[self.here], indices=self.cell)
            sound = shapely.is_ccw(rings) & shapely.is_valid(shapely.polygons(rings))
            if sound.all():
                return moved
            for number in np.flatnonzero(~sound):
                move[self.loops[number]] = 0
        return points
