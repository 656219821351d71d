"""The picture of the standard map: Europe, from Natural Earth's coastlines.

The coast and some borders are those of the package `world-atlas` (public domain data);
the other borders are drawn by hand in `europe_lines`. All lines together are cut into
faces, and the anchors tell which province each face belongs to.

    npm pack world-atlas && tar xzf world-atlas-*.tgz
    python tools/pictures/europe.py package/countries-50m.json
"""

import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import shapely
from europe_lines import (
    ANCHORS,
    COUNTRY_BORDERS,
    LAND_LINES,
    SEA_LINES,
    STRAITS,
    Hint,
    Place,
)
from europe_spots import CENTRES, FOLLOWS, NAMES, UNITS
from shapely import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shipping import Drawn, neighbours, parts, ship

from daide_server.storage.variants import load_variant

CENTRE = (10.0, 49.0)
EARTH = 6371.0
BULGE = 1700.0
"""The middle of the map is larger: distances shrink to the sides, in kilometres."""
LEFT, RIGHT, TOP, BOTTOM = -1440.0, 1730.0, -1680.0, 1290.0
SCALE = 0.46
"""Units of the picture per kilometre."""
SIMPLER = 0.55
ISLAND = 70.0
"""The smallest island that is drawn, in square units."""
LAKE = 6.0
ROUGHNESS = 0.09
STEP = 5.0
"""The length of the pieces of a line drawn by hand."""


def project(place: Place) -> Place:
    """Return where a longitude and latitude are in the picture."""
    east, north = (math.radians(degrees) for degrees in place)
    mid_east, mid_north = (math.radians(degrees) for degrees in CENTRE)
    # Lambert's azimuthal equal-area projection (Snyder, 24-2 to 24-4).
    turn = east - mid_east
    cosine = math.sin(mid_north) * math.sin(north)
    cosine += math.cos(mid_north) * math.cos(north) * math.cos(turn)
    factor = EARTH * math.sqrt(2 / (1 + cosine))
    x = factor * math.cos(north) * math.sin(turn)
    y = factor * (
        math.cos(mid_north) * math.sin(north)
        - math.sin(mid_north) * math.cos(north) * math.cos(turn)
    )
    far = math.hypot(x, y) or 1.0
    shrunk = BULGE * math.atan(far / BULGE) / far
    return (x * shrunk - LEFT) * SCALE, (-y * shrunk - TOP) * SCALE


WIDTH = float(round((RIGHT - LEFT) * SCALE))
HEIGHT = float(round((BOTTOM - TOP) * SCALE))
FRAME = shapely.box(0, 0, WIDTH, HEIGHT)


# The data


class Atlas:
    """Countries of a TopoJSON file, those that may be in the picture."""

    def __init__(self, path: Path) -> None:
        data = json.loads(path.read_text())
        scale, move = data["transform"]["scale"], data["transform"]["translate"]
        self._arcs = [_places(arc, scale, move) for arc in data["arcs"]]
        self._countries = {
            country["properties"]["name"]: _polygons(country)
            for country in data["objects"]["countries"]["geometries"]
        }

    def land(self) -> BaseGeometry:
        """Return all land in the frame, with a margin."""
        pieces = [
            Polygon([project(place) for place in outline])
            for name, rings in self._countries.items()
            if name not in OMITTED
            for outline in map(self._outline, (ring[0] for ring in rings))
            if any(_is_near(place) for place in outline)
        ]
        whole = shapely.union_all([shapely.make_valid(piece) for piece in pieces])
        holes = [Polygon([project(p) for p in CASPIAN])]
        near = shapely.union_all(whole.difference(shapely.union_all(holes)))
        return near.intersection(FRAME.buffer(60))

    def border(self, one: str, other: str) -> list[LineString]:
        """Return the border of two countries."""
        numbers = [
            {number if number >= 0 else ~number for number in _numbers(rings)}
            for rings in (self._countries[one], self._countries[other])
        ]
        lines = [
            LineString([project(place) for place in self._arcs[number]])
            for number in numbers[0] & numbers[1]
        ]
        assert lines, f"{one} and {other} have no border"
        return lines

    def _outline(self, ring: list[int]) -> list[Place]:
        found: list[Place] = []
        for number in ring:
            arc = self._arcs[number if number >= 0 else ~number]
            found += (arc if number >= 0 else arc[::-1])[:-1]
        return found


OMITTED = {"Greenland"}
CASPIAN: Hint = (
    (47.0, 45.0), (48.5, 46.5), (52.0, 47.0), (53.5, 45.0), (51.0, 44.0), (50.5, 42.5),
    (53.0, 41.0), (54.0, 37.0), (50.0, 37.2), (48.8, 38.5), (49.3, 40.3), (47.5, 42.9),
)  # fmt: skip


def _places(arc: list[list[int]], scale: list[float], move: list[float]) -> list[Place]:
    x = y = 0
    found = []
    for across, down in arc:
        x, y = x + across, y + down
        found.append((x * scale[0] + move[0], y * scale[1] + move[1]))
    return found


def _polygons(country: Mapping[str, list]) -> list[list[list[int]]]:
    return country["arcs"] if country["type"] == "MultiPolygon" else [country["arcs"]]


def _numbers(rings: list[list[list[int]]]) -> Iterable[int]:
    return (number for polygon in rings for ring in polygon for number in ring)


def _is_near(place: Place) -> bool:
    return -40 < place[0] < 75 and 20 < place[1] < 80  # noqa: PLR2004


# Lines by hand


def smooth(hint: Hint) -> LineString:
    """Return a smooth line through the places of *hint*."""
    points = [project(place) for place in hint]
    padded = [points[0], *points, points[-1]]
    found = [points[0]]
    for place in range(len(points) - 1):
        a, b, c, d = padded[place : place + 4]
        found += [
            tuple(
                0.5
                * (
                    2 * q
                    + (r - p) * t
                    + (2 * p - 5 * q + 4 * r - s) * t * t
                    + (3 * q - p - 3 * r + s) * t**3
                )
                for p, q, r, s in zip(a, b, c, d, strict=True)
            )
            for t in (n / 8 for n in range(1, 9))
        ]
    return LineString(found)


def rough(line: LineString, chance: random.Random) -> LineString:
    """Return *line* as a border that follows rivers and hills: it wanders a little."""
    pieces = max(2, 2 ** math.ceil(math.log2(line.length / STEP)))
    offsets = [0.0] * (pieces + 1)
    step = pieces
    while step > 1:
        for place in range(step // 2, pieces, step):
            middle = (offsets[place - step // 2] + offsets[place + step // 2]) / 2
            spread = ROUGHNESS * line.length * step / pieces
            offsets[place] = middle + chance.uniform(-spread, spread)
        step //= 2
    return LineString(
        _aside(line, place / pieces, offset) for place, offset in enumerate(offsets)
    )


def _aside(line: LineString, share: float, offset: float) -> Place:
    at, near = (
        line.interpolate(min(1, max(0, share + more)), normalized=True)
        for more in (0, 0.01 if share < 0.5 else -0.01)  # noqa: PLR2004
    )
    across, down = near.x - at.x, near.y - at.y
    if share >= 0.5:  # noqa: PLR2004
        across, down = -across, -down
    length = math.hypot(across, down) or 1
    return at.x - down / length * offset, at.y + across / length * offset


# Faces


def cut(atlas: Atlas) -> Drawn:
    """Return the picture, its spots as far as they are placed by hand."""
    coast = atlas.land()
    straits = shapely.union_all([_polygon(hint) for hint in STRAITS.values()])
    filled = shapely.union_all([coast, straits]).intersection(FRAME)
    main, islands = _with_islands(filled)
    main, ponds = _without_ponds(main)
    land, water = _faces(main, _land_lines(atlas), _sea_lines())
    named = _assigned(land, _anchors(land=True))
    named |= _assigned(water, _anchors(land=False))
    simple = _simplified(named)
    closed = shapely.difference(straits.intersection(main), coast)
    lakes = [*parts(closed), *ponds]
    return Drawn(
        WIDTH,
        HEIGHT,
        {name: face for name, face in simple.items() if not name.startswith("void")},
        [
            part
            for name, face in simple.items()
            if name.startswith("void")
            for part in parts(face)
        ],
        [shapely.simplify(island, SIMPLER) for island in islands],
        [shapely.simplify(lake, 0.3) for lake in lakes if lake.area > LAKE],
        units=dict(UNITS),
        names=dict(NAMES),
        centres=dict(CENTRES),
        follows=dict(FOLLOWS),
    )


def _polygon(hint: Hint) -> Polygon:
    return Polygon([project(place) for place in hint])


def _with_islands(land: BaseGeometry) -> tuple[BaseGeometry, list[Polygon]]:
    """Return the land of provinces, and the islands that belong to none."""
    anchors = _all(_anchors(land=True))
    seas = _all(_anchors(land=False))
    main, islands = [], []
    for part in parts(land):
        # Water inside land is a lake, unless it is a sea behind a strait.
        holes = [ring for ring in part.interiors if Polygon(ring).intersects(seas)]
        outline = Polygon(part.exterior, holes)
        if outline.intersects(anchors):
            main.append(outline)
        elif outline.area > ISLAND:
            islands.append(outline)
    return shapely.union_all(main), islands


def _without_ponds(land: BaseGeometry) -> tuple[BaseGeometry, list[Polygon]]:
    """Return the land with the water in it that no sea reaches, and that water."""
    seas = _all(_anchors(land=False))
    water = FRAME.difference(land)
    ponds = [part for part in parts(water) if not part.intersects(seas)]
    return shapely.union_all([land, *ponds]), ponds


def _all(anchors: Mapping[str, list[Point]]) -> BaseGeometry:
    return shapely.union_all([point for points in anchors.values() for point in points])


def _anchors(*, land: bool) -> dict[str, list[Point]]:
    ground = load_variant("standard").map
    return {
        name: [Point(project(place)) for place in places]
        for name, places in ANCHORS.items()
        if land == (name.startswith("void") or ground.terrain[name].value != "sea")
    }


def _land_lines(atlas: Atlas) -> list[LineString]:
    lines = [line for pair in COUNTRY_BORDERS for line in atlas.border(*pair)]
    by_hand = [
        rough(smooth(hint), random.Random(name)) for name, hint in LAND_LINES.items()
    ]
    return lines + by_hand


def _sea_lines() -> list[LineString]:
    return [smooth(hint) for hint in SEA_LINES.values()]


def _faces(
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
    pieces = shapely.get_parts(shapely.polygonize(shapely.get_parts(network)))
    inside = [land.contains(piece.representative_point()) for piece in pieces]
    both = list(zip(pieces, inside, strict=True))
    return [piece for piece, dry in both if dry], [
        piece for piece, dry in both if not dry
    ]


def _assigned(
    faces: list[Polygon], anchors: Mapping[str, list[Point]]
) -> dict[str, Polygon | MultiPolygon]:
    """Return the pieces of each province; those without an anchor join a neighbour."""
    owned: dict[str, list[Polygon]] = defaultdict(list)
    waiting = []
    for face in faces:
        names = [name for name, at in anchors.items() if any(map(face.contains, at))]
        if len(names) > 1:
            print("one piece for", *names)
        if names:
            owned[names[0]].append(face)
        else:
            waiting.append(face)
    for face in sorted(waiting, key=lambda face: -face.area):
        shared = {
            name: shapely.intersection(
                face.boundary, shapely.union_all(pieces).boundary
            ).length
            for name, pieces in owned.items()
        }
        best = max(shared, key=lambda name: shared[name])
        if shared[best] > 0:
            if face.area > 150:  # noqa: PLR2004 - worth an anchor
                print("large piece without anchor:", best, face.representative_point())
            owned[best].append(face)
        else:
            print("piece with no neighbour:", face.area, face.representative_point())
    for name in anchors.keys() - owned.keys():
        print("nothing for", name)
    return {name: shapely.union_all(pieces) for name, pieces in owned.items()}


def _simplified(
    faces: Mapping[str, Polygon | MultiPolygon],
) -> dict[str, Polygon | MultiPolygon]:
    names = list(faces)
    simple = shapely.coverage_simplify(
        [faces[name] for name in names], SIMPLER, simplify_boundary=True
    )
    if not shapely.coverage_is_valid(simple):
        print("the faces do not fit each other")
    return dict(zip(names, simple, strict=True))


def check(drawn: Drawn) -> None:
    """Print the borders that are not as on the board."""
    wanted = neighbours(load_variant("standard").map)
    names = list(drawn.faces)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            shared = shapely.intersection(
                drawn.faces[one].boundary, drawn.faces[other].boundary
            ).length
            is_wanted = frozenset((one, other)) in wanted
            if is_wanted != (shared > 0):
                print(one, other, "should touch" if is_wanted else f"touch: {shared}")
            elif is_wanted and shared < 8:  # noqa: PLR2004 - hard to see
                print(one, other, f"touch only for {shared:.1f}")


def main() -> None:
    """Draw Europe from the file that is named."""
    drawn = cut(Atlas(Path(sys.argv[1])))
    check(drawn)
    ship(load_variant("standard"), drawn)


if __name__ == "__main__":
    main()
