"""Faces that share their borders, written as the file of a picture in `maps/pictures`.

All shapes are shapely polygons in the coordinates of the picture.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import shapely
from attrs import Factory, define
from placement import Spot, placed_spots
from shapely import Polygon
from shapely.ops import nearest_points
from topology import Face, Ring, steps, topology, whole

from daide_server.board.map import Map, Terrain, Variant
from daide_server.board.names import Location, UnitType

FOLDER = Path(__file__).parents[2] / "maps" / "pictures"


@define
class DrawnMap:
    """A picture before it is written; missing spots are computed."""

    width: float
    height: float
    faces: Mapping[str, Face]
    voids: list[Polygon] = Factory(list)
    islands: list[Polygon] = Factory(list)
    lakes: list[Polygon] = Factory(list)
    units: dict[str, Spot] = Factory(dict)
    names: dict[str, Spot] = Factory(dict)
    centres: dict[str, Spot] = Factory(dict)
    follows: dict[str, str] = Factory(dict)


def write_picture(variant: Variant, drawn: DrawnMap) -> None:
    """Write the picture of *variant* to its file."""
    arcs, faces, voids = topology(drawn.faces, drawn.voids)
    complete_spots(variant.map, drawn)
    data = {
        "map": variant.name,
        "size": [round(drawn.width), round(drawn.height)],
        "arcs": [steps(arc) for arc in arcs],
        "faces": faces,
        "voids": voids,
        "islands": [steps(whole(island)) for island in drawn.islands],
        "lakes": [steps(whole(lake)) for lake in drawn.lakes],
        "units": tenths(drawn.units),
        "names": tenths(drawn.names),
        "centres": tenths(drawn.centres),
        "links": links(variant.map, faces),
        "follows": drawn.follows or followers(variant),
    }
    FOLDER.mkdir(exist_ok=True)
    lines = ",\n".join(
        f"{json.dumps(key)}: {_dump(value)}" for key, value in data.items()
    )
    (FOLDER / f"{variant.name}.json").write_text(f"{{\n{lines}\n}}\n")


def write_reference(variant: Variant, other: str) -> None:
    """Write a file for *variant* that refers to the picture of *other*."""
    text = f'{{"map": "{variant.name}", "like": "{other}"}}\n'
    (FOLDER / f"{variant.name}.json").write_text(text)


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


# Borders


def neighbours(board_map: Map) -> set[frozenset[str]]:
    """Return the pairs of provinces that a unit of any kind can move between."""
    return {
        frozenset((at.province, to.province))
        for (_, at), places in board_map.neighbours.items()
        for to in places
        if at.province != to.province
    }


def links(board_map: Map, faces: Mapping[str, list[Ring]]) -> list[list[str]]:
    """Return the neighbours that share no arc."""
    sides = defaultdict(set)
    for name, rings in faces.items():
        for number in (number for ring in rings for number in ring):
            sides[number if number >= 0 else ~number].add(name)
    shared = {frozenset(pair) for pair in sides.values() if len(pair) > 1}
    return sorted(sorted(pair) for pair in neighbours(board_map) - shared)


def tenths(spots: Mapping[str, Spot]) -> dict[str, list[int]]:
    """Return the spots in whole tenths."""
    return {at: [round(10 * value) for value in spots[at]] for at in sorted(spots)}


# Spots


def complete_spots(board_map: Map, drawn: DrawnMap) -> None:
    """Compute the spots of *drawn* that are not placed by hand."""
    frame = shapely.box(0, 0, drawn.width, drawn.height)
    for province in board_map.provinces:
        face = shapely.difference(drawn.faces[province], frame.boundary.buffer(4))
        face = shapely.difference(face, shapely.union_all(drawn.islands))
        centre = province in board_map.centres
        found = placed_spots(face, centre=centre, unit=drawn.units.get(province))
        drawn.units.setdefault(province, found.unit)
        drawn.names.setdefault(province, found.name)
        if centre:
            nx, ny = drawn.names[province]
            drawn.centres.setdefault(province, (nx - 24, ny - 0.5))
    for province in board_map.coasts:
        for at in board_map.locations.values():
            if at.province == province and at.coast and str(at) not in drawn.units:
                drawn.units[str(at)] = coast_spot(board_map, drawn, at)


def coast_spot(board_map: Map, drawn: DrawnMap, at: Location) -> Spot:
    """Return a point just inside the border with the seas of that coast."""
    face = drawn.faces[at.province]
    seas = [
        drawn.faces[to.province]
        for to in board_map.neighbours[UnitType.FLEET, at]
        if board_map.terrain[to.province] is Terrain.SEA
    ]
    shore = shapely.intersection(face.boundary, shapely.union_all(seas).buffer(0.3))
    if shore.is_empty:
        x, y = drawn.units[at.province]
        return x + 20, y
    longest = max(shapely.get_parts(shapely.line_merge(shore)), key=lambda p: p.length)
    point = longest.interpolate(0.5, normalized=True)
    inner = face.buffer(-17)
    if inner.is_empty:
        inner = shapely.Point(drawn.units[at.province])
    near = nearest_points(inner, point)[0]
    return near.x, near.y


# Colours


def followers(variant: Variant) -> dict[str, str]:
    """Return the land whose neighbouring home centres are all of one power."""
    board_map, found = variant.map, {}
    owner = {at: power for power, homes in board_map.homes.items() for at in homes}
    for province in board_map.provinces:
        near = board_map.neighbours.get((UnitType.ARMY, Location(province)), ())
        homes = [to.province for to in near if to.province in owner]
        powers = {owner[at] for at in homes}
        neutral = [to for to in near if to.province in board_map.centres - set(owner)]
        if province not in board_map.centres and len(powers) == 1 and not neutral:
            found[province] = homes[0]
    return found
