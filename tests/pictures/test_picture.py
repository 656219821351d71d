"""A whole picture: scene, legend, SVG, and how it is drawn."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pytest import approx  # noqa: PT013 - reads as a word

from daide_server.board.map import Variant
from daide_server.board.names import Coast, Location, Power, Province
from daide_server.library.pictures import load_picture
from daide_server.library.variants import load_variant, variant_names
from daide_server.pictures.drawing import WIDTH, draw, legend
from daide_server.pictures.picture import Picture, PictureError, Polyline, from_mapping
from daide_server.pictures.scene import DISLODGED_OFFSET, Scene
from daide_server.pictures.shapes import element, path, text, title

from .conftest import PICTURE, Play, Read

# Pictures: faces that share their borders, read from plain data


def test_an_outline_joins_arcs_in_both_directions(picture: Picture) -> None:
    (ring,) = picture.faces[Province("WST")]

    assert picture.outline(ring) == ((150, 50), (150, 150), (100, 150), (100, 50))


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


# Scenes: what is where in a picture


def test_a_centre_is_shown_as_its_owners(start: Scene) -> None:
    assert start.owner_shown(Province("WST")) == Power("RED")
    assert start.owner_shown(Province("SEA")) is None


def test_land_without_a_centre_follows_one(play: Play) -> None:
    """Bohemia is coloured like Vienna, whoever owns that."""
    scene = play()
    taken = {**scene.position.owners, Province("VIE"): Power("RUS")}
    later = Scene(scene.variant, scene.picture, replace(scene.position, owners=taken))

    assert scene.owner_shown(Province("BOH")) == Power("AUS")
    assert later.owner_shown(Province("BOH")) == Power("RUS")


def test_a_dislodged_unit_stands_beside_the_one_that_took_its_place(play: Play) -> None:
    scene = play("RUS: A GAL", "", "SUM 1901", {"AUS": {"A GAL": ["BUD"]}})
    (there,) = scene.position.units
    (aside,) = scene.position.dislodged

    x, y = scene.unit_place(there)
    assert scene.unit_place(aside) == (x + DISLODGED_OFFSET[0], y + DISLODGED_OFFSET[1])


def test_a_unit_dislodged_from_an_empty_province_stands_in_its_middle(
    play: Play,
) -> None:
    """As after a move from a place that became empty again."""
    scene = play(turn="SUM 1901", dislodged={"AUS": {"A GAL": ["BUD"]}})
    (unit,) = scene.position.dislodged

    assert scene.unit_place(unit) == scene.place(unit.location)


# Whole pictures: well-formed, repeatable, of any map


@pytest.mark.parametrize("name", variant_names())
def test_every_variant_can_be_drawn(read: Read, name: str) -> None:
    variant = load_variant(name)
    (picture,) = read(draw(Scene(variant, load_picture(variant), variant.start)))

    texts = {each.text for each in picture.iter("text")}
    assert set(variant.map.provinces) <= texts


def test_the_legend_stands_beside_the_map(read: Read, start: Scene) -> None:
    (whole,), (bare,) = read(draw(start)), read(draw(start, with_legend=False))

    assert bare.get("width") == "300"
    assert bare.get("height") == "200"
    assert float(whole.get("width", 0)) == 300 + WIDTH
    assert float(whole.get("height", 0)) >= 200


# SVG as text: well-formed whatever it says, exact however long its lines are


coordinates = st.integers(-9999, 9999).map(lambda tenths: tenths / 10)
lines = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=40)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["C"])))
def test_words_may_be_anything(read: Read, words: str) -> None:
    tree = read([title(words), text(words, (0, 0)), element("g", id=words)])

    assert [(each.text or "") for each in tree][:2] == [words, words]
    assert tree[2].get("id") == words


@settings(deadline=None)
@given(lines)
def test_a_path_is_steps_that_add_up(line: list[tuple[float, float]]) -> None:
    line_of: Polyline = tuple(line)
    values = list(map(float, re.findall(r"-?[\d.]+", path([line_of], closed=True))))

    assert sum(values[::2]) == approx(line[-1][0])
    assert sum(values[1::2]) == approx(line[-1][1])


# The legend: who owns how much, and what is to be seen, no more


def words(read: Read, scene: Scene) -> list[str]:
    return [str(each.text) for each in read(legend(scene)).iter("text")]


def test_powers_are_listed_with_centres_and_units(start: Scene, read: Read) -> None:
    found = words(read, start)

    place = found.index("The Reds")
    assert found[place : place + 3] == ["The Reds", "1", "1"]
    assert found[:2] == ["Island", "Spring 1901, movement"]


def test_long_names_are_smaller(start: Scene, read: Read) -> None:
    def size(name: str) -> float:
        variant = evolve(start.variant, name=name)
        scene = Scene(variant, start.picture, start.position)
        return float(next(read(legend(scene)).iter("text")).get("font-size", 0))

    assert size("south_east_asia3") < size("island") == size("pure")


def test_an_eliminated_power_is_pale(start: Scene, read: Read) -> None:
    empty = replace(start.position, units=(), owners={})
    gone = Scene(start.variant, start.picture, empty)

    def opacities(scene: Scene) -> set[str | None]:
        boxes = read(legend(scene)).iter("rect")
        return {each.get("fill-opacity") for each in boxes}

    assert opacities(start) == {"1"}
    assert opacities(gone) == {"0.3"}


def test_only_what_is_seen_is_explained(play: Play, read: Read) -> None:
    scene = play("FRA: A PAR", "FRA: A PAR - BUR")

    assert words(read, scene)[-2:] == ["army", "moves"]
    scene = play("FRA: A PAR; GER: A MUN", "FRA: A PAR - BUR; GER: A MUN - BUR")
    assert words(read, scene)[-2:] == ["army", "fails to move"]
