"""Scenes: what is where in a picture."""

from msgspec.structs import replace

from daide_server.board.names import Power, Province
from daide_server.board.turns import Season, Turn
from daide_server.pictures.scene import DISLODGED_OFFSET, Scene

from .conftest import Play


def test_the_heading_tells_turn_and_phase(start: Scene) -> None:
    assert start.heading == "Spring 1901, movement"


def test_a_name_is_given_in_full(start: Scene) -> None:
    assert start.title("EST") == "The East"


def test_a_centre_is_shown_as_its_owners(start: Scene) -> None:
    assert start.owner_shown(Province("WST")) == Power("RED")
    assert start.owner_shown(Province("SEA")) is None


def test_land_without_a_centre_follows_one(play: Play) -> None:
    """Bohemia is coloured like Vienna, whoever owns that."""
    scene = play({}, {})
    taken = {**scene.position.owners, Province("VIE"): Power("RUS")}
    later = Scene(scene.variant, scene.picture, replace(scene.position, owners=taken))

    assert scene.owner_shown(Province("BOH")) == Power("AUS")
    assert later.owner_shown(Province("BOH")) == Power("RUS")


def test_a_dislodged_unit_stands_beside_the_one_that_took_its_place(
    play: Play,
) -> None:
    scene = play(
        {"RUS": ["A GAL"]}, {}, Turn(Season.SUMMER, 1901), {"AUS": {"A GAL": ["BUD"]}}
    )
    (there,) = scene.position.units
    (aside,) = scene.position.dislodged

    x, y = scene.unit_place(there)
    assert scene.unit_place(aside) == (x + DISLODGED_OFFSET[0], y + DISLODGED_OFFSET[1])


def test_a_unit_dislodged_from_an_empty_province_stands_in_its_middle(
    play: Play,
) -> None:
    """As after a move from a place that became empty again."""
    scene = play({}, {}, Turn(Season.SUMMER, 1901), {"AUS": {"A GAL": ["BUD"]}})
    (unit,) = scene.position.dislodged

    assert scene.unit_place(unit) == scene.place(unit.location)


def test_what_is_built_is_there(play: Play) -> None:
    scene = play({}, {"FRA": ["A PAR B", "F MUN B"]}, Turn(Season.WINTER, 1901))

    assert [str(unit) for unit in scene.builds()] == ["A PAR"]
