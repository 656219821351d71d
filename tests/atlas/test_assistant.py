"""The Move Assistant's regions, its statements and its JSON: read and written."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from attrs import evolve

from daide_server.atlas import assistant_files
from daide_server.atlas.assistant import RegionKind, abbreviations, describe, variant_of
from daide_server.atlas.checking import AtlasError
from daide_server.board.map import Variant
from daide_server.board.map_reading import from_mapping
from daide_server.board.names import Location, UnitType
from daide_server.library.variants import load_variant, variant_names
from tests.atlas.boards import isle

# Abbreviations of regions and factions: a nick of three letters, or letters of the name


def test_abbreviations_are_three_letters_each_used_once() -> None:
    found = abbreviations(
        [("", "Spain"), ("Spa", "Other"), ("q1z", ""), ("N", "North Sea"), ("", "O")]
    )

    assert found == ["SPI", "SPA", "Q1Z", "NOR", "OXX"]


# Boards to regions


def test_the_standard_map_has_the_regions_of_our_document() -> None:
    description = describe(load_variant("standard"))
    kinds = Counter(region.kind.value for region in description.regions)
    assert kinds == {0: 19, 1: 7, 2: 15, 4: 10, 5: 24, 6: 6}
    assert len(description.borders) == 218


def test_a_coast_is_called_after_its_land_and_does_not_border_it() -> None:
    description = describe(load_variant("standard"))
    numbers = {region.nick: region.number for region in description.regions}

    assert {"Spa", "Spa/nc", "Spa/sc"} <= numbers.keys()
    assert numbers["Spa"] not in description.near(numbers["Spa/nc"])


def test_where_shared_seas_do_not_decide_coasts_are_split_from_their_lands() -> None:
    """World3 has two coastal neighbours that share a sea or not against the rule."""
    kinds = {region.kind for region in describe(load_variant("world3")).regions}
    assert RegionKind.COASTAL not in kinds
    assert {RegionKind.COAST, RegionKind.COAST_SUPPLY} <= kinds


def test_a_centre_at_sea_cannot_be_said() -> None:
    variant = from_mapping(isle(("provinces SEA centre", True)))
    with pytest.raises(AtlasError, match="SEA is a supply centre at sea"):
        describe(variant)


# Regions to boards

Borders = dict[tuple[UnitType, Location], set[Location]]


def borders(variant: Variant) -> Borders:
    """Return the borders; the assistant cannot say that a region borders itself."""
    return {
        standing: set(places) - {standing[1]}
        for standing, places in variant.map.neighbours.items()
    }


@pytest.mark.parametrize("name", variant_names())
def test_a_board_comes_back_from_regions(name: str) -> None:
    """All borders of armies and fleets, centres, units and owners."""
    variant = load_variant(name)

    again = variant_of(name, describe(variant))

    assert borders(again) == borders(variant)
    assert again.map.centres == variant.map.centres
    assert again.map.powers == variant.map.powers
    assert set(again.start.units) == set(variant.start.units)
    assert again.start.owners == variant.start.owners


def test_names_are_shortened_to_three_unused_letters() -> None:
    variant = variant_of(
        "duel",
        assistant_files.read_statements(
            "r, 0:Saint Petersburg, 5\nr, 1:Saint Denis, 5\nr, 2:Sea, 0:SAI\n"
            "b, 0:2\nb, 1:2\np, Ann:Northern Lights\np, Bob:Northwind\n"
            "h, Ann:[0]\nu, Bob:Saint Denis, 1"
        ),
    )
    assert variant.titles["SAN"] == "Saint Petersburg"
    assert set(variant.map.provinces) == {"SAN", "SAT", "SAI"}
    assert variant.map.powers == ("NOR", "NOT")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("r, 0:Sea, 0\nr, 1:Land, 1\nb, 0:1", "Land is inland (type 1), but borders a"),
        ("r, 1:Land, 5", "Land is coastal (type 5), but borders no sea"),
        ("r, 0:Coast, 3:Spa/nc", "Coast is a coast; expected a nick such as Spa/nc"),
        (
            "r, 0:Spain, 5:Spa\nr, 1:Coast, 6:Spa/nc\nr, 2:Sea, 0\nb, 0:2",
            "Coast is a coast; expected a nick such as Spa/nc, where Spa is inland",
        ),
        (
            "r, 0:Spain, 4:Spa\nr, 1:Coast, 6:Spa/nc\nr, 2:Shore, 6:Spa/c",
            "Spain has coasts that cannot be told apart",
        ),
        ("r, 0:Sea, 0\np, A:B\nu, A:Sea, 0", "an army of A cannot stand in region 0"),
        ("r, 0:Land, 1\np, A:B\nu, A:Land, 1", "a fleet of A cannot stand in region 0"),
    ],
)
def test_contradictions_are_reported(text: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=re.escape(f"map.txt: {fault}")):
        variant_of("map", assistant_files.read_statements(text), "map.txt")


# Statements

SILESIA = """
r, 0:Silesia, 1:Sil
r, 1:Munich, 4:Mun
r, 2:Bohemia, 1:Boh
r, 3:Berlin, 5:Ber
r, 4:Prussia, 2:Pru
r, 5:Warsaw, 4:War
r, 6:Galicia, 1:Gal
r, 7:Baltic Sea, 0:BAL
"""


def written_borders(text: str, *, sibling_borders: bool = False) -> set[str]:
    """Return the borders in *text*, as pairs of nicks."""
    description = assistant_files.read_statements(text, sibling_borders=sibling_borders)
    nicks = {region.number: region.nick for region in description.regions}
    return {"-".join(sorted(nicks[n] for n in pair)) for pair in description.borders}


def test_a_region_without_a_nick_goes_by_its_name() -> None:
    (region,) = assistant_files.read_statements("r, 4: Saint Petersburg , 5").regions
    assert (region.name, region.nick) == ("Saint Petersburg", "Saint Petersburg")


def test_the_collection_of_the_document_is_true_on_the_real_map() -> None:
    """Members border every base on their path, and not each other."""
    line = "c, [Sil]:[Mun: Boh, Ber], [Pru: Ber, War], [Gal: Boh, War]"
    found = written_borders(SILESIA + line)
    assert found == {
        *("Mun-Sil", "Pru-Sil", "Gal-Sil", "Boh-Sil", "Ber-Sil", "Sil-War"),
        *("Boh-Mun", "Ber-Mun", "Ber-Pru", "Pru-War", "Boh-Gal", "Gal-War"),
    }
    standard = load_variant("standard").map
    real = {
        frozenset({str(at), str(place)})
        for (_, at), places in standard.neighbours.items()
        for place in places
    }
    assert {frozenset(pair.upper().split("-")) for pair in found} <= real


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("b, Sil:Mun", {"Mun-Sil"}),
        ("b, [0]:[1]", {"Mun-Sil"}),
        ("b, silesia:MUNICH", {"Mun-Sil"}),
        ("c, [Sil]:[Mun]", {"Mun-Sil"}),
        ("c, Sil: Mun, Boh", {"Mun-Sil", "Boh-Sil"}),
        ("c, [Sil, Mun]:[Boh]", {"Mun-Sil", "Boh-Sil", "Boh-Mun"}),
        (
            "c, [Sil]:[Mun: Boh: Gal, Ber]",
            {
                *("Mun-Sil", "Boh-Sil", "Boh-Mun", "Gal-Sil", "Gal-Mun", "Boh-Gal"),
                *("Ber-Sil", "Ber-Mun", "Ber-Boh"),
            },
        ),
    ],
)
def test_borders_and_collections(line: str, expected: set[str]) -> None:
    assert written_borders(SILESIA + line) == {
        "-".join(sorted(e.split("-"))) for e in expected
    }


def test_members_border_each_other_if_they_are_to() -> None:
    """One sentence of the document says so of members without a base of their own."""
    line = "c, [Sil]:[Mun, Boh, Ber], [Pru: Ber, War]"
    plain = written_borders(SILESIA + line)

    siblings = written_borders(SILESIA + line, sibling_borders=True)

    assert siblings - plain == {"Boh-Mun", "Ber-Mun", "Ber-Boh"}
    assert plain < siblings


def test_holdings_may_lack_their_letter() -> None:
    """The second example of the document for holdings is such."""
    description = assistant_files.read_statements(
        SILESIA + "p, John:Russia\nJohn:[Warsaw, Prussia]\nRussia: [Gal]\n"
    )
    assert description.players[0].holdings == (5, 4, 6)


def test_players_hold_and_have_units() -> None:
    """A player goes by name, faction or nick; holdings add up."""
    description = assistant_files.read_statements(
        SILESIA + "p, Peter:Prussia:Prs\np, John:Russia\n"
        "h, Peter:[Silesia]\nh, Prs:[Ber, 1]\nu, Prussia:Ber,1\nu, Russia:War, 0\n"
    )
    peter, john = description.players

    assert (peter.name, peter.faction, peter.nick) == ("Peter", "Prussia", "Prs")
    assert (peter.holdings, peter.units) == ((0, 3, 1), ((3, True),))
    assert (john.nick, john.units) == ("Russia", ((5, False),))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("x, 1", "found 'x', expected one of r, c, b, p, h, u and a comma"),
        ("r 9", "found 'r 9', expected one of"),
        ("r, 9:Nowhere", "found '9:Nowhere', expected such as '61:Spain, 4:Spa'"),
        ("r, -1:Nowhere, 0:Now", "found '-1:Nowhere, 0:Now', expected such as"),
        ("r, 9:Nowhere, 7:Now", "found '7', expected a type of region from 0 to 6"),
        (f"r, {'9' * 5000}:Nowhere, 0:Now", "found '999"),
        (f"c, [Sil]:[{':' * 2000} Spa]", "no region is called 'Spa'"),
        ("r, 0:Nowhere, 0:Now", "there is a region 0 already"),
        ("r, 9:Nowhere, 0:Sil", "Nowhere or Sil names region 0 already"),
        ("b, Sil:Sil", "Silesia cannot border itself"),
        ("b, Sil:Spa", "no region is called 'Spa'"),
        ("b, Sil", "found 'Sil', expected two regions"),
        ("c, Sil", "found 'Sil', expected such as"),
        ("p, John", "found 'John', expected such as 'John:Russia'"),
        ("h, Sil", "found 'Sil', expected such as 'Rus:[Mos, Sev]'"),
        ("h, Rus:[Sil]", "no player is called 'Rus'"),
        ("Rus:[Sil]", "no player is called 'Rus'"),
        ("Rus:Sil", "found 'Rus:Sil', expected one of r, c, b, p, h, u and a comma"),
        ("u, Rus:Sil, 2", "found 'Rus:Sil, 2', expected such as 'Rus:Stp/sc, 1'"),
    ],
)
def test_a_wrong_statement_is_reported_with_its_line(line: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=re.escape(f"map.txt:10: {fault}")):
        assistant_files.read_statements(f"{SILESIA}{line}", "map.txt")


def test_every_wrong_line_is_reported() -> None:
    with pytest.raises(AtlasError) as caught:
        assistant_files.read_statements("x, 1\nr, 0:Sea, 0\nb, 0:1\n")
    assert [fault.line for fault in caught.value.faults] == [1, 3]


@pytest.mark.parametrize("name", variant_names())
def test_statements_are_read_back(name: str) -> None:
    """And alike with sibling borders: completions have one member each."""
    description = describe(load_variant(name))
    text = assistant_files.write_statements(description)
    assert assistant_files.read_statements(text) == description
    assert assistant_files.read_statements(text, sibling_borders=True) == description


def test_collections_are_written_so_that_every_reading_agrees() -> None:
    text = assistant_files.write_statements(describe(load_variant("standard")))
    lines = [line for line in text.splitlines() if line.startswith("c,")]
    assert lines
    for line in lines:
        assert re.fullmatch(r"c, \[[\w/]+\]:\[[\w/]+\](, \[[\w/]+\])*", line)


# JSON


def stored() -> dict[str, dict[str, list[Any]]]:
    return {
        "regions": {"0": ["Sea", "SEA", 0], "1": ["Land", "", 2], "2": ["Up", "U", 1]},
        "borders": {"0": [1], "1": [0, 2], "2": ["1"]},
    }


def test_regions_and_borders_are_read() -> None:
    """A number may be a text; a region without a nick goes by its name."""
    description, _ = assistant_files.read_json(json.dumps(stored()))
    assert [region.nick for region in description.regions] == ["SEA", "Land", "U"]
    assert description.near(1) == {0, 2}


@pytest.mark.parametrize("name", variant_names())
def test_json_is_read_back(name: str) -> None:
    description = describe(load_variant(name))
    text = assistant_files.write_json(description)
    again, repairs = assistant_files.read_json(text)
    assert again == evolve(description, players=())
    assert not repairs
    written = json.loads(text)
    assert written["regions"].keys() == written["borders"].keys()
    assert all(type(n) is int for near in written["borders"].values() for n in near)


@pytest.mark.parametrize(
    ("part", "key", "value", "fault"),
    [
        ("regions", "3", ["Sea", "X", 1], "region 3: Sea names region 0 already"),
        ("regions", "0", ["Sea", "SEA", 7], "region 0: found type 7, expected 0 to 6"),
        ("regions", "x", ["X", "X", 1], "region 'x': expected a whole number"),
        ("regions", "9" * 5000, ["X", "X", 1], "expected a whole number"),
        ("borders", "0", [1, 0], "region 0 borders itself"),
        ("borders", "0", [1, 9], "region 0 borders 9, which there is not"),
        ("borders", "9", [1], "borders of region 9, which there is not"),
        ("regions", "0", "Sea", "Expected `array`"),
    ],
)
def test_each_fault_is_reported(part: str, key: str, value: object, fault: str) -> None:
    wrong: dict[str, dict[str, Any]] = {**stored()}
    wrong[part][key] = value
    with pytest.raises(AtlasError, match=re.escape(fault)):
        assistant_files.read_json(json.dumps(wrong), "map.json")
    with pytest.raises(AtlasError, match=r"map\.json: JSON is malformed"):
        assistant_files.read_json("r, 0:Sea", "map.json")


def test_a_one_way_border_is_repaired_and_reported() -> None:
    wrong = stored()
    wrong["borders"]["2"] = []

    description, (fault,) = assistant_files.read_json(json.dumps(wrong), "map.json")

    assert description.near(2) == {1}
    expected = "map.json: one-way border: region 1 borders 2, but not back"
    assert str(fault) == expected
