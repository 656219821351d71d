"""Orders: each has its line, and one sees whether it was carried out."""

import re
from xml.etree import ElementTree as ET

import pytest
from pytest import approx  # noqa: PT013 - reads as a word

from daide_server.board.names import Location, Province
from daide_server.board.turns import Season, Turn
from daide_server.pictures import colours
from daide_server.pictures.order_layer import marks, orders
from daide_server.pictures.scene import Scene

from .conftest import Play, Read


def drawn(read: Read, scene: Scene) -> dict[str, ET.Element]:
    """Return the orders by their captions."""
    return {each.findtext("title", ""): each for each in read(orders(scene))}


def is_crossed(shape: ET.Element) -> bool:
    return any(path.get("stroke") == colours.BAD for path in shape.iter("path"))


def is_dashed(shape: ET.Element) -> bool:
    return any("stroke-dasharray" in path.attrib for path in shape.iter("path"))


def places(shape: ET.Element) -> list[tuple[float, float]]:
    """Return the points of the first line of *shape*."""
    first = next(shape.iter("path")).get("d", "")
    values = list(map(float, re.findall(r"-?[\d.]+", first)))
    x = y = 0.0
    found = []
    for across, down in zip(values[::2], values[1::2], strict=True):
        x, y = x + across, y + down
        found.append((x, y))
    return found


def test_a_move_is_a_full_line(play: Play, read: Read) -> None:
    found = drawn(read, play({"FRA": ["A PAR"]}, {"FRA": ["A PAR - BUR"]}))

    (move,) = found.values()
    assert list(found) == ["France: A PAR - BUR: succeeded"]
    assert not is_crossed(move)
    assert not is_dashed(move)


def test_a_bounce_is_broken_and_crossed(play: Play, read: Read) -> None:
    scene = play(
        {"FRA": ["A PAR"], "GER": ["A MUN"]},
        {"FRA": ["A PAR - BUR"], "GER": ["A MUN - BUR"]},
    )

    for caption, move in drawn(read, scene).items():
        assert caption.endswith("- BUR: bounced")
        assert is_crossed(move)
        assert is_dashed(move)


def test_a_support_ends_on_the_arrow_that_it_is_for(play: Play, read: Read) -> None:
    scene = play(
        {"FRA": ["A PAR", "A MAR"]}, {"FRA": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
    )
    found = drawn(read, scene)

    support = found["France: A MAR S A PAR - BUR: succeeded"]
    start, end = (scene.place(Location(Province(name))) for name in ("PAR", "BUR"))
    x, y = places(support)[-1]
    share = (x - start[0]) / (end[0] - start[0])
    assert 0.3 < share < 0.8
    assert y == approx(start[1] + (end[1] - start[1]) * share, abs=1)
    assert not is_crossed(support)


def test_a_cut_support_is_crossed(play: Play, read: Read) -> None:
    scene = play(
        {"FRA": ["A PAR", "A MAR"], "ITA": ["A PIE"]},
        {
            "FRA": ["A PAR - BUR", "A MAR S A PAR - BUR"],
            "ITA": ["A PIE - MAR"],
        },
    )

    assert is_crossed(drawn(read, scene)["France: A MAR S A PAR - BUR: cut"])


def test_a_convoyed_army_passes_its_fleet(play: Play, read: Read) -> None:
    scene = play(
        {"ENG": ["A LON", "F NTH"]},
        {"ENG": ["A LON - NWY VIA", "F NTH C A LON - NWY"]},
    )
    move = drawn(read, scene)["England: A LON - NWY VIA: succeeded"]

    sea = scene.place(Location(Province("NTH")))
    assert min(abs(x - sea[0]) + abs(y - sea[1]) for x, y in places(move)) < 1


def test_moves_against_each_other_are_beside_each_other(play: Play, read: Read) -> None:
    scene = play(
        {"FRA": ["A PAR"], "GER": ["A BUR"]},
        {"FRA": ["A PAR - BUR"], "GER": ["A BUR - PAR"]},
    )
    one, other = (
        shape[len(shape) // 2] for shape in map(places, drawn(read, scene).values())
    )

    assert abs(one[0] - other[0]) + abs(one[1] - other[1]) > 5


@pytest.mark.parametrize("text", ["A PAR H", "A PAR S A BUR"])
def test_holds_and_supports_of_holds_are_no_arrows(
    play: Play, read: Read, text: str
) -> None:
    scene = play({"FRA": ["A PAR", "A BUR"]}, {"FRA": [text]})

    assert f"France: {text}: succeeded" in drawn(read, scene)


def test_a_dislodged_unit_is_marked(play: Play, read: Read) -> None:
    scene = play(
        {"FRA": ["A PAR", "A MAR"], "GER": ["A BUR"]},
        {"FRA": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GER": ["A BUR H"]},
    )

    assert "Germany: A BUR H, dislodged" in drawn(read, scene)
    assert len(read(marks(scene))) == 1


def test_a_retreat_is_an_arrow_and_a_disbanded_unit_is_crossed_out(
    play: Play, read: Read
) -> None:
    scene = play(
        {"RUS": ["A GAL", "A BUR"]},
        {"AUS": ["A GAL R BUD"], "FRA": ["A BUR D"]},
        Turn(Season.SUMMER, 1901),
        {"AUS": {"A GAL": ["BUD"]}, "FRA": {"A BUR": ["PAR"]}},
    )

    assert list(drawn(read, scene)) == ["Austria: A GAL R BUD: succeeded"]
    assert is_crossed(read(marks(scene)))


def test_builds_have_a_mark_and_no_line(play: Play, read: Read) -> None:
    scene = play({}, {"FRA": ["A PAR B"]}, Turn(Season.WINTER, 1901))

    assert drawn(read, scene) == {}
    assert len(read(marks(scene))) == 2


def test_without_orders_nothing_is_drawn(start: Scene) -> None:
    assert not list(orders(start))
    assert not list(marks(start))
