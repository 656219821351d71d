"""Countries of Natural Earth, from TopoJSON to land and borders in the picture."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import shapely
from europe_lines import Hint, Place
from projection import FRAME, area, project
from shapely import LineString
from shapely.geometry.base import BaseGeometry

OMITTED = {"Greenland"}
CASPIAN: Hint = (
    (47.0, 45.0), (48.5, 46.5), (52.0, 47.0), (53.5, 45.0), (51.0, 44.0), (50.5, 42.5),
    (53.0, 41.0), (54.0, 37.0), (50.0, 37.2), (48.8, 38.5), (49.3, 40.3), (47.5, 42.9),
)  # fmt: skip


class Atlas:
    """The countries of a TopoJSON file."""

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
            area(outline)
            for name, rings in self._countries.items()
            if name not in OMITTED
            for outline in map(self._outline, (ring[0] for ring in rings))
            if any(_is_near(place) for place in outline)
        ]
        whole = shapely.union_all([shapely.make_valid(piece) for piece in pieces])
        # The second union decides at which point each outline begins.
        dry = shapely.union_all(whole.difference(area(CASPIAN)))
        return dry.intersection(FRAME.buffer(60))

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
