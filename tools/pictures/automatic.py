"""A picture of any map from its adjacency alone: planar layout, relaxed cells.

The graph of neighbours is made planar (what must be left out becomes a link) and
drawn with straight lines inside a frame. Each province is then the cell around its
point; where more than three provinces meet, a void keeps those apart that are no
neighbours. Last, the cells are relaxed like foam: equal areas, short borders.

    python tools/pictures/automatic.py NAME...
"""

import random
import sys

from cells import cells_of
from compass import turned
from foam import Foam
from layout import Layout
from planar import planar_part
from shipping import Drawn, ship, ship_same

from daide_server.board.variant import Variant
from daide_server.storage.variants import load_variant, variant_names

LEFT_OUT = {"standard", "pure"}
"""Drawn by hand, and as discs and lines."""
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


def picture(variant: Variant, seed: int = 1) -> Drawn:
    """Return the picture of *variant*."""
    graph = planar_part(variant, random.Random(seed))
    layout = Layout(variant, graph)
    relaxed = Foam(layout, cells_of(layout)).relax()
    faces = {name: face for name, face in relaxed.items() if isinstance(name, str)}
    voids = [face for name, face in relaxed.items() if not isinstance(name, str)]
    return turned(Drawn(layout.width, layout.height, faces, voids), variant.name)


def main() -> None:
    """Draw the maps that are named, or all that are drawn so."""
    for name in sys.argv[1:] or sorted(set(variant_names()) - LEFT_OUT):
        variant = load_variant(name)
        if name in SAME:
            ship_same(variant, SAME[name])
            continue
        drawn = picture(variant)
        ship(variant, drawn)
        print(name, len(drawn.faces), "provinces", len(drawn.voids), "voids")


if __name__ == "__main__":
    main()
