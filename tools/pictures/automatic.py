"""A picture of any map from its adjacency alone: planar layout, relaxed cells.

The graph of neighbours is made planar (what must be left out becomes a link) and
drawn with straight lines inside a frame. Each province is then the cell around its
point; where more than three provinces meet, a void keeps those apart that are no
neighbours. Last, the cells are relaxed like foam: equal areas, short borders.

    python tools/pictures/automatic.py NAME...
"""

import random
import sys
from collections import Counter, defaultdict
from itertools import pairwise

import networkx as nx
import numpy as np
import shapely
from attrs import define
from numpy.typing import NDArray
from shapely import Polygon
from shipping import Drawn, neighbours, ship, ship_same

from daide_server.board.map import Terrain
from daide_server.board.variant import Variant
from daide_server.storage.variants import load_variant, variant_names

BY_HAND = {"standard"}
SAME = {
    "1900": "standard",
    "age_of_empires": "standard",
    "age_of_empires_2": "standard",
    "fleet_rome": "standard",
    "fva": "standard",
    "gvi": "standard",
    "shift_around": "standard",
    "hundred31": "hundred3",
    "hundred32": "hundred3",
}
"""Variants on the map of another one."""
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
"""Provinces in the north, east, south and west, where there are such."""
CELL = 104.0
"""The side of a square as large as a land province."""
SEA_SIZE = 1.25
TRIES = 12
"""How often a planar part is looked for; the one with most borders is drawn."""
VOID_SIZE = 0.05
POINTS = 5
"""The segments that a border is made of while it relaxes."""
PACIFIC = (
    "BRS KAM", "BRS NWP", "NPO NWP", "CPO NWP", "CPO WPO", "PIS WPO", "PIS IND",
    "PIS JSE", "PIS QSL", "PIS TSE", "PIS NZE", "SPO NZE", "SPO SWP", "SPO RIS",
    "MBL RIS",
)  # fmt: skip
SEAMS = {"world": PACIFIC, "world3": PACIFIC}
"""Where a map that goes around the world is cut open."""
Floats = NDArray[np.float64]
Key = tuple[object, ...]


def picture(variant: Variant, seed: int = 1) -> Drawn:
    """Return the picture of *variant*."""
    graph = planar_part(variant, random.Random(seed))
    layout = Layout(graph, sum(_size(variant, at) for at in graph))
    cells = cells_of(layout)
    relaxed = Foam(variant, layout, cells).relax()
    faces = {name: face for name, face in relaxed.items() if isinstance(name, str)}
    voids = [face for name, face in relaxed.items() if not isinstance(name, str)]
    return turned(Drawn(layout.width, layout.height, faces, voids), variant.name)


def turned(drawn: Drawn, name: str) -> Drawn:
    """Return the picture with north up, as far as `COMPASS` tells."""
    if name not in COMPASS:
        return drawn
    north, east, south, west = (
        np.array(drawn.faces[place].centroid.coords[0]) for place in COMPASS[name]
    )
    size = np.array((drawn.width, drawn.height))
    turns = [
        (swap, flips)
        for swap in (False, True)
        for flips in ((1, 1), (1, -1), (-1, 1), (-1, -1))
    ]

    def order(turn: tuple[bool, tuple[int, int]]) -> float:
        swap, flips = turn
        to_east, to_south = (
            (way[::-1] if swap else way) * flips for way in (east - west, south - north)
        )
        return float(to_east[0] + to_south[1])

    swap, flips = max(turns, key=order)
    width, height = size[::-1] if swap else size

    def turn(points: Floats) -> Floats:
        points = points[:, ::-1] if swap else points
        return points * flips + np.where(np.array(flips) < 0, (width, height), 0)

    return Drawn(
        width,
        height,
        {at: shapely.transform(face, turn) for at, face in drawn.faces.items()},
        [shapely.transform(face, turn) for face in drawn.voids],
    )


def _size(variant: Variant, province: str) -> float:
    is_sea = variant.map.terrain[province] is Terrain.SEA
    return SEA_SIZE if is_sea else 1.0


def planar_part(variant: Variant, chance: random.Random) -> nx.Graph:
    """Return the graph of neighbours, less what cannot be drawn in the plane."""
    full = nx.Graph(sorted(tuple(sorted(pair)) for pair in neighbours(variant.map)))
    full.add_nodes_from(variant.map.provinces)
    seam = [tuple(pair.split()) for pair in SEAMS.get(variant.name, ())]
    full.remove_edges_from(seam)
    if nx.check_planarity(full)[0]:
        return full
    starts = sorted(full)
    chance.shuffle(starts)
    parts = [_grown(full, start) for start in starts[:TRIES]]
    parts.append(_untangled(full, chance))
    return max(parts, key=nx.number_of_edges)


def _untangled(full: nx.Graph, chance: random.Random) -> nx.Graph:
    """Return a planar part of *full*, without the borders that tangle it locally.

    What is not planar is mostly a strait where fleets and armies cross. Of the borders
    without which the surroundings of a province are planar, the one that helps most
    provinces is left out, until all is planar; what can come back then does.
    """
    found = full.copy()
    removed = []
    for radius in (1, 2, 3):
        while votes := _tangles(found, radius):
            edge = max(sorted(votes), key=lambda edge: votes[edge])
            found.remove_edge(*edge)
            removed.append(edge)
    if not nx.check_planarity(found)[0]:
        return nx.Graph()
    chance.shuffle(removed)
    for edge in removed:
        found.add_edge(*edge)
        if not nx.check_planarity(found)[0]:
            found.remove_edge(*edge)
    return found


def _tangles(graph: nx.Graph, radius: int) -> Counter[tuple[str, str]]:
    """Return how many tangled surroundings each edge's removal would make planar."""
    votes: Counter[tuple[str, str]] = Counter()
    for centre in graph:
        near = nx.ego_graph(graph, centre, radius)
        if nx.check_planarity(near)[0]:
            continue
        for edge in list(near.edges()):
            near.remove_edge(*edge)
            if nx.check_planarity(near)[0]:
                votes[min(edge), max(edge)] += 1
            near.add_edge(*edge)
    return votes


def _grown(full: nx.Graph, start: str) -> nx.Graph:
    """Return a planar part of *full* that grows province by province.

    Near provinces come first, so that what does not fit is most likely what is out of
    place on the board as well.
    """
    found = nx.Graph()
    found.add_node(start)
    for one, other in nx.bfs_edges(full, start):
        found.add_edge(one, other)
        for near in sorted(set(full[other]) & set(found) - {one}):
            found.add_edge(other, near)
            if not nx.check_planarity(found)[0]:
                found.remove_edge(other, near)
    return found


@define
class Face:
    """A face of the graph: the provinces around it, and the corners at its steps."""

    walk: list[str]
    corners: list[Key]
    is_void: bool


class Layout:
    """The graph drawn with straight lines, and a corner wherever cells meet."""

    def __init__(self, graph: nx.Graph, size: float) -> None:
        self.graph = graph
        area = size * CELL * CELL
        self.width = round((area * 1.25) ** 0.5)
        self.height = round(area / self.width)
        self.faces, self.outer = self._faces()
        self.mesh = self._mesh()
        self.at = self._tutte()
        self._smooth()

    def _faces(self) -> tuple[list[Face], Face]:
        """Return the inner faces, and the one that the frame is."""
        _, embedding = nx.check_planarity(self.graph)
        seen: set[tuple[str, str]] = set()
        walks = [
            embedding.traverse_face(u, v, mark_half_edges=seen)
            for u, v in embedding.edges()
            if (u, v) not in seen
        ]
        walks.sort(key=lambda walk: (-len(set(walk)), -len(walk)))
        faces = [
            self._face(number, walk, inner=number > 0)
            for number, walk in enumerate(walks)
        ]
        return faces[1:], faces[0]

    @staticmethod
    def _face(number: int, walk: list[str], *, inner: bool) -> Face:
        if inner and len(walk) == 3:  # noqa: PLR2004 - three cells meet in a point
            return Face(walk, [("corner", number)] * 3, is_void=False)
        corners = [("corner", number, step) for step in range(len(walk))]
        return Face(walk, corners, is_void=True)

    def _mesh(self) -> nx.Graph:
        """Return the graph with a ring of corners in each void, all triangles."""
        mesh = nx.Graph(self.graph)
        for face in (*self.faces, self.outer):
            if not face.is_void:
                continue
            for step, corner in enumerate(face.corners):
                following = (step + 1) % len(face.walk)
                mesh.add_edge(corner, face.walk[step])
                mesh.add_edge(corner, face.walk[following])
                mesh.add_edge(corner, face.corners[following])
                if face is not self.outer:
                    mesh.add_edge(corner, ("void", *face.corners[0]))
        return mesh

    def _tutte(self) -> dict[object, Floats]:
        """Return each vertex in the middle of its neighbours, the frame fixed."""
        fixed = self.frame_points()
        free = [vertex for vertex in self.mesh if vertex not in fixed]
        index = {vertex: place for place, vertex in enumerate(free)}
        matrix = np.zeros((len(free), len(free)))
        right = np.zeros((len(free), 2))
        for vertex, row in index.items():
            for other in self.mesh[vertex]:
                matrix[row, row] += 1
                if other in fixed:
                    right[row] += fixed[other]
                else:
                    matrix[row, index[other]] -= 1
        solved = np.linalg.solve(matrix, right)
        return fixed | {vertex: solved[row] for vertex, row in index.items()}

    def frame_points(self) -> dict[object, Floats]:
        """Return the corners on the frame, evenly around it."""
        around = len(self.outer.corners)
        return {
            corner: self.on_frame((place + 0.37) / around)
            for place, corner in enumerate(self.outer.corners)
        }

    def on_frame(self, share: float) -> Floats:
        """Return the point at *share* of the way around the frame, as faces turn."""
        w, h = self.width, self.height
        way = share % 1 * 2 * (w + h)
        for start, end, side in (
            ((0, 0), (w, 0), w), ((w, 0), (w, h), h), ((w, h), (0, h), w),
        ):  # fmt: skip
            if way <= side:
                return np.array(start) + (np.array(end) - start) * (way / side)
            way -= side
        return np.array((0.0, h - way))

    def _smooth(self, rounds: int = 150) -> None:
        """Move each point to the middle of its surroundings, unless lines cross."""
        rings = {
            vertex: self._ring(vertex)
            for vertex in self.mesh
            if vertex not in set(self.outer.corners)
        }
        for _ in range(rounds):
            for vertex, ring in rings.items():
                around = np.array([self.at[other] for other in ring])
                middle = _centroid(around)
                if _is_seen_from(around, middle):
                    self.at[vertex] = middle

    def _ring(self, vertex: object) -> list[object]:
        """Return the neighbours of *vertex* by their direction."""
        x, y = self.at[vertex]
        return sorted(
            self.mesh[vertex],
            key=lambda other: np.arctan2(self.at[other][1] - y, self.at[other][0] - x),
        )


def _cross(one: Floats, other: Floats) -> Floats:
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


def _centroid(ring: Floats) -> Floats:
    after = np.roll(ring, -1, axis=0)
    double = _cross(ring, after)
    return ((ring + after) * double[:, None]).sum(axis=0) / (3 * double.sum())


def _is_seen_from(ring: Floats, point: Floats) -> bool:
    after = np.roll(ring, -1, axis=0)
    return bool((_cross(ring - point, after - point) > 1e-6).all())  # noqa: PLR2004


# Cells


@define
class Cells:
    """Borders as lines between corners, and the borders around each cell."""

    lines: list[list[Floats]]
    ends: list[tuple[Key, Key]]
    around: dict[object, list[int]]


def cells_of(layout: Layout) -> Cells:
    """Return the cells of all provinces and voids, not yet relaxed."""
    cells = Cells([], [], defaultdict(list))
    halves: dict[tuple[str, str], Key] = {}
    for face in (*layout.faces, layout.outer):
        for step, corner in enumerate(face.corners):
            after = face.walk[(step + 1) % len(face.walk)]
            halves[face.walk[step], after] = corner
    at = {**layout.at}
    for face in layout.faces:
        if not face.is_void:
            at[face.corners[0]] = sum(layout.at[v] for v in face.walk) / 3
    for u, v in layout.graph.edges():
        ends = halves[u, v], halves[v, u]
        via = (layout.at[u] + layout.at[v]) / 2
        _add(cells, ends, [at[ends[0]], via, at[ends[1]]], u, v)
    for face in (*layout.faces, layout.outer):
        if face.is_void:
            for step, corner in enumerate(face.corners):
                following = (step + 1) % len(face.walk)
                ends = corner, face.corners[following]
                line = [at[ends[0]], at[ends[1]]]
                if face is layout.outer:
                    line = _along_frame(layout, step)
                _add(cells, ends, line, face.walk[following], ("void", id(face)))
    cells.around.pop(("void", id(layout.outer)), None)
    return cells


def _along_frame(layout: Layout, step: int) -> list[Floats]:
    around = len(layout.outer.corners)
    start, end = ((step + more + 0.37) / around for more in (0, 1))
    w, h = layout.width, layout.height
    turns = [share / (2 * (w + h)) for share in (w, w + h, 2 * w + h, 2 * (w + h))]
    turns += [turn + 1 for turn in turns]
    inner = [turn for turn in turns if start < turn < end]
    return [layout.on_frame(share) for share in (start, *inner, end)]


def _add(
    cells: Cells, ends: tuple[Key, Key], line: list[Floats], one: object, other: object
) -> None:
    for name in (one, other):
        cells.around[name].append(len(cells.lines))
    cells.lines.append(line)
    cells.ends.append(ends)


class Foam:
    """All points of all borders, and the cells as loops of them."""

    def __init__(self, variant: Variant, layout: Layout, cells: Cells) -> None:
        self.variant = variant
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
        """Return the cells after foam has had its way."""
        points = np.array(self.points)
        names = list(self.loops)
        targets = np.array([self._target(name) for name in names])
        targets *= self.layout.width * self.layout.height / targets.sum()
        flow = _Flow(
            [np.array(self.loops[name]) for name in names], targets, self.chains
        )
        free = np.ones(len(points), dtype=bool)
        free[list(self.fixed)] = False
        for number in range(most):
            points = flow.step(points, free, 0.5)
            if number > least and number % 500 == 0 and flow.is_even(points):
                break
        for _ in range(least // 4):
            points = flow.step(points, free, 0.2)
        return self._smoothed(points)

    def _smoothed(self, points: Floats) -> dict[object, Polygon]:
        """Return the cells with borders that are curves, all as they were inside."""
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
            return _size(self.variant, name)
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
        """Return the chains joined to a ring that turns to the right."""
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
            # In an order that does not depend on the direction of the ring.
            found += [b * 0.75 + a * 0.25, (a + 6 * b + c) / 8, b * 0.75 + c * 0.25]
        else:
            found.append(b)
    return np.array(found)


class _Flow:
    """Moves points so that areas even out and borders shorten."""

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
        twice = np.bincount(self.cell, _cross(points[self.here], points[self.after]))
        return bool((twice > self.targets).all())

    def step(self, points: Floats, free: NDArray[np.bool_], pace: float) -> Floats:
        """Return the points after one step; cells stay valid."""
        count = len(self.loops)
        side = points[self.after] - points[self.here]
        length = np.hypot(*side.T)
        area = 0.5 * np.bincount(
            self.cell, _cross(points[self.here], points[self.after]), count
        )
        around = np.bincount(self.cell, length, count)
        area = np.maximum(area, 1.0)
        # Energy of a cell: log(area / target)^2 and the isoperimetric quotient.
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
        move = force * self.targets.mean() * 0.35
        even = (points[self.left] + points[self.right]) / 2 - points[self.inner]
        np.add.at(move, self.inner, 0.25 * even)
        return self._careful(points, self._limited(points, move, pace) * free[:, None])

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


def main() -> None:
    """Draw the maps that are named, or all that are not drawn by hand."""
    for name in sys.argv[1:] or sorted(set(variant_names()) - BY_HAND):
        variant = load_variant(name)
        if name in SAME:
            ship_same(variant, SAME[name])
            continue
        drawn = picture(variant)
        ship(variant, drawn)
        print(name, len(drawn.faces), "provinces", len(drawn.voids), "voids")


if __name__ == "__main__":
    main()
