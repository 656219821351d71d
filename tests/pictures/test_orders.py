"""Units and orders of a picture: arrows, strokes, links, crowds."""

import math
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx  # noqa: PT013 - reads as a word

import daide_server.web
from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.pictures import palette
from daide_server.pictures.board_layout import Box, Canvas, Sign, places, separated
from daide_server.pictures.links import links
from daide_server.pictures.order_layer import marks, order_lines
from daide_server.pictures.picture import Point
from daide_server.pictures.scene import Scene
from daide_server.pictures.schematic import schematic
from daide_server.pictures.shapes import arrow, stroke, symbol, units
from tests.support.boards import by_power

from .conftest import Play, Read

# Orders: each has its line, and one sees whether it was carried out


def drawn(read: Read, scene: Scene) -> dict[str, ET.Element]:
    """Return the orders by their captions."""
    return {each.findtext("title", ""): each for each in read(order_lines(scene))}


def is_crossed(shape: ET.Element) -> bool:
    return any(path.get("stroke") == palette.BAD for path in shape.iter("path"))


def is_dashed(shape: ET.Element) -> bool:
    return any("stroke-dasharray" in path.attrib for path in shape.iter("path"))


def points_of(shape: ET.Element) -> list[tuple[float, float]]:
    """Return the points of the first line of *shape*."""
    first = next(shape.iter("path")).get("d", "")
    values = list(map(float, re.findall(r"-?[\d.]+", first)))
    x = y = 0.0
    found = []
    for across, down in zip(values[::2], values[1::2], strict=True):
        x, y = x + across, y + down
        found.append((x, y))
    return found


SUPPORTED = "FRA: A MAR S A PAR - BUR, A PAR - BUR"


@pytest.mark.parametrize(
    ("orders", "caption", "crossed", "dashed"),
    [
        ("FRA: A PAR - BUR", "A PAR - BUR: succeeded", False, False),
        ("FRA: A PAR - BUR; GER: A MUN - BUR", "A PAR - BUR: bounced", True, True),
        (f"{SUPPORTED}; ITA: A PIE - MAR", "A MAR S A PAR - BUR: cut", True, True),
        ("FRA: A PAR H", "A PAR H: succeeded", False, False),
        ("FRA: A PAR S A BUR, A BUR H", "A PAR S A BUR: succeeded", False, True),
    ],
)
def test_what_failed_is_crossed_and_no_full_line(  # noqa: PLR0913, PLR0917 - a table
    play: Play,
    read: Read,
    orders: str,
    caption: str,
    crossed: bool,  # noqa: FBT001
    dashed: bool,  # noqa: FBT001
) -> None:
    """Supports are no full lines either."""
    given = by_power(orders).items()
    units = {power: [text[:5] for text in texts] for power, texts in given}

    shape = drawn(read, play(units, orders))[f"France: {caption}"]

    assert (is_crossed(shape), is_dashed(shape)) == (crossed, dashed)


def test_a_support_ends_on_the_arrow_that_it_is_for(play: Play, read: Read) -> None:
    scene = play("FRA: A PAR, A MAR", "FRA: A PAR - BUR, A MAR S A PAR - BUR")

    support = drawn(read, scene)["France: A MAR S A PAR - BUR: succeeded"]
    start, end = (scene.place(Location(Province(name))) for name in ("PAR", "BUR"))
    x, y = points_of(support)[-1]
    share = (x - start[0]) / (end[0] - start[0])
    assert 0.3 < share < 0.8
    assert y == approx(start[1] + (end[1] - start[1]) * share, abs=1)
    assert not is_crossed(support)


def test_a_convoyed_army_passes_its_fleet(play: Play, read: Read) -> None:
    scene = play("ENG: A LON, F NTH", "ENG: A LON - NWY VIA, F NTH C A LON - NWY")
    move = drawn(read, scene)["England: A LON - NWY VIA: succeeded"]

    sea = scene.place(Location(Province("NTH")))
    assert min(abs(x - sea[0]) + abs(y - sea[1]) for x, y in points_of(move)) < 1


def test_moves_against_each_other_are_beside_each_other(play: Play, read: Read) -> None:
    scene = play("FRA: A PAR; GER: A BUR", "FRA: A PAR - BUR; GER: A BUR - PAR")
    one, other = (
        shape[len(shape) // 2] for shape in map(points_of, drawn(read, scene).values())
    )

    assert abs(one[0] - other[0]) + abs(one[1] - other[1]) > 5


def test_a_dislodged_unit_is_marked(play: Play, read: Read) -> None:
    orders = "FRA: A PAR - BUR, A MAR S A PAR - BUR; GER: A BUR H"
    scene = play("FRA: A PAR, A MAR; GER: A BUR", orders)

    assert "Germany: A BUR H, dislodged" in drawn(read, scene)
    assert len(read(marks(scene))) == 1


def test_a_retreat_is_an_arrow_and_a_disbanded_unit_is_crossed_out(
    play: Play, read: Read
) -> None:
    dislodged = {"AUS": {"A GAL": ["BUD"]}, "FRA": {"A BUR": ["PAR"]}}
    orders = "AUS: A GAL R BUD; FRA: A BUR D"
    scene = play("RUS: A GAL, A BUR", orders, "SUM 1901", dislodged)

    assert list(drawn(read, scene)) == ["Austria: A GAL R BUD: succeeded"]
    assert is_crossed(read(marks(scene)))


def test_a_build_has_its_unit_and_a_mark_and_no_line(play: Play, read: Read) -> None:
    scene = play(orders="FRA: A PAR B", turn="WIN 1901")

    assert drawn(read, scene) == {}
    assert len(read(marks(scene))) == 2
    assert [each.findtext("title") for each in read(units(scene))] == ["France: A PAR"]


def test_without_orders_and_with_all_borders_nothing_is_drawn(start: Scene) -> None:
    assert not [*order_lines(start), *marks(start), *links(start)]


# Links: near neighbours have a line, far ones a stub at each end


@pytest.mark.parametrize(
    ("one", "other", "texts"), [("WST", "EST", []), ("SEA", "EST", ["EST", "SEA"])]
)
def test_neighbours_without_a_border_are_linked(
    start: Scene, read: Read, one: str, other: str, texts: list[str]
) -> None:
    """Far ones by the ends of the line only, each with the other's name."""
    picture = evolve(start.picture, links=((Province(one), Province(other)),))
    found = read(links(Scene(start.variant, picture, start.position)))

    assert len(found.findall("path")) == max(1, len(texts))
    assert sorted(str(each.text) for each in found.iter("text")) == texts


def test_without_borders_every_link_is_a_line(standard: Variant, read: Read) -> None:
    """However far apart: in discs and lines nothing else shows what is near."""
    picture = schematic(standard.map)
    found = read(links(Scene(standard, picture, standard.start)))

    assert len(found.findall("path")) == len(picture.links)
    assert not list(found.iter("text"))


# Strokes: arrows point where they lead, and are visible on any background


points = st.tuples(st.integers(0, 500), st.integers(0, 500))


@settings(deadline=None)
@given(points, points)
def test_the_head_of_an_arrow_is_at_its_end(
    read: Read, start: Point, end: Point
) -> None:
    if math.dist(start, end) < 1:
        return
    head = read(arrow((start, end), "#123456"))[1].get("d") or ""

    tip = list(map(float, re.findall(r"-?[\d.]+", head)[:2]))
    assert tip == approx(list(end), abs=0.1)


def test_a_stroke_lies_on_a_wider_pale_one(read: Read) -> None:
    below, *_, above = read(stroke(((0, 0), (9, 9)), "#123456", 3, ""))

    assert below.get("stroke") == "#ffffff"
    assert above.get("stroke") == "#123456"
    assert float(below.get("stroke-width", 0)) > float(above.get("stroke-width", 9))


# Units: armies and fleets look different, and all of them are there


def test_armies_and_fleets_have_different_outlines(read: Read) -> None:
    army, fleet = (
        read(symbol(kind, "#123456", "#ffffff")).find("path") for kind in UnitType
    )

    assert army is not None
    assert fleet is not None
    assert army.get("d") != fleet.get("d")


def test_units_have_their_powers_colours_and_names(start: Scene, read: Read) -> None:
    found = {
        each.findtext("title"): {path.get("fill") for path in each.iter("path")}
        for each in read(units(start))
    }

    assert set(found) == {"The Reds: A WST", "The Blues: F EST"}
    blue = start.colours[Power("BLU")]
    assert blue in found["The Blues: F EST"]
    assert blue not in found["The Reds: A WST"]


def test_units_that_must_retreat_are_marked(play: Play, read: Read) -> None:
    dislodged = {"AUS": {"A GAL": ["BUD"]}}
    there, aside = read(units(play("RUS: A GAL", "", "SUM 1901", dislodged)))

    assert palette.BAD not in {path.get("stroke") for path in there.iter("path")}
    assert palette.BAD in {path.get("stroke") for path in aside.iter("path")}


def test_units_have_the_letters_and_the_shapes_of_the_page(
    start: Scene, read: Read
) -> None:
    """One picture of a unit everywhere: badge, hull, letter."""
    letters = [each.findtext("text") for each in read(units(start))]
    page = (Path(daide_server.web.__file__).parent / "templates/icons.svg").read_text()

    assert sorted(filter(None, letters)) == sorted(start.letters.values())
    assert 'id="unit-army" viewBox="0 0 28 28"><circle cx="14" cy="14" r="11.6"' in page
    assert "M1.6 9.2 8.2 9.2 13.2 1.6" in page


# Signs are moved as little as is needed, and never on top of each other


POINTS = st.tuples(st.integers(0, 400), st.integers(0, 300))


def canvas(*boxes: Box) -> Canvas:
    return Canvas(400.0, 300.0, boxes)


def sign(key: str, at: tuple[float, float]) -> Sign[str]:
    return Sign(key, Box(at, 30.0, 10.0), lambda place: math.dist(place, at))


@given(st.lists(POINTS, max_size=15))
def test_no_two_signs_overlap(points: list[tuple[int, int]]) -> None:
    signs = [sign(str(number), at) for number, at in enumerate(points)]
    found = places(signs, canvas())
    boxes = [Box(at, 30.0, 10.0) for at in found.values()]

    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(map(canvas().is_free, boxes))


def test_a_sign_goes_to_the_nearest_free_place() -> None:
    """One with room stays."""
    signs = [sign("a", (100, 100)), sign("b", (100, 100)), sign("c", (200, 100))]
    found = places(signs, canvas())

    assert (found["a"], found["c"]) == ((100, 100), (200, 100))
    assert math.dist(found["b"], (100, 100)) <= 15


def test_a_sign_without_room_is_left_out() -> None:
    full = canvas(Box((200, 150), 400, 300))

    assert places([sign("a", (100, 100))], full) == {}


def test_badges_are_pushed_apart() -> None:
    """Also two at one spot; others stay."""
    for near in (104.0, 100.0):
        badges = {"a": (100.0, 100.0), "b": (near, 100.0), "c": (300.0, 9.0)}
        found = separated(badges, 20)

        assert math.dist(found["a"], found["b"]) >= 19.9
        assert found["c"] == (300.0, 9.0)
