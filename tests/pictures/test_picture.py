"""Pictures: faces that share their borders, read from plain data."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from daide_server.board.names import Coast, Location, Province
from daide_server.board.variant import Variant
from daide_server.pictures.picture import Picture, PictureError, from_mapping
from daide_server.storage.pictures import load_picture

from .conftest import PICTURE


def pair(one: str, other: str) -> frozenset[Province]:
    return frozenset({Province(one), Province(other)})


def test_provinces_that_share_an_arc_have_a_border(picture: Picture) -> None:
    assert picture.borders == {
        pair("WST", "EST"),
        pair("WST", "SEA"),
        pair("EST", "SEA"),
    }


def test_an_arc_at_the_frame_has_one_side(picture: Picture) -> None:
    assert picture.sides[3] == ("SEA",)


def test_an_outline_joins_arcs_in_both_directions(picture: Picture) -> None:
    (ring,) = picture.faces[Province("WST")]

    assert picture.outline(ring) == ((150, 50), (150, 150), (100, 150), (100, 50))


def test_a_face_may_have_a_hole(picture: Picture) -> None:
    outer, hole = map(picture.outline, picture.faces[Province("SEA")])

    assert outer == ((0, 0), (300, 0), (300, 200), (0, 200))
    assert len(hole) == 6


def test_fleets_stand_at_their_coast(standard: Variant) -> None:
    picture = load_picture(standard)
    whole, north, south = (
        picture.unit_spot(Location(Province("STP"), coast))
        for coast in (None, Coast.NORTH, Coast.SOUTH)
    )

    assert len({whole, north, south}) == 3
    assert north[1] < south[1]


def test_a_coast_that_is_not_there_is_the_whole_province(picture: Picture) -> None:
    at = Location(Province("WST"), Coast.NORTH)

    assert picture.unit_spot(at) == picture.units[Location(Province("WST"))]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda data: data.pop("arcs"), "KeyError: 'arcs'"),
        (lambda data: data["faces"].pop("SEA"), "faces: not as on the map: SEA"),
        (lambda data: data["names"].update(XXX=[0, 0]), "names: not as .*: XXX"),
        (lambda data: data["centres"].pop("EST"), "centres: not as .*: EST"),
        (lambda data: data["units"].update({"WST/NCS": [0, 0]}), "units: .*: WST/NCS"),
        (lambda data: data["units"].update({"WST/ABC": [0, 0]}), "ABC"),
        (lambda data: data.update(size="large"), "ValueError"),
        (lambda data: data["arcs"].append([1, 2, 3]), "ValueError"),
    ],
)
def test_wrong_data_is_refused_and_named(
    island: Variant, change: Callable[[dict[str, Any]], object], complaint: str
) -> None:
    data = deepcopy(PICTURE)
    change(data)

    with pytest.raises(PictureError, match=f"^picture of island: .*{complaint}"):
        from_mapping(data, island.map)
