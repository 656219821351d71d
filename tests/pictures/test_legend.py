"""The legend: who owns how much, and what is to be seen, no more."""

from attrs import evolve
from msgspec.structs import replace

from daide_server.board.position import Position
from daide_server.pictures.legend import height, legend
from daide_server.pictures.scene import Scene

from .conftest import Play, Read


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
    scene = play({"FRA": ["A PAR"]}, {"FRA": ["A PAR - BUR"]})

    assert words(read, scene)[-2:] == ["army", "moves"]


def test_failures_are_explained_as_such(play: Play, read: Read) -> None:
    scene = play(
        {"FRA": ["A PAR"], "GER": ["A MUN"]},
        {"FRA": ["A PAR - BUR"], "GER": ["A MUN - BUR"]},
    )

    assert words(read, scene)[-2:] == ["army", "fails to move"]


def test_the_legend_is_as_high_as_it_must_be(start: Scene) -> None:
    bare = Scene(start.variant, start.picture, Position(start.position.turn, (), {}))

    assert height(bare) < height(start)
