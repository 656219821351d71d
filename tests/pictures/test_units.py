"""Units: armies and fleets look different, and all of them are there."""

from pathlib import Path

import daide_server.web
from daide_server.board.names import Power, UnitType
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
    blue = start.colours[Power("BLU")]
    assert blue in found["The Blues: F EST"]
    assert blue not in found["The Reds: A WST"]


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


def test_units_have_the_letters_and_the_shapes_of_the_page(
    start: Scene, read: Read
) -> None:
    """One picture of a unit everywhere: badge, hull, letter."""
    letters = [each.findtext("text") for each in read(units(start))]
    page = (Path(daide_server.web.__file__).parent / "templates/icons.svg").read_text()

    assert sorted(filter(None, letters)) == sorted(start.letters.values())
    assert 'id="unit-army" viewBox="0 0 28 28"><circle cx="14" cy="14" r="11.6"' in page
    assert "M1.6 9.2 8.2 9.2 13.2 1.6" in page
