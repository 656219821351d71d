"""The files of the original server, .mdf .now .sco .rem .nam: read and written."""

import re

import pytest

from daide_server.atlas import aiserver
from daide_server.atlas.aiserver_definition import Titles, read_titles
from daide_server.atlas.checking import AtlasError
from daide_server.board.map import Variant
from daide_server.board.map_reading import from_mapping
from daide_server.daide.vocabulary import Vocabulary
from daide_server.library.variants import load_variant, variant_names
from tests.atlas.boards import isle

# The names in a .nam file


def test_powers_come_first_then_provinces() -> None:
    text = "fra:France:French\r\nger: Germany\r\n\r\npar:Paris\r\nno name\r\n"

    assert read_titles(text) == Titles(
        powers={
            "FRA": {"name": "France", "adjective": "French"},
            "GER": {"name": "Germany"},
        },
        provinces={"PAR": "Paris"},
    )


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
        ("mdf", " (SEA)", " (SEA SEA)", "5: SEA is listed twice"),
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
        ("mdf", "(MDF)", "isle.mdf:1: found something else, expected MDF"),
        ("mdf", "MDF (RED)", "isle.mdf:1: expected three groups"),
        ("mdf", "MDF (RED) (((RED A))) ()", "expected two groups: centres, other prov"),
        ("mdf", "MDF (RED) (() ()) (())", "expected a province and its borders"),
        ("mdf", "MDF (RED) (() (A)) ((A (XXX)))", "expected AMY, FLT or (FLT and a co"),
        (
            "mdf",
            "MDF (RED) (() (A))\n((A ((FLT XCS) B)))",
            "isle.mdf:2: found XCS, expected a coast",
        ),
    ],
)
def test_files_of_other_formats_are_refused(
    extension: str, text: str, fault: str
) -> None:
    with pytest.raises(AtlasError, match=re.escape(fault)):
        aiserver.read("isle", {**texts(), extension: text})
