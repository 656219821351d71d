"""Faces that share their borders, as arcs that are stored once (TopoJSON's topology).

Points are whole tenths; the common border of two faces has the same points on both
sides.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import shapely
from shapely import MultiPolygon, Polygon

Node = tuple[int, int]
Arc = list[Node]
Ring = list[int]
"""References to arcs; `~number` is the arc backwards."""
Face = Polygon | MultiPolygon


def topology(
    faces: Mapping[str, Face], voids: Iterable[Face]
) -> tuple[list[Arc], dict[str, list[Ring]], list[Ring]]:
    """Return the arcs of all faces, the rings of each, and those of the voids."""
    rings = {name: list(_rings(face)) for name, face in faces.items()}
    empty = [list(_rings(face)) for face in voids]
    chains = _Chains([*rings.values(), *empty])
    referring = {name: [chains.ring(each) for each in of] for name, of in rings.items()}
    return chains.arcs, referring, [chains.ring(each) for of in empty for each in of]


class _Chains:
    """Cuts rings into arcs at the points where three faces meet."""

    def __init__(self, faces: Iterable[list[list[Node]]]) -> None:
        beside = defaultdict(set)
        for number, rings in enumerate(faces):
            for segment in (each for ring in rings for each in _segments(ring)):
                beside[frozenset(segment)].add(number)
        ends = defaultdict(list)
        for segment, sides in beside.items():
            for node in segment:
                ends[node].append(frozenset(sides))
        self.corners = {
            node
            for node, sides in ends.items()
            if len(sides) != 2 or sides[0] != sides[1]  # noqa: PLR2004
        }
        self.arcs: list[Arc] = []
        self._known: dict[tuple[Node, ...], int] = {}

    def ring(self, ring: list[Node]) -> Ring:
        """Return the ring as references to arcs; add the arcs that are new."""
        starts = [place for place, node in enumerate(ring) if node in self.corners]
        first = starts[0] if starts else ring.index(min(ring))
        rotated = [*ring[first:], *ring[:first], ring[first]]
        references, arc = [], rotated[:1]
        for node in rotated[1:]:
            arc.append(node)
            if node in self.corners or node == rotated[0]:
                references.append(self._reference(arc))
                arc = [node]
        return references

    def _reference(self, arc: Arc) -> int:
        there, back = tuple(arc), tuple(arc[::-1])
        if there in self._known:
            return self._known[there]
        if back in self._known:
            return ~self._known[back]
        self._known[there] = len(self.arcs)
        self.arcs.append(arc)
        return self._known[there]


def _rings(face: Face) -> Iterator[list[Node]]:
    for part in parts(face):
        for ring in (part.exterior, *part.interiors):
            nodes = whole(Polygon(ring))
            if len(nodes) > 2:  # noqa: PLR2004
                yield nodes


def whole(face: Polygon) -> list[Node]:
    """Return the outline in whole tenths, without repeated points."""
    found: list[Node] = []
    for x, y in face.exterior.coords[:-1]:
        node = round(x * 10), round(y * 10)
        if not found or found[-1] != node:
            found.append(node)
    return found[:-1] if len(found) > 1 and found[0] == found[-1] else found


def parts(face: Face) -> list[Polygon]:
    """Return the polygons that *face* is made of."""
    return [part for part in shapely.get_parts(face) if part.geom_type == "Polygon"]


def _segments(ring: list[Node]) -> Iterable[tuple[Node, Node]]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def steps(line: list[Node]) -> list[int]:
    """Return a line as its first point and the differences of its points."""
    x = y = 0
    found = []
    for across, down in line:
        found += [across - x, down - y]
        x, y = across, down
    return found
