"""A picture of any map from its adjacency alone: planar layout, relaxed cells.

The graph of neighbours is made planar; borders that do not fit become links. The graph
is drawn with straight lines in a frame, and each province is the cell around its point.
Where more than three provinces meet, a void separates those that are no neighbours.
Last, the cells are relaxed as bubbles of foam are: equal areas, short borders.

    python tools/pictures/automatic.py NAME...
"""

import random
import sys

from cells import cells_of
from layout import Layout
from orientation import oriented
from picture_file import DrawnMap, write_picture, write_reference
from planar import planar_part
from relaxation import Relaxation

from daide_server.board.map import Variant
from daide_server.library.variants import load_variant, variant_names

LEFT_OUT = {"standard", "pure"}
"""Maps that are drawn by hand, and as discs and lines."""
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
"""Variants on the map of another one, whose picture they share."""


def picture(variant: Variant, seed: int = 1) -> DrawnMap:
    """Return the picture of *variant*."""
    graph = planar_part(variant, random.Random(seed))
    layout = Layout(variant, graph)
    relaxed = Relaxation(layout, cells_of(layout)).relax()
    faces = {name: face for name, face in relaxed.items() if isinstance(name, str)}
    voids = [face for name, face in relaxed.items() if not isinstance(name, str)]
    return oriented(DrawnMap(layout.width, layout.height, faces, voids), variant.name)


def main() -> None:
    """Draw the maps in the arguments, or all that are drawn automatically."""
    for name in sys.argv[1:] or sorted(set(variant_names()) - LEFT_OUT):
        variant = load_variant(name)
        if name in SAME:
            write_reference(variant, SAME[name])
            continue
        drawn = picture(variant)
        write_picture(variant, drawn)
        print(name, len(drawn.faces), "provinces", len(drawn.voids), "voids")


if __name__ == "__main__":
    main()
