"""The Move Assistant's regions, its statements and its JSON: read and written."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from daide_server.atlas import assistant
from daide_server.atlas.assistant import Description, describe, variant_of
from daide_server.atlas.checking import AtlasError
from daide_server.board.map import Variant
from daide_server.board.map_reading import from_mapping
from daide_server.board.names import Location, UnitType
from daide_server.library.variants import load_variant, variant_names
from tests.atlas.boards import isle


def pairs(description: Description) -> set[str]:
    """Return the borders as pairs of nicks."""
    return {
        "-".join(sorted((region.nick, other.nick)))
        for region, near in description.regions.items()
        for other in near
    }


# Boards to regions


def test_the_standard_map_has_the_regions_of_our_document() -> None:
    description = describe(load_variant("standard"))
    types = Counter(region.type for region in description.regions)
    assert types == {0: 19, 1: 7, 2: 15, 4: 10, 5: 24, 6: 6}
    assert len(pairs(description)) == 218


def test_where_shared_seas_do_not_decide_coasts_are_split_from_their_lands() -> None:
    """World3 has two coastal neighbours that share a sea or not against the rule."""
    types = {region.type for region in describe(load_variant("world3")).regions}
    assert types.isdisjoint({assistant.COASTAL, assistant.COASTAL + assistant.SUPPLY})
    assert types >= {assistant.COAST, assistant.COAST + assistant.SUPPLY}


def test_a_centre_at_sea_is_refused() -> None:
    variant = from_mapping(isle(("provinces SEA centre", True)))
    with pytest.raises(AtlasError, match="SEA is a supply centre at sea"):
        describe(variant)


# Regions to boards


def borders(variant: Variant) -> dict[tuple[UnitType, Location], set[Location]]:
    """Return the borders; the assistant cannot say that a region borders itself."""
    return {
        standing: set(places) - {standing[1]}
        for standing, places in variant.map.neighbours.items()
    }


@pytest.mark.parametrize("name", variant_names())
def test_a_board_comes_back(name: str) -> None:
    """From regions, and they from statements, which mean the same with sibling borders.

    From JSON come regions without players.
    """
    variant = load_variant(name)

    description = describe(variant)

    text = assistant.write_statements(description)
    assert assistant.read_statements(text) == description
    assert assistant.read_statements(text, sibling_borders=True) == description
    stored = assistant.write_json(description)
    assert assistant.read_json(stored) == (Description(description.regions), ())
    again = variant_of(name, description)
    assert borders(again) == borders(variant)
    assert again.map.centres == variant.map.centres
    assert again.map.powers == variant.map.powers
    assert set(again.start.units) == set(variant.start.units)
    assert again.start.owners == variant.start.owners


def test_neighbours_come_back_in_their_order() -> None:
    standard = load_variant("standard")
    again = variant_of("standard", describe(standard))
    assert again.map.neighbours == standard.map.neighbours


def test_names_are_shortened_to_three_unused_letters() -> None:
    """A nick of three letters or digits is not shortened."""
    variant = variant_of(
        "duel",
        assistant.read_statements(
            "r, 0: Saint Petersburg , 5\nr, 1:Saint Denis, 5\nr, 2:Sea, 0:SAI\n"
            "r, 3:O, 1\nr, 4:West, 1:q1z\n"
            "b, 0:2\nb, 1:2\np, Ann:Northern Lights\np, Bob:Northwind\n"
            "h, Ann:[0]\nu, Bob:Saint Denis, 1"
        ),
    )
    assert variant.titles["SAN"] == "Saint Petersburg"
    assert set(variant.map.provinces) == {"SAN", "SAT", "SAI", "OXX", "Q1Z"}
    assert variant.map.powers == ("NOR", "NOT")


def test_names_in_other_letters_than_ours_are_abbreviated_too() -> None:
    regions = (f"r, {number}:{chr(0x4E00 + number)}, 1" for number in range(256))
    description = assistant.read_statements("\n".join(regions))
    assert len(variant_of("far", description).map.provinces) == 256


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("r, 0:Sea, 0\nr, 1:Land, 1\nb, 0:1", "Land is inland (type 1), but borders a"),
        ("r, 1:Land, 5", "Land is coastal (type 5), but borders no sea"),
        (
            "r, 0:Coast, 3:Spa/nc",
            "Coast is a coast called Spa/nc; expected a nick such",
        ),
        (
            "r, 0:Spain, 5:Spa\nr, 1:Coast, 6:Spa/nc\nr, 2:Sea, 0\nb, 0:2",
            "Coast is a coast called Spa/nc; expected a nick such as Spa/nc: an",
        ),
        ("r, 0:Spain, 4:Spa\nr, 1:Coast, 6:Spa/x", "Coast is a coast called Spa/x"),
        (
            "r, 0:Spain, 4:Spa\nr, 1:Coast, 6:Spa/nc\nr, 2:Shore, 6:Spa/c",
            "Coast is a coast called Spa/nc",
        ),
        (
            "r, 0:Spain, 4:Spa\nr, 1:Coast, 6:Spa/nc\nr, 2:Shore, 6:Spa/NC",
            "Coast is a coast called Spa/nc",
        ),
    ],
)
def test_contradictions_are_reported(text: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=re.escape(f"map.txt: {fault}")):
        variant_of("map", assistant.read_statements(text), "map.txt")


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
r, 8:Munster, 3:mun
"""


def written_borders(text: str, *, sibling_borders: bool = False) -> set[str]:
    """Return the borders in *text*, as pairs of nicks."""
    return pairs(assistant.read_statements(text, sibling_borders=sibling_borders))


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
        ("b, Sil:mun", {"Sil-mun"}),
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


def test_members_border_each_other_with_sibling_borders() -> None:
    """One sentence of the document says so of members without a base of their own."""
    line = "c, [Sil]:[Mun, Boh, Ber], [Pru: Ber, War]"
    plain = written_borders(SILESIA + line)

    siblings = written_borders(SILESIA + line, sibling_borders=True)

    assert siblings - plain == {"Boh-Mun", "Ber-Mun", "Ber-Boh"}
    assert plain < siblings


def test_holdings_may_lack_their_letter() -> None:
    """The second example of the document for holdings is such."""
    description = assistant.read_statements(
        SILESIA + "p, John:Russia\nJohn:[Warsaw, Prussia]\nRussia: [Gal]\n"
    )
    assert [at.nick for at in description.players[0].holdings] == ["War", "Pru", "Gal"]


def test_players_hold_and_have_units() -> None:
    """A player goes by name, faction or nick; holdings add up."""
    description = assistant.read_statements(
        SILESIA + "p, Peter:Prussia:Prs\np, John:Russia\n"
        "h, Peter:[Silesia]\nh, Prs:[Ber, 1]\nu, Prussia:Ber,1\nu, Russia:War, 0\n"
    )
    peter, john = description.players

    assert (peter.name, peter.faction, peter.nick) == ("Peter", "Prussia", "Prs")
    assert [at.nick for at in peter.holdings] == ["Sil", "Ber", "Mun"]
    assert [(at.nick, fleet) for at, fleet in peter.units] == [("Ber", True)]
    assert john.nick == "Russia"
    assert [(at.nick, fleet) for at, fleet in john.units] == [("War", False)]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("x, 1", "found 'x', expected one of r, c, b, p, h, u and a comma"),
        ("r 9", "found 'r 9', expected one of"),
        ("r, 9:Nowhere", "found 'r, 9:Nowhere', expected a statement such as 'r, 61"),
        ("r, -1:Nowhere, 0:Now", "found '-1:Nowhere, 0:Now', expected a region such"),
        ("r, 9:Nowhere, 7:Now", "found '9:Nowhere, 7:Now', expected a region such"),
        (f"r, {'9' * 5000}:Nowhere, 0:Now", "found '999"),
        (f"c, [Sil]:[{':' * 2000} Spa]", "no region is called 'Spa'"),
        ("r, 0:Nowhere, 0:Now", "found '0:Nowhere, 0:Now', expected another number,"),
        ("r, 9:Nowhere, 0:Sil", "found '9:Nowhere, 0:Sil', expected another number,"),
        ("r, 9:Sil, 0", "found '9:Sil, 0:Sil', expected another number, name and nick"),
        ("b, Sil:Sil", "Silesia cannot border itself"),
        ("b, Sil:Spa", "no region is called 'Spa'"),
        ("b, Sil:MUN", "no region is called 'MUN'"),
        ("b, Sil", "found 'b, Sil', expected a statement such as 'b, Kie:Den'"),
        ("c, Sil", "found 'c, Sil', expected a statement such as 'c, [Sil]:"),
        ("c, [Sil]:[Mun, [Boh]", "found 'c, [Sil]:[Mun, [Boh]', expected a statement"),
        ("p, John", "found 'p, John', expected a statement such as 'p, John:Russia:R"),
        ("h, Sil", "found 'h, Sil', expected a statement such as 'h, Rus:[Mos, Sev]"),
        ("h, Rus:[Sil]", "no player is called 'Rus'"),
        ("Rus:[Sil]", "no player is called 'Rus'"),
        ("Rus:Sil", "found 'Rus:Sil', expected one of r, c, b, p, h, u and a comma"),
        (
            "u, Rus:Sil, 2",
            "found 'u, Rus:Sil, 2', expected a statement such as 'u, Rus:St",
        ),
        ("u, Rus:BAL, 0", "an army cannot stand in Baltic Sea"),
        ("u, Rus:mun, 0", "an army cannot stand in Munster"),
        ("u, Rus:Sil, 1", "a fleet cannot stand in Silesia"),
    ],
)
def test_a_wrong_statement_is_reported_with_its_line(line: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=re.escape(f"map.txt:11: {fault}")):
        assistant.read_statements(f"{SILESIA}{line}", "map.txt")


def test_every_wrong_line_is_reported() -> None:
    text = "x, 1\nr, 0:Sea, 0\nb, 0:1\np, Ann:Austria\np, Bob:Austria\n"
    with pytest.raises(AtlasError, match="Austria is played by Ann") as caught:
        assistant.read_statements(text)
    assert [fault.line for fault in caught.value.faults] == [1, 3, 5]


def test_statements_are_written() -> None:
    """A coast is called after its land, and does not border it."""
    variant = from_mapping(isle(("provinces ONE name", "First [old: one, two]")))
    text = assistant.write_statements(describe(variant))
    assert text.splitlines() == [
        "r, 0:First old one two, 5:One",
        "r, 1:Island, 5:Ile",
        "r, 2:Sea, 0:SEA",
        "r, 3:Second, 4:Two",
        "r, 4:Second (north coast), 6:Two/nc",
        "r, 5:Second (south coast), 6:Two/sc",
        "c, [One]:[SEA], [Two]",
        "c, [Ile]:[SEA]",
        "c, [SEA]:[Two/nc], [Two/sc]",
        "p, Red:Red:Red",
        "p, Blue:Blue:Blu",
        "h, Red:[Two]",
        "h, Blu:[One]",
        "u, Red:Two/nc, 1",
        "u, Blu:One, 0",
    ]


# JSON


def stored() -> dict[str, dict[str, list[Any]]]:
    return {
        "regions": {"0": ["Sea", "SEA", 0], "1": ["Land", "", 2], "2": ["Up", "U", 1]},
        "borders": {"0": [1], "1": [0, 2], "2": ["1"]},
    }


def test_json_is_written() -> None:
    text = assistant.write_json(describe(from_mapping(isle())))
    written = json.loads(text)
    assert written["regions"]["4"] == ["Second (north coast)", "Two/nc", 6]
    near = [[2, 3], [2], [0, 1, 4, 5], [0], [2], [2]]
    assert written["borders"] == dict(zip("012345", near, strict=True))


@pytest.mark.parametrize(
    ("part", "key", "value", "fault"),
    [
        (
            "regions",
            "3",
            ["Sea", "X", 1],
            "found '3:Sea, 1:X', expected another number",
        ),
        ("regions", "0", ["Sea", "SEA", 7], "found '0:Sea, 7:SEA', expected a region"),
        ("regions", "3", ["", "X", 1], "found '3:, 1:X', expected a region such as"),
        ("borders", "0", [1, 0], "found a border of 0 with 0, expected numbers of two"),
        ("borders", "0", [1, 9], "found a border of 0 with 9, expected numbers of two"),
        ("borders", "9", [1], "found a border of 9 with 1, expected numbers of two"),
        ("regions", "0", "Sea", "Expected `array`"),
    ],
)
def test_each_fault_is_reported(part: str, key: str, value: object, fault: str) -> None:
    wrong: dict[str, dict[str, Any]] = {**stored()}
    wrong[part][key] = value
    with pytest.raises(AtlasError, match=re.escape(fault)):
        assistant.read_json(json.dumps(wrong), "map.json")
    with pytest.raises(AtlasError, match=r"map\.json: JSON is malformed"):
        assistant.read_json("r, 0:Sea", "map.json")


def test_a_one_way_border_is_repaired_and_reported() -> None:
    """A number may be a text; a region without a nick goes by its name."""
    wrong = stored()
    wrong["borders"]["2"] = []

    description, (fault,) = assistant.read_json(json.dumps(wrong), "map.json")
    whole, faults = assistant.read_json(json.dumps(stored()))

    assert pairs(description) == pairs(whole) == {"Land-SEA", "Land-U"}
    expected = "map.json: one-way border: region 1 borders 2, but not back"
    assert (str(fault), faults) == (expected, ())
