"""The map layer: owners' colours, names, coasts and centres."""

from msgspec.structs import replace

from daide_server.pictures import colours
from daide_server.pictures.map_layer import map_layer, names
from daide_server.pictures.scene import Scene

from .conftest import Play, Read


def test_land_has_the_colour_of_its_owner(start: Scene, read: Read) -> None:
    land = read(map_layer(start)).findall(".//g[@id='land']/path")

    fills = {each.findtext("title"): each.get("fill") for each in land}
    assert set(fills) == {"The <West>", "The East"}
    assert len(set(fills.values())) == 2
    assert colours.LAND not in fills.values()


def test_unowned_land_is_plain(start: Scene, read: Read) -> None:
    free = Scene(start.variant, start.picture, replace(start.position, owners={}))
    land = read(map_layer(free)).findall(".//g[@id='land']/path")

    assert {each.get("fill") for each in land} == {colours.LAND}


def test_land_borders_and_coasts_are_different_lines(start: Scene, read: Read) -> None:
    """There is one sea only, and so no border of seas."""
    lands, coasts = read(map_layer(start)).findall(".//g[@id='borders']/*")

    assert lands.get("d") == "M150 50l0 100"
    assert coasts.get("href") == "#coasts"
    assert lands.get("stroke") != coasts.get("stroke")


def test_every_centre_is_a_star(play: Play, read: Read) -> None:
    """A star is drawn twice: its pale edge, and itself in its owner's colour."""
    stars = read(map_layer(play({}, {}))).findall(".//g[@id='centres']/path")
    fills = [each.get("fill") for each in stars]

    assert len(stars) == 2 * 34
    assert fills.count(colours.PAPER) == 12


def test_every_province_has_its_name(start: Scene, read: Read) -> None:
    texts = [each.text for each in read(names(start, {})).iter("text")]

    assert set(texts) == {"WST", "EST", "SEA"}


def test_named_coasts_are_labelled(play: Play, read: Read) -> None:
    texts = [each.text for each in read(names(play({}, {}), {})).iter("text")]

    assert sorted(str(text) for text in texts if str(text).islower()) == [
        "ec", "nc", "nc", "sc", "sc", "sc",
    ]  # fmt: skip


def test_lakes_lie_on_the_land(start: Scene, read: Read) -> None:
    (lake,) = read(map_layer(start)).findall(".//g[@id='islands']/path")

    assert lake.get("fill") == colours.SEA
