"""A planar drawing of the graph in a frame (Tutte embedding), with cell corners."""

import networkx as nx
import numpy as np
from attrs import define
from plane import Floats, centroid, is_seen_from

from daide_server.board.map import Terrain, Variant

CELL = 104.0
"""The side of a square as large as a land province."""
SEA_SIZE = 1.25

Key = tuple[object, ...]


@define
class Face:
    """A face of the graph: the provinces around it, and the corners at its steps."""

    walk: list[str]
    corners: list[Key]
    is_void: bool


class Layout:
    """The graph drawn with straight lines, and a corner wherever cells meet."""

    def __init__(self, variant: Variant, graph: nx.Graph) -> None:
        self.variant = variant
        self.graph = graph
        area = sum(self.size(at) for at in graph) * CELL * CELL
        self.width = round((area * 1.25) ** 0.5)
        self.height = round(area / self.width)
        self.faces, self.outer = self._faces()
        self.mesh = self._mesh()
        self.at = self._tutte()
        self._smooth()

    def size(self, province: str) -> float:
        """Return the wanted area of *province*; a land province has 1."""
        is_sea = self.variant.map.terrain[province] is Terrain.SEA
        return SEA_SIZE if is_sea else 1.0

    def _faces(self) -> tuple[list[Face], Face]:
        """Return the inner faces and the outer one."""
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
        """Return each vertex at the mean of its neighbours, with a fixed frame."""
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
        """Move each point to the centroid of its neighbours unless lines cross."""
        rings = {
            vertex: self._ring(vertex)
            for vertex in self.mesh
            if vertex not in set(self.outer.corners)
        }
        for _ in range(rounds):
            for vertex, ring in rings.items():
                around = np.array([self.at[other] for other in ring])
                middle = centroid(around)
                if is_seen_from(around, middle):
                    self.at[vertex] = middle

    def _ring(self, vertex: object) -> list[object]:
        """Return the neighbours of *vertex* by their direction."""
        x, y = self.at[vertex]
        return sorted(
            self.mesh[vertex],
            key=lambda other: np.arctan2(self.at[other][1] - y, self.at[other][0] - x),
        )
