"""The files of the original server, .mdf .now .sco .rem .nam: read and written."""

import re

import pytest

from daide_server.atlas import aiserver
from daide_server.atlas.aiserver_definition import (
    Bracketed,
    Definition,
    Titles,
    Word,
    read_message,
    read_titles,
    write_titles,
)
from daide_server.atlas.checking import AtlasError
from daide_server.board.map import Variant
from daide_server.board.variant import from_mapping
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.variants import load_variant, variant_names
from tests.atlas.boards import isle

# Messages as text are split into words and brackets, each with its line


def test_words_are_capitals_with_their_lines() -> None:
    message = read_message("sco\n (fra par\n  bre)", "x.sco", "SCO")

    group = Bracketed((Word("FRA", 2), Word("PAR", 2), Word("BRE", 3)), 2)
    assert message == Bracketed((group,), 1)


def test_words_and_groups_of_a_group_are_separate() -> None:
    message = read_message("NOW (FRA FLT (STP NCS))", "x.now", "NOW")

    (unit,) = message.groups
    assert [word.text for word in unit.words] == ["FRA", "FLT"]
    assert [word.text for word in unit.groups[0].words] == ["STP", "NCS"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("MDF ()", "x.sco:1: found MDF, expected SCO"),
        ("(SCO)", "x.sco:1: found something else, expected SCO"),
        ("", "x.sco:1: found something else, expected SCO"),
        ("SCO\n(FRA", "x.sco:2: the bracket that opens here is not closed"),
        ("SCO (FRA)\n)", "x.sco:2: a bracket closes that was not open"),
    ],
)
def test_another_message_or_a_single_bracket_is_refused(text: str, fault: str) -> None:
    with pytest.raises(AtlasError) as caught:
        read_message(text, "x.sco", "SCO")
    assert str(caught.value) == fault


# The names in a .nam file


def test_powers_come_first_then_provinces() -> None:
    text = "fra:France:French\r\nger: Germany\r\n\r\npar:Paris\r\nno name\r\n"

    assert read_titles(text) == Titles(
        powers={"FRA": "France", "GER": "Germany"},
        adjectives={"FRA": "French"},
        provinces={"PAR": "Paris"},
    )


def test_an_empty_file_has_no_names() -> None:
    assert read_titles("") == Titles({}, {}, {})


def test_what_is_written_is_read_back() -> None:
    standard = load_variant("standard")

    titles = read_titles(write_titles(standard))

    assert {**titles.powers, **titles.provinces} == standard.titles
    assert titles.adjectives == standard.adjectives


# A Map Definition Message as text becomes the tables of a map file


GOOD = """MDF (FRA)
(((FRA PAR)) (SEA))
((PAR (AMY) (FLT SEA)) (SEA (FLT PAR)))"""


def read(text: str) -> Definition:
    """Return the definition in *text*."""
    definition = Definition("x.mdf")
    definition.read(read_message(text, "x.mdf", "MDF"))
    return definition


def test_powers_provinces_and_borders_are_read() -> None:
    definition = read(GOOD)

    assert definition.homes == {"FRA": ["PAR"]}
    assert definition.provinces == {
        "PAR": {"centre": True, "army": [], "fleet": ["SEA"]},
        "SEA": {"fleet": ["PAR"]},
    }
    assert definition.lines == {"PAR": 3, "SEA": 3}
    assert definition.faults == []


def test_a_centre_may_be_home_of_several_powers() -> None:
    definition = read(GOOD.replace("(FRA PAR)", "((FRA) PAR)"))

    assert definition.homes == {"FRA": ["PAR"]}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("(SEA))\n", "(SEA SEA))\n", "x.mdf:2: SEA is listed twice"),
        ("(SEA))\n", "())\n", "x.mdf:3: SEA has borders, but is in no list of prov"),
        ("(FRA PAR)", "(GER PAR)", "x.mdf:2: no power is called GER"),
        ("(FLT SEA)", "(FLT SEA XXX)", "x.mdf:3: PAR borders XXX, which is no prov"),
        (" (SEA (FLT PAR))", "", "x.mdf:2: SEA is in a list of provinces, but has no"),
    ],
)
def test_faults_are_reported_and_repaired(old: str, new: str, fault: str) -> None:
    definition = read(GOOD.replace(old, new))

    assert str(definition.faults[0]).startswith(fault)
    assert definition.provinces["SEA"]["fleet"] == ["PAR"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("MDF (FRA)", "expected three groups: powers, provinces, borders"),
        ("MDF (FRA) (((FRA PAR))) ()", "expected two groups: centres, other provinces"),
        ("MDF (FRA) (() ()) (())", "expected a province and its borders"),
        ("MDF (FRA) (() (SEA)) ((SEA (XXX)))", r"expected AMY, FLT or \(FLT and a co"),
        ("MDF (FRA) (() (SEA)) ((SEA ((FLT X))))", "found X, expected a coast: ECS"),
    ],
)
def test_another_structure_is_refused(text: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=fault):
        read(text)


# AiServer's files become a variant; faults are reported by file and line


def texts() -> dict[str, str]:
    return aiserver.write(from_mapping(isle()))


def faults_of(texts: dict[str, str]) -> list[str]:
    return list(map(str, aiserver.read("isle", texts).repairs))


def facts(variant: Variant) -> list[object]:
    board_map = variant.map
    return [
        *(variant.start, variant.titles, Vocabulary.of(board_map).representation),
        *(board_map.powers, board_map.provinces, board_map.centres, board_map.homes),
        board_map.neighbours,
    ]


@pytest.mark.parametrize("name", variant_names())
def test_every_board_is_read_back(name: str) -> None:
    variant = load_variant(name)

    reading = aiserver.read(name, aiserver.write(variant))

    assert reading.repairs == ()
    assert facts(reading.variant) == facts(variant)


def test_case_and_white_space_mean_nothing() -> None:
    changed = {
        extension: re.sub(r"\s*([()])\s*", r"\n\1\n", text).lower()
        for extension, text in texts().items()
        if extension not in {"nam", "rem"}
    }
    expected = from_mapping(isle()).map.neighbours
    assert aiserver.read("isle", changed).variant.map.neighbours == expected


def test_the_map_alone_is_a_board_without_units() -> None:
    variant = aiserver.read("isle", {"mdf": texts()["mdf"]}).variant

    assert variant.start.units == ()
    assert variant.titles["ONE"] == "One"
    assert variant.start.owners == from_mapping(isle()).start.owners


def test_centres_may_be_homes_of_several_powers() -> None:
    changed = texts()
    changed["mdf"] = changed["mdf"].replace("(RED TWO)", "((RED BLU) TWO)")

    homes = aiserver.read("isle", changed).variant.map.homes

    assert homes == {"RED": {"TWO"}, "BLU": {"ONE", "TWO"}}


def test_without_owners_homes_of_several_powers_are_unowned() -> None:
    mdf = texts()["mdf"].replace("(RED TWO)", "((RED BLU) TWO)")
    assert aiserver.read("isle", {"mdf": mdf}).variant.start.owners == {"ONE": "BLU"}


@pytest.mark.parametrize(
    ("extension", "old", "new", "fault"),
    [
        ("mdf", " (SEA)", " ()", "6: SEA has borders, but is in no list of provinces"),
        (
            "mdf",
            " (SEA)",
            " (SEA FAR)",
            "5: FAR is in a list of provinces, but has no borders",
        ),
        (
            "mdf",
            "(AMY ONE)",
            "(AMY ONE XXX)",
            "9: TWO borders XXX, which is no province",
        ),
        ("mdf", "(RED TWO)", "(TAN TWO)", "2: no power is called TAN"),
        ("sco", "RED TWO", "RED TWO SEA", "1: SEA is not a supply centre"),
        ("sco", "RED TWO", "TAN TWO", "1: no power is called TAN"),
        ("now", "AMY ONE", "AMY XXX", "3: no province is called XXX"),
        ("now", "AMY ONE", "ARM ONE", "3: expected a unit such as (FRA AMY PAR)"),
        ("now", "BLU AMY", "TAN AMY", "3: no power is called TAN"),
        (
            "now",
            "(TWO NCS)",
            "TWO",
            "2: the fleet in TWO is at none of its coasts; taken: NCS",
        ),
        ("rem", "4100:RED", "4100:TAN", "2: TAN is no power or province of the map"),
        ("rem", "4100:RED", "41X0:RED", "2: found '41X0', expected a token in hexad"),
    ],
)
def test_a_fault_is_reported_with_its_line_and_repaired(
    extension: str, old: str, new: str, fault: str
) -> None:
    changed = texts()
    assert old in changed[extension]
    changed[extension] = changed[extension].replace(old, new)

    assert any(
        each.startswith(f"isle.{extension}:{fault}") for each in faults_of(changed)
    )


@pytest.mark.parametrize(
    ("extension", "text", "fault"),
    [
        ("mdf", "NOW (SPR 1901)", "isle.mdf:1: found NOW, expected MDF"),
        ("mdf", "MDF (RED)\n(()", "isle.mdf:2: the bracket that opens here is not"),
        ("mdf", "MDF (RED))", "isle.mdf:1: a bracket closes that was not open"),
        ("mdf", "MDF (RED)", "isle.mdf:1: expected three groups"),
        (
            "mdf",
            "MDF (RED) (() (A))\n((A ((FLT XCS) B)))",
            "isle.mdf:2: found XCS, expected a coast",
        ),
    ],
)
def test_what_is_no_such_file_is_refused(extension: str, text: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=re.escape(fault)):
        aiserver.read("isle", {**texts(), extension: text})
