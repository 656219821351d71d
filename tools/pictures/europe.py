"""The picture of the standard map: Europe, from Natural Earth's coastlines.

The coast and some borders are those of the package `world-atlas` (public domain data);
the other borders are drawn by hand in `europe_lines`. All lines together are cut into
faces; anchors, points in `europe_lines`, assign each face to a province.

Two provinces share a border exactly if a unit can move between them. Therefore:

- the Danish belts and the Sound, the Bosporus with the Sea of Marmara and the
  Dardanelles, and the Strait of Messina belong to the land around them, and are painted
  as water;
- Kiel lies on both its seas; Spain, Bulgaria and St. Petersburg are one face each with
  two coasts; Clyde touches the North Atlantic, and Edinburgh the Norwegian Sea;
- Liverpool includes the south-west of Scotland, Wales includes Devon and Cornwall,
  Naples includes Sicily, Albania includes Montenegro, Tyrolia reaches Bohemia;
- Switzerland and Egypt cannot be entered. Islands lie in the seas, whose borders run
  under them.

    npm pack world-atlas && tar xzf world-atlas-*.tgz
    python tools/pictures/europe.py package/countries-50m.json
"""

import random
import sys
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import shapely
from countries import Atlas
from curves import rough, smooth
from europe_lines import ANCHORS, COUNTRY_BORDERS, LAND_LINES, SEA_LINES, STRAITS
from europe_spots import CENTRES, FOLLOWS, NAMES, UNITS
from picture_file import DrawnMap, neighbours, write_picture
from projection import FRAME, HEIGHT, WIDTH, area, project
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from topology import Face, parts

from daide_server.library.variants import load_variant

Anchors = Mapping[str, list[Point]]

STANDARD = load_variant("standard")
SIMPLER = 0.55
ISLAND = 70.0
"""The smallest island that is drawn, in square units."""
LAKE = 6.0
UNEXPECTED = 150.0
"""A piece as large as this should have an anchor of its own."""
VISIBLE = 8.0
"""A shorter border is hard to see."""


def cut(atlas: Atlas) -> DrawnMap:
    """Return the picture, with the spots that are placed by hand."""
    on_land, at_sea = _anchors(land=True), _anchors(land=False)
    coast = atlas.land()
    straits = shapely.union_all([area(outline) for outline in STRAITS.values()])
    filled = shapely.union_all([coast, straits]).intersection(FRAME)
    main, islands = _with_islands(filled, on_land, at_sea)
    main, ponds = _without_ponds(main, at_sea)
    land, water = _pieces(main, _land_lines(atlas), _sea_lines())
    faces = _simplified(_assigned(land, on_land) | _assigned(water, at_sea))
    provinces = {name: face for name, face in faces.items() if not _is_void(name)}
    voids = [part for name in faces if _is_void(name) for part in parts(faces[name])]
    lakes = [*parts(shapely.difference(straits.intersection(main), coast)), *ponds]
    return DrawnMap(
        WIDTH,
        HEIGHT,
        provinces,
        voids,
        [shapely.simplify(island, SIMPLER) for island in islands],
        [shapely.simplify(lake, 0.3) for lake in lakes if lake.area > LAKE],
        units=dict(UNITS),
        names=dict(NAMES),
        centres=dict(CENTRES),
        follows=dict(FOLLOWS),
    )


def _is_void(name: str) -> bool:
    return name.startswith("void")


def _anchors(*, land: bool) -> Anchors:
    terrain = STANDARD.map.terrain
    return {
        name: [Point(project(place)) for place in places]
        for name, places in ANCHORS.items()
        if land == (_is_void(name) or terrain[name].value != "sea")
    }


def _all(anchors: Anchors) -> BaseGeometry:
    return shapely.union_all([point for points in anchors.values() for point in points])


def _with_islands(
    land: BaseGeometry, on_land: Anchors, at_sea: Anchors
) -> tuple[BaseGeometry, list[Polygon]]:
    """Return the land of provinces, and the islands that belong to none."""
    provinces, seas = _all(on_land), _all(at_sea)
    main, islands = [], []
    for part in parts(land):
        # Water inside land is a lake, unless it is a sea behind a strait.
        holes = [ring for ring in part.interiors if Polygon(ring).intersects(seas)]
        outline = Polygon(part.exterior, holes)
        if outline.intersects(provinces):
            main.append(outline)
        elif outline.area > ISLAND:
            islands.append(outline)
    return shapely.union_all(main), islands


def _without_ponds(
    land: BaseGeometry, at_sea: Anchors
) -> tuple[BaseGeometry, list[Polygon]]:
    """Return the land with the water in it that no sea reaches, and that water."""
    seas = _all(at_sea)
    water = FRAME.difference(land)
    ponds = [part for part in parts(water) if not part.intersects(seas)]
    return shapely.union_all([land, *ponds]), ponds


def _land_lines(atlas: Atlas) -> list[LineString]:
    lines = [line for pair in COUNTRY_BORDERS for line in atlas.border(*pair)]
    by_hand = [
        rough(smooth(hint), random.Random(name)) for name, hint in LAND_LINES.items()
    ]
    return lines + by_hand


def _sea_lines() -> list[LineString]:
    return [smooth(hint) for hint in SEA_LINES.values()]


def _pieces(
    land: BaseGeometry, land_lines: list[LineString], sea_lines: list[LineString]
) -> tuple[list[Polygon], list[Polygon]]:
    """Return the pieces that the lines cut the land and the water into."""
    water = FRAME.difference(land)
    # All in one network, so that pieces on both sides of a coast have its corners.
    network = shapely.union_all(
        [
            FRAME.boundary,
            land.boundary,
            shapely.union_all(land_lines).intersection(land),
            shapely.union_all(sea_lines).intersection(water),
        ],
        grid_size=0.01,
    )
    dry, wet = [], []
    for piece in shapely.get_parts(shapely.polygonize(shapely.get_parts(network))):
        inside = land.contains(piece.representative_point())
        (dry if inside else wet).append(piece)
    return dry, wet


def _assigned(pieces: list[Polygon], anchors: Anchors) -> dict[str, Face]:
    """Return the face of each province; pieces without an anchor join a neighbour."""
    owned: dict[str, list[Polygon]] = defaultdict(list)
    waiting = []
    for piece in pieces:
        names = [name for name, at in anchors.items() if any(map(piece.contains, at))]
        if len(names) > 1:
            print("one piece for", *names)
        if names:
            owned[names[0]].append(piece)
        else:
            waiting.append(piece)
    for piece in sorted(waiting, key=lambda piece: -piece.area):
        _join(piece, owned)
    for name in anchors.keys() - owned.keys():
        print("nothing for", name)
    return {name: shapely.union_all(of_one) for name, of_one in owned.items()}


def _join(piece: Polygon, owned: dict[str, list[Polygon]]) -> None:
    """Add *piece* to the province with which it shares most of its border."""
    shared = {
        name: _border(piece, shapely.union_all(pieces))
        for name, pieces in owned.items()
    }
    best = max(shared, key=shared.__getitem__)
    if not shared[best]:
        print("piece with no neighbour:", piece.area, piece.representative_point())
        return
    if piece.area > UNEXPECTED:
        print("large piece without anchor:", best, piece.representative_point())
    owned[best].append(piece)


def _border(one: Face, other: Face) -> float:
    """Return how long a border two faces share."""
    return shapely.intersection(one.boundary, other.boundary).length


def _simplified(faces: Mapping[str, Face]) -> dict[str, Face]:
    simple = shapely.coverage_simplify(
        list(faces.values()), SIMPLER, simplify_boundary=True
    )
    if not shapely.coverage_is_valid(simple):
        print("the faces do not fit each other")
    return dict(zip(faces, simple, strict=True))


def check(drawn: DrawnMap) -> None:
    """Print the borders that differ from those of the map."""
    wanted = neighbours(STANDARD.map)
    for one, other in combinations(drawn.faces, 2):
        shared = _border(drawn.faces[one], drawn.faces[other])
        is_wanted = frozenset((one, other)) in wanted
        if is_wanted != (shared > 0):
            print(one, other, "should touch" if is_wanted else f"touch: {shared}")
        elif is_wanted and shared < VISIBLE:
            print(one, other, f"touch only for {shared:.1f}")


def main() -> None:
    """Draw Europe from the file in the argument."""
    drawn = cut(Atlas(Path(sys.argv[1])))
    check(drawn)
    write_picture(STANDARD, drawn)


if __name__ == "__main__":
    main()
