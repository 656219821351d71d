"""Units: armies and fleets look different, and all of them are there."""

from daide_server.board.names import UnitType
from daide_server.board.turns import Season, Turn
from daide_server.pictures import colours
from daide_server.pictures.scene import Scene
from daide_server.pictures.units import symbol, units

from .conftest import Play, Read


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
    assert "#0000ff" in found["The Blues: F EST"]
    assert "#0000ff" not in found["The Reds: A WST"]


def test_units_that_must_retreat_are_marked(play: Play, read: Read) -> None:
    scene = play(
        {"RUS": ["A GAL"]}, {}, Turn(Season.SUMMER, 1901), {"AUS": {"A GAL": ["BUD"]}}
    )
    there, aside = read(units(scene))

    assert colours.BAD not in {path.get("stroke") for path in there.iter("path")}
    assert colours.BAD in {path.get("stroke") for path in aside.iter("path")}


def test_units_that_are_built_are_shown(play: Play, read: Read) -> None:
    scene = play({}, {"FRA": ["A PAR B"]}, Turn(Season.WINTER, 1901))

    assert [each.findtext("title") for each in read(units(scene))] == ["France: A PAR"]
