"""The map of a picture: ground, borders, layout, schematic boards."""

import math
import re
from functools import cache
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pytest import approx  # noqa: PT013 - reads as a word

from daide_server.board.map import Terrain, Variant
from daide_server.library.pictures import load_picture
from daide_server.library.variants import load_variant, variant_names
from daide_server.pictures import board_layout, palette
from daide_server.pictures.map_layer import ground_svg, map_layer, names
from daide_server.pictures.picture import Point, bow, curve, length, trimmed
from daide_server.pictures.scene import Scene
from daide_server.pictures.schematic import RADIUS, schematic
from daide_server.records.formats.phase_json.map_names import names_of

from .conftest import Play, Read

# The map layer: owners' colours, names, coasts and centres


def test_land_has_the_colour_of_its_owner(start: Scene, read: Read) -> None:
    land = read(map_layer(start)).findall(".//g[@id='land']/path")

    fills = {each.findtext("title"): each.get("fill") for each in land}
    assert set(fills) == {"The <West>", "The East"}
    assert len(set(fills.values())) == 2
    assert palette.LAND not in fills.values()
    free = Scene(start.variant, start.picture, replace(start.position, owners={}))
    land = read(map_layer(free)).findall(".//g[@id='land']/path")
    assert {each.get("fill") for each in land} == {palette.LAND}


def test_land_borders_and_coasts_are_different_lines(start: Scene, read: Read) -> None:
    """There is one sea only, and so no border of seas."""
    lands, coasts = read(map_layer(start)).findall(".//g[@id='borders']/*")

    assert lands.get("d") == "M150 50l0 100"
    assert coasts.get("href") == "#coasts"
    assert lands.get("stroke") != coasts.get("stroke")


def test_every_centre_is_a_star(play: Play, read: Read) -> None:
    """A star is drawn twice: its pale edge, and itself in its owner's colour."""
    stars = read(map_layer(play())).findall(".//g[@id='centres']/path")
    fills = [each.get("fill") for each in stars]

    assert len(stars) == 2 * 34
    assert fills.count(palette.PAPER) == 12


def test_named_coasts_are_labelled(play: Play, read: Read) -> None:
    texts = [each.text for each in read(names(play(), {})).iter("text")]

    assert sorted(str(text) for text in texts if str(text).islower()) == [
        "ec", "nc", "nc", "sc", "sc", "sc",
    ]  # fmt: skip


def test_lakes_lie_on_the_land(start: Scene, read: Read) -> None:
    (lake,) = read(map_layer(start)).findall(".//g[@id='islands']/path")

    assert lake.get("fill") == palette.SEA


# The picture of a board for the page: small, and styled by classes only


SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawn(name: str) -> str:
    variant = load_variant(name)
    labels = names_of(variant.map).provinces
    return ground_svg(
        variant, board_layout.board_layout(load_picture(variant), labels), labels
    )


@pytest.mark.parametrize("name", variant_names())
def test_every_land_centre_and_name_is_there(name: str) -> None:
    board = load_variant(name).map
    labels = names_of(board).provinces
    root = ET.fromstring(drawn(name))  # noqa: S314 (our own picture)
    lands = {
        labels[place]
        for place in board.provinces
        if board.terrain[place] is not Terrain.SEA
    }
    texts = [each.text for each in root.iter(f"{SVG}text")]

    assert {each.get("data-province") for each in root.iter()} - {None} == lands
    centres = {each.get("data-centre") for each in root.iter()} - {None}
    assert centres == {labels[place] for place in board.centres}
    assert set(labels.values()) <= set(texts)


def test_a_policy_without_inline_styles_lets_it_pass() -> None:
    """Colours are the page's: no style, no script, no colour in the picture."""
    text = drawn("standard")

    assert len(text) <= 100_000
    assert not re.search(
        r"style=|<style|<script|fill=|stroke=|on\w+=|#[0-9a-f]{6}", text
    )


# At 1280 pixels every name of every shipped board can be read


NEEDED_PIXELS = 9.0


@cache
def laid_out(name: str) -> tuple[board_layout.BoardLayout, dict[str, board_layout.Box]]:
    """Return the layout of a board, and the boxes of its names."""
    variant = load_variant(name)
    labels = names_of(variant.map).provinces
    found = board_layout.board_layout(load_picture(variant), labels)
    boxes = {
        str(place): board_layout.label_box(labels[place], at, found.font)
        for place, at in found.names.items()
    }
    return found, boxes


@pytest.mark.parametrize("name", variant_names())
def test_names_are_complete_large_enough_and_free(name: str) -> None:
    """No name is missing, under nine pixels, under another name or under a badge."""
    layout, boxes = laid_out(name)
    badges = [
        board_layout.Box(at, layout.badge, layout.badge)
        for location, at in layout.units.items()
        if location.coast is None
    ]

    assert layout.missing == ()
    assert boxes.keys() == {str(at) for at in load_variant(name).map.provinces}
    assert layout.readable <= max(board_layout.BOARD_WIDTHS) <= 1280 - 32
    assert layout.font * layout.readable / layout.picture.width >= NEEDED_PIXELS
    for one, other in combinations(boxes.items(), 2):
        assert not one[1].overlaps(other[1]), (one[0], other[0])
    for place, box in boxes.items():
        assert not any(box.overlaps(badge) for badge in badges), place


@pytest.mark.parametrize("name", variant_names())
def test_badges_are_22_pixels_and_apart(name: str) -> None:
    layout, _ = laid_out(name)
    spots = [at for location, at in layout.units.items() if location.coast is None]

    assert layout.badge * layout.readable / layout.picture.width >= 21.99
    for one, other in combinations(spots, 2):
        assert math.dist(one, other) >= layout.badge * 0.99


@pytest.mark.parametrize("name", ["colonial", "world", "sam53"])
def test_a_name_outside_its_province_has_a_line_to_it(name: str) -> None:
    layout, _ = laid_out(name)
    outside = {
        place
        for place, at in layout.names.items()
        if not layout.picture.covers(place, at)
        and math.dist(at, layout.picture.names[place]) > layout.font
    }

    assert outside == set(layout.leaders)
    assert len(outside) <= len(layout.names) // 8


@pytest.mark.parametrize("name", variant_names())
def test_names_in_static_pictures_are_free_of_each_other(name: str) -> None:
    picture = load_picture(load_variant(name))
    found = board_layout.name_places(picture, 13.5, 25.2)
    boxes = [board_layout.label_box(place, at, 13.5) for place, at in found.items()]

    assert found.keys() == picture.names.keys()
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


# Schematic pictures: any map, all neighbours linked, no discs on each other


@pytest.mark.parametrize("name", ["standard", "hundred3", "pure"])
def test_neighbours_are_linked_and_others_are_not(name: str) -> None:
    board_map = load_variant(name).map
    wanted = {
        frozenset((at.province, to.province))
        for (_, at), places in board_map.neighbours.items()
        for to in places
        if to.province != at.province
    }

    assert set(map(frozenset, schematic(board_map).links)) == wanted


@pytest.mark.parametrize("name", ["standard", "pure"])
def test_discs_do_not_hide_each_other(name: str) -> None:
    picture = schematic(load_variant(name).map)

    nearest = min(math.dist(*pair) for pair in combinations(picture.names.values(), 2))
    assert nearest > RADIUS


def test_schematic_pictures_are_the_same_in_every_process(standard: Variant) -> None:
    """Sets of texts have another order in each: so would the bytes, and their ETag."""
    assert list(schematic(standard.map).centres) == sorted(standard.map.centres)


def test_places_between_which_there_is_no_way_are_drawn(standard: Variant) -> None:
    """A map in two parts is odd, and still can be looked at."""
    board_map = standard.map
    apart = type(board_map)(
        name="apart",
        powers=(),
        provinces=board_map.provinces[:3],
        centres=frozenset(),
        homes={},
        neighbours={},
    )

    assert set(schematic(apart).faces) == set(board_map.provinces[:3])


# Geometry: what holds of lines wherever they run


numbers = st.floats(-1000, 1000).map(lambda value: round(value, 2))
points = st.tuples(numbers, numbers)
lines = st.lists(points, min_size=2, max_size=6, unique=True)


@settings(deadline=None)
@given(lines, st.floats(0, 50), st.floats(0, 50))
def test_a_trimmed_line_is_shorter_but_never_gone(
    line: list[Point], first: float, last: float
) -> None:
    whole = length(line)
    left = length(trimmed(line, first, last))

    assert left <= whole + 1e-6
    assert left >= whole * 0.2 - 1e-6


@settings(deadline=None)
@given(lines)
def test_a_curve_goes_through_its_points(line: list[Point]) -> None:
    found = curve(line)

    for point in line:
        assert min(math.dist(point, near) for near in found) == approx(0, abs=1e-6)


@settings(deadline=None)
@given(points, points)
def test_opposite_bows_do_not_meet_in_the_middle(start: Point, end: Point) -> None:
    assume(math.dist(start, end) > 1)
    there, back = bow(start, end, 0.1), bow(end, start, 0.1)

    assert there[0] == approx(start)
    assert there[-1] == approx(end)
    apart = math.dist(there[len(there) // 2], back[len(back) // 2])
    assert apart == approx(0.2 * math.dist(start, end))
