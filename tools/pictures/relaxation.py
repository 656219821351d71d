"""The relaxation of the cells, like bubbles of foam: the points of borders move."""

import numpy as np
import shapely
from cells import Cells
from forces import Forces
from layout import Key, Layout
from plane import Floats
from shapely import Polygon

VOID_SIZE = 0.05
POINTS = 5
"""The segments that a border is made of while it relaxes."""


class Relaxation:
    """All points of all borders, and the cells as loops of them."""

    def __init__(self, layout: Layout, cells: Cells) -> None:
        self.layout = layout
        self.points: list[Floats] = []
        self.index: dict[Key, int] = {}
        self.fixed: set[int] = set()
        self.chains = [
            self._chain(ends, line)
            for ends, line in zip(cells.ends, cells.lines, strict=True)
        ]
        self.loops = {
            name: self._loop([self.chains[number] for number in numbers])
            for name, numbers in cells.around.items()
        }

    def relax(self, least: int = 4000, most: int = 9000) -> dict[object, Polygon]:
        """Return the cells after *least* to *most* steps, when their areas are even."""
        points = np.array(self.points)
        names = list(self.loops)
        targets = np.array([self._target(name) for name in names])
        targets *= self.layout.width * self.layout.height / targets.sum()
        forces = Forces(
            [np.array(self.loops[name]) for name in names], targets, self.chains
        )
        free = np.ones(len(points), dtype=bool)
        free[list(self.fixed)] = False
        for number in range(most):
            points = forces.step(points, free, 0.5)
            if number > least and number % 500 == 0 and forces.is_even(points):
                break
        for _ in range(least // 4):
            points = forces.step(points, free, 0.2)
        return self._smoothed(points)

    def _smoothed(self, points: Floats) -> dict[object, Polygon]:
        """Return the cells with curved borders, or straight where curves break them."""
        soft = {number for chain in self.chains for number in chain[1:-1]}
        soft -= self.fixed
        while True:
            cells = {
                name: Polygon(_rounded(points[loop], [n in soft for n in loop]))
                for name, loop in self.loops.items()
            }
            broken = [name for name, cell in cells.items() if not cell.is_valid]
            if not broken or not soft:
                return cells
            for name in broken:
                soft -= set(self.loops[name])

    def _target(self, name: object) -> float:
        if isinstance(name, str):
            return self.layout.size(name)
        return VOID_SIZE * (len(self.loops[name]) / POINTS - 2.6)

    def _chain(self, ends: tuple[Key, Key], line: list[Floats]) -> list[int]:
        whole = shapely.LineString(line)
        on_frame = all(end in self.layout.outer.corners for end in ends)
        first, last = (
            self._point(end, at, fixed=end in self.layout.outer.corners)
            for end, at in zip(ends, (line[0], line[-1]), strict=True)
        )
        if on_frame:
            inner = [self._point(None, at, fixed=True) for at in line[1:-1]]
        else:
            inner = [
                self._point(
                    None,
                    np.array(whole.interpolate(n / POINTS, normalized=True).coords[0]),
                    fixed=False,
                )
                for n in range(1, POINTS)
            ]
        return [first, *inner, last]

    def _point(self, key: Key | None, at: Floats, *, fixed: bool) -> int:
        if key in self.index:
            return self.index[key]
        self.points.append(np.array(at, dtype=float))
        number = len(self.points) - 1
        if key is not None:
            self.index[key] = number
        if fixed:
            self.fixed.add(number)
        return number

    def _loop(self, chains: list[list[int]]) -> list[int]:
        """Return the chains joined to a counter-clockwise ring."""
        left = [chain[:] for chain in chains]
        loop = left.pop()
        while left:
            chain = next(c for c in left if loop[-1] in (c[0], c[-1]))
            left.remove(chain)
            loop += (chain if chain[0] == loop[-1] else chain[::-1])[1:]
        loop = loop[:-1]
        if not Polygon([self.points[p] for p in loop]).exterior.is_ccw:
            loop.reverse()
        return loop


def _rounded(ring: Floats, is_soft: list[bool]) -> Floats:
    """Return *ring* with its soft points replaced by short bends."""
    found = []
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    for a, b, c, soft in zip(before, ring, after, is_soft, strict=True):
        if soft:
            # The same numbers for both directions of a border, which two rings share.
            found += [b * 0.75 + a * 0.25, (a + 6 * b + c) / 8, b * 0.75 + c * 0.25]
        else:
            found.append(b)
    return np.array(found)
