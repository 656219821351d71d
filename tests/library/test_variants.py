"""Boards: shipped ones, those of the original server, files of other programs."""

import re
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from attrs import evolve

from daide_server.atlas.checking import AtlasError, flaws
from daide_server.board.map import Map, Variant, VariantError
from daide_server.board.names import Location, Province, UnitType
from daide_server.daide.messages import CurrentPosition, MapDefinition, Ownership
from daide_server.daide.vocabulary import Vocabulary
from daide_server.library.board_formats import read_board, write_board
from daide_server.library.variants import (
    find_variant,
    load_variant,
    same_map,
    start_question,
    variant_names,
)
from tests.support.data import original_boards, original_message

# Variants are found by name, or by the path of a map file


OURS = Path(__file__).parents[2] / "maps"


def test_every_map_file_is_a_variant_by_its_own_name() -> None:
    assert variant_names()
    for name in variant_names():
        assert load_variant(name).name == load_variant(name).map.name == name


def test_case_does_not_matter_and_a_variant_is_one_object() -> None:
    assert load_variant("Standard") is load_variant("standard")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("x", r"no variant is called 'x'.*standard"),
        ("Colnial", r"; did you mean colonial\?$"),
        # Names come with records and questions too, and lead out of no folder.
        ("../maps/standard", "no variant"),
        ("maps/standard.toml", "no variant"),
    ],
)
def test_the_error_of_an_unknown_name_lists_the_known_names(
    name: str, error: str
) -> None:
    with pytest.raises(VariantError, match=error):
        load_variant(name)


def test_a_file_may_be_on_the_map_of_another(tmp_path: Path) -> None:
    """Powers that it names have what the other says, but for what it says itself."""
    path = tmp_path / "duel.toml"
    path.write_text(
        'name = "duel"\nmap = "standard"\nfirst_turn = "WIN 1900"\nvictory = 24\n'
        '[powers]\nENG = { units = [] }\nITA = { homes = ["ROM"] }\n'
    )

    variant = find_variant(str(path))

    assert variant.map.powers == ("ENG", "ITA")
    assert variant.map.majority == 24
    assert variant.map.homes["ENG"] == load_variant("standard").map.homes["ENG"]  # type: ignore[index]
    assert set(variant.start.owners) == {"EDI", "LON", "LVP", "ROM"}
    assert {unit.power for unit in variant.start.units} == {"ITA"}
    assert variant.titles["ENG"] == "England"


def test_a_file_that_is_read_again_is_the_same_variant(tmp_path: Path) -> None:
    """Each game and each view of a page reads it, and much is kept for each map."""
    path = tmp_path / "standard.toml"
    path.write_text((OURS / "standard.toml").read_text())
    first = find_variant(str(path))

    assert find_variant(str(path)) is first

    path.write_text(path.read_text().replace('name = "standard"', 'name = "other"'))
    assert find_variant(str(path)).name == "other"


def test_a_file_on_another_map_is_read_again_with_it(tmp_path: Path) -> None:
    base, path = tmp_path / "base.toml", tmp_path / "own.toml"
    base.write_text((OURS / "standard.toml").read_text())
    path.write_text(
        'name = "own"\nmap = "base"\nfirst_turn = "SPR 1901"\n'
        '[powers]\nFRA = { units = ["A PAR"] }\n'
    )
    assert "Paris" in find_variant(str(path)).titles.values()

    base.write_text(base.read_text().replace("Paris", "Lutetia"))

    assert "Lutetia" in find_variant(str(path)).titles.values()


def test_the_file_beside_it_comes_first(tmp_path: Path) -> None:
    text = (OURS / "pure.toml").read_text()
    (tmp_path / "standard.toml").write_text(text.replace('"Paris"', '"Lutetia"'))
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\nmap = "standard"\nfirst_turn = "SPR 1901"\n[powers]\nFRA = {}\n'
    )
    assert find_variant(str(path)).titles["PAR"] == "Lutetia"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"VIE"', '"VIX"', r":8: pure: powers: AUS: .* no province is called 'VIX'"),
        ("BER = {", "BER = [{", "Unclosed|Invalid|Expected|valid"),
        ("BER = {", "CON = {", r"duplicate name \(at line 18"),
        ("BER = {", "BERLIN = {", "'BERLIN', expected a name of three capitals"),
        ("centre =", "center =", ":17: .*center: no such key, expected name, cen"),
        ('"SPR 1901"', '"SPR"', r"first_turn: found 'SPR', expected a turn such as"),
        ('SPR 1901"', 'SPR 1901"\nmap = "x"', "map: found 'x', expected one of"),
        ('SPR 1901"', 'SPR 1901"\nvictory = 8', "victory: found 8, expected .* 1 to 7"),
        (
            'colour = "#',
            'colour = "',
            "colour: found 'c0392b', expected a colour such as '#",
        ),
    ],
)
def test_a_fault_is_reported_with_its_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "wrong.toml"
    text = (OURS / "pure.toml").read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))

    with pytest.raises(VariantError, match=message) as caught:
        find_variant(str(path))
    assert str(caught.value).startswith(str(path))


def test_the_example_of_the_document_is_a_board(tmp_path: Path) -> None:
    """What docs/maps.md shows can be pasted, and nothing is wrong with it."""
    document = (OURS.parent / "docs" / "maps.md").read_text()
    small, shared = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    for name, text in (("isle", small), ("fva", shared)):
        (tmp_path / f"{name}.toml").write_text(text)

    isle = find_variant(str(tmp_path / "isle.toml"))
    fva = find_variant(str(tmp_path / "fva.toml"))

    assert flaws(isle) == ()
    assert fva.start == load_variant("fva").start


@pytest.mark.parametrize("value", ["9" * 5000, "0x" + "F" * 5000, "[" * 5000, "1e999"])
def test_a_value_that_cannot_be_read_is_an_error(tmp_path: Path, value: str) -> None:
    """Not a traceback, whatever the TOML parser raises."""
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\nvictory = {value}\n')

    with pytest.raises(VariantError, match=r"mine\.toml"):
        find_variant(str(path))


# Which shipped variant another one is played on


def test_a_variant_with_fewer_powers_is_on_the_same_map(standard: Variant) -> None:
    fva = load_variant("fva")

    assert same_map(fva, standard)
    assert not same_map(standard, fva)


def test_other_borders_are_another_map(standard: Variant) -> None:
    neighbours = {**standard.map.neighbours}
    node = next(iter(neighbours))
    changed = evolve(standard.map, neighbours=neighbours | {node: ()})

    assert not same_map(evolve(standard, map=changed), standard)


def test_powers_are_compared_by_their_full_names(standard: Variant) -> None:
    titles = {name: title.upper() for name, title in standard.titles.items()}
    other = dict(standard.titles) | {standard.map.powers[0]: "Ruritania"}

    assert same_map(evolve(standard, titles=titles), standard)
    assert not same_map(evolve(standard, titles=other), standard)


def test_a_question_names_the_shipped_variant(standard: Variant) -> None:
    question = start_question(evolve(standard, name="mine"))

    assert b"standard" in question
    assert b"mine" not in question


# Every board of AiServer is here as its original files have it


STANDARD_MAP = {"1900", "fleet_rome", "shift_around", "standard"}

every_original = pytest.mark.parametrize("name", sorted(original_boards()))

Edges = dict[tuple[UnitType, Location], set[Location]]


def edges(board_map: Map) -> Edges:
    return {node: set(places) for node, places in board_map.neighbours.items()}


@every_original
def test_the_borders_are_those_of_the_original(name: str) -> None:
    borders = edges(original_message(name, "mdf", MapDefinition).map)
    if name == "americas4":
        # A sea: fleets' borders lead there, and only armies' from there.
        arctic = Location(Province("ARC"))
        borders[UnitType.FLEET, arctic] = borders.pop((UnitType.ARMY, arctic))

    assert edges(load_variant(name).map) == borders


@every_original
def test_powers_centres_and_homes_are_those_of_the_original(name: str) -> None:
    original = original_message(name, "mdf", MapDefinition).map
    ours = load_variant(name).map

    assert (ours.powers, ours.centres) == (original.powers, original.centres)
    assert set(ours.provinces) == set(original.provinces)
    assert ours.homes == original.homes


@every_original
def test_the_start_is_that_of_the_original(name: str) -> None:
    original = original_message(name, "now", CurrentPosition).position
    start = load_variant(name).start

    assert (start.turn, set(start.units)) == (original.turn, set(original.units))
    assert start.owners == original_message(name, "sco", Ownership).owners


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


# Boards of any format, as they are read


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("pure.toml", "toml"),
        ("pure.txt", "move-assistant"),
        ("pure.json", "move-assistant"),
        ("pure.mdf", "aiserver"),
    ],
)
def test_a_byte_order_mark_before_a_board_is_skipped(
    tmp_path: Path, name: str, form: str
) -> None:
    """Editors on Windows write it."""
    path = tmp_path / name
    files = write_board(load_variant("pure"), path, form)
    plain = read_board(str(path))

    for file in files:
        file.write_bytes(BOM_UTF8 + file.read_bytes())

    marked = read_board(str(path))
    assert marked.variant.map.neighbours == plain.variant.map.neighbours
    assert (marked.variant.start, marked.faults) == (plain.variant.start, plain.faults)


@pytest.mark.parametrize(("kind", "what"), [("dir", "a folder"), ("file", "a file")])
def test_what_is_no_board_by_its_name_is_told(
    tmp_path: Path, kind: str, what: str
) -> None:
    """A folder or a file that is there is not a board whose name is unknown."""
    path = tmp_path / "board"
    if kind == "dir":
        path.mkdir()
    else:
        path.touch()
    with pytest.raises(AtlasError, match=rf"found {what}.*, expected a file called"):
        read_board(str(path))
