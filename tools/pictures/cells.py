"""The cell around each province and each void, before they relax."""

from collections import defaultdict

from attrs import define
from layout import Key, Layout
from plane import Floats


@define
class Cells:
    """Borders as lines between corners, and the numbers of those around each cell."""

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
