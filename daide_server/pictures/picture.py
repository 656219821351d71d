"""The geometry of a map: provinces as faces whose borders are shared arcs.

An arc is a line between two corners of the map and belongs to the one or two faces
beside it, so that neighbours share their border exactly, without gaps or overlaps. A
face is made of rings; a ring lists the numbers of its arcs, and `~n` is arc `n` taken
backwards, as in TopoJSON.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from attrs import define

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Province

Point = tuple[float, float]
Polyline = tuple[Point, ...]
Ring = tuple[int, ...]
Border = frozenset[Province]

TENTHS: Final = 10.0
"""Coordinates are stored as whole tenths, each but the first as a step."""


class PictureError(ValueError):
    """A picture's data is wrong or of another map; the message says where."""


@define(eq=False, slots=False)
class Picture:
    """Where everything on a map is drawn; never changed once it is made.

    `units`, `names` and `centres` are the middles of what is drawn there. `links`
    are provinces next to each other that have no border in the picture. A province
    without a centre is coloured like the one that it `follows`. `islands` and `lakes`
    lie on top of provinces and belong to none; `voids` are places nobody can enter.
    """

    width: float
    height: float
    arcs: tuple[Polyline, ...]
    faces: Mapping[Province, tuple[Ring, ...]]
    voids: tuple[Ring, ...]
    islands: tuple[Polyline, ...]
    lakes: tuple[Polyline, ...]
    units: Mapping[Location, Point]
    names: Mapping[Province, Point]
    centres: Mapping[Province, Point]
    links: tuple[tuple[Province, Province], ...]
    follows: Mapping[Province, Province]

    @cached_property
    def has_borders(self) -> bool:
        """Whether any two provinces share a border in the picture."""
        return bool(self.borders)

    @cached_property
    def sides(self) -> tuple[tuple[Province, ...], ...]:
        """The provinces beside each arc; an arc at a void or the frame has one."""
        found: list[tuple[Province, ...]] = [()] * len(self.arcs)
        for province, rings in self.faces.items():
            for number in (number for ring in rings for number in ring):
                place = _number(number)
                found[place] = (*found[place], province)
        return tuple(found)

    @cached_property
    def borders(self) -> frozenset[Border]:
        """The pairs of provinces that share an arc."""
        return frozenset(frozenset(pair) for pair in self.sides if len(set(pair)) > 1)

    def outline(self, ring: Ring) -> Polyline:
        """Return the closed line of *ring*, its first point not repeated."""
        points: list[Point] = []
        for number in ring:
            arc = self.arcs[_number(number)]
            points += (arc if number >= 0 else arc[::-1])[:-1]
        return tuple(points)

    def unit_spot(self, location: Location) -> Point:
        """Return where a unit at *location* stands."""
        spot = self.units.get(location)
        return self.units[Location(location.province)] if spot is None else spot


def from_mapping(data: Mapping[str, Any], board_map: Map) -> Picture:
    """Return the picture of *board_map* that *data*, the content of a file, describes.

    Raises `PictureError` where something is missing, wrong, or of another map.
    """
    try:
        picture = _picture(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        message = f"picture of {board_map.name}: {type(error).__name__}: {error}"
        raise PictureError(message) from error
    _check(picture, board_map)
    return picture


def _number(reference: int) -> int:
    return reference if reference >= 0 else ~reference


def _picture(data: Mapping[str, Any]) -> Picture:
    width, height = data["size"]
    return Picture(
        width=float(width),
        height=float(height),
        arcs=tuple(map(_line, data["arcs"])),
        faces={
            Province(name): tuple(map(tuple, rings))
            for name, rings in data["faces"].items()
        },
        voids=tuple(map(tuple, data["voids"])),
        islands=tuple(map(_line, data["islands"])),
        lakes=tuple(map(_line, data["lakes"])),
        units={_location(at): _spot(xy) for at, xy in data["units"].items()},
        names={Province(at): _spot(xy) for at, xy in data["names"].items()},
        centres={Province(at): _spot(xy) for at, xy in data["centres"].items()},
        links=tuple((Province(one), Province(other)) for one, other in data["links"]),
        follows={Province(at): Province(to) for at, to in data["follows"].items()},
    )


def _line(steps: Sequence[int]) -> Polyline:
    """Return the points of a line that is stored as x, y, then steps."""
    x = y = 0
    points: list[Point] = []
    for across, down in zip(steps[::2], steps[1::2], strict=True):
        x, y = x + across, y + down
        points.append((x / TENTHS, y / TENTHS))
    return tuple(points)


def _spot(place: Sequence[int]) -> Point:
    x, y = place
    return x / TENTHS, y / TENTHS


def _location(text: str) -> Location:
    name, _, coast = text.partition("/")
    return Location(Province(name), Coast(coast) if coast else None)


def _check(picture: Picture, board_map: Map) -> None:
    """Check that the picture shows every place of *board_map*, and nothing else."""
    needed: dict[str, tuple[set[object], set[object]]] = {
        "faces": (set(board_map.provinces), set(picture.faces)),
        "names": (set(board_map.provinces), set(picture.names)),
        "centres": (set(board_map.centres), set(picture.centres)),
        "units": (set(board_map.locations.values()), set(picture.units)),
    }
    for key, (expected, found) in needed.items():
        if expected != found:
            wrong = ", ".join(sorted(map(str, expected ^ found)))
            message = f"picture of {board_map.name}: {key}: not as on the map: {wrong}"
            raise PictureError(message)
