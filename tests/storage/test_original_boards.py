"""Every board of AiServer is here as its original files have it.

The messages are lists, which none of our readers has made, so that a fault of a reader
cannot hide one of our maps.
"""

import json
from typing import Any

import pytest

from daide_server.board.map import Map
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.variants import load_variant, variant_names
from tests.support.data import original_boards

NAMES = (
    *("1900", "abstraction2", "african2", "americas4", "chromatic", "classical"),
    *("fleet_rome", "hundred3", "hundred31", "hundred32", "iberian2", "modern"),
    *("pure", "sailho", "sam53", "shift_around", "south_america32"),
    *("south_america51", "south_east_asia3", "standard", "versailles3", "world3"),
)
STANDARD_MAP = {"1900", "fleet_rome", "shift_around", "standard"}

every_original = pytest.mark.parametrize("name", NAMES)

Edges = dict[tuple[str, str], set[str]]


def message(name: str, kind: str) -> list[Any]:
    """Return a message as lists within lists, in capitals."""
    capitals: list[Any] = json.loads(json.dumps(original_boards()[name][kind]).upper())
    return capitals


def place(said: str | list[str]) -> str:
    return said if isinstance(said, str) else "/".join(said)


def borders(name: str) -> Edges:
    """Return where each type may go from each place: ("A", "PAR") to names."""
    edges: Edges = {}
    for province, *groups in message(name, "mdf")[3]:
        for standing, *towards in groups:
            at = province if isinstance(standing, str) else f"{province}/{standing[1]}"
            letter = "A" if standing == "AMY" else "F"
            edges[letter, at] = {place(each) for each in towards}
    if name == "americas4":
        repair_the_arctic(edges)
    return edges


def repair_the_arctic(edges: Edges) -> None:
    """Make a sea of it: fleets' borders lead there, and only armies' from there."""
    edges["F", "ARC"] = edges.pop(("A", "ARC"))


def our_borders(board_map: Map) -> Edges:
    return {
        (kind.value, str(at)): set(map(str, places))
        for (kind, at), places in board_map.neighbours.items()
    }


def test_no_original_is_missing() -> None:
    assert set(original_boards()) == set(NAMES)
    assert set(NAMES) <= set(variant_names())


@every_original
def test_the_borders_are_those_of_the_original(name: str) -> None:
    assert our_borders(load_variant(name).map) == borders(name)


@every_original
def test_borders_go_both_ways(name: str) -> None:
    edges = our_borders(load_variant(name).map)
    assert not [
        (letter, at, towards)
        for (letter, at), places in edges.items()
        for towards in places
        if at not in edges.get((letter, towards), set())
    ]


@every_original
def test_powers_centres_and_homes_are_those_of_the_original(name: str) -> None:
    _, powers, (groups, others), _ = message(name, "mdf")
    homes: dict[str, set[str]] = {power: set() for power in powers}
    centres: set[str] = set()
    for owners, *group in groups:
        centres |= set(group)
        for owner in [owners] if isinstance(owners, str) else owners:
            homes.setdefault(owner, set()).update(group)
    homes.pop("UNO", None)
    board_map = load_variant(name).map

    assert list(board_map.powers) == powers
    assert set(board_map.provinces) == centres | set(others)
    assert board_map.centres == centres
    assert board_map.homes == homes


@every_original
def test_the_start_is_that_of_the_original(name: str) -> None:
    _, turn, *units = message(name, "now")
    groups = [group for group in message(name, "sco")[1:] if group[0] != "UNO"]
    start = load_variant(name).start

    assert str(start.turn) == " ".join(turn)
    assert {(unit.power, str(unit)) for unit in start.units} == {
        (power, f"{'A' if kind == 'AMY' else 'F'} {place(at)}")
        for power, kind, at in units
    }
    assert start.owners == {
        centre: power for power, *centres in groups for centre in centres
    }


@every_original
def test_the_token_numbers_are_those_of_the_original(name: str) -> None:
    """Clients compare numbers; without any in the file they are our own."""
    tokens = original_boards()[name]["tokens"]
    said = {name.upper(): int(token, 16) for token, name in tokens.items()}
    if name == "americas4":
        said["ARC"] = 0x5203  # the same place, among the seas

    ours = Vocabulary.of(load_variant(name).map).representation

    if said:
        assert {name: token for token, name in ours} == said
    else:
        assert (not ours) == (name in STANDARD_MAP)


@every_original
def test_everything_has_a_name_that_people_read(name: str) -> None:
    variant = load_variant(name)
    spoken = {*variant.map.powers, *variant.map.provinces}

    assert set(variant.titles) == spoken
    assert set(variant.adjectives) == set(variant.colours) == set(variant.map.powers)
    assert len(set(variant.colours.values())) == len(variant.map.powers)


def test_france_against_austria_is_the_standard_map_for_two() -> None:
    fva, standard = load_variant("fva"), load_variant("standard")

    assert fva.map.powers == ("AUS", "FRA")
    assert fva.map.neighbours == standard.map.neighbours
    assert fva.map.centres == standard.map.centres
    assert set(fva.start.units) == {
        unit for unit in standard.start.units if unit.power in fva.map.powers
    }
    assert len(fva.start.owners) == 6
