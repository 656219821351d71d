"""The assistant's statements, read as its document means them, written plainly."""

import re

import pytest

from daide_server.atlas.assistant import describe, statements
from daide_server.atlas.assistant.from_regions import RegionKind
from daide_server.atlas.checking import AtlasError
from daide_server.storage.variants import load_variant, variant_names

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


def borders(text: str, *, sibling_borders: bool = False) -> set[str]:
    """Return the borders in *text*, as pairs of nicks."""
    region_map = statements.read(text, sibling_borders=sibling_borders).region_map
    nicks = {region.number: region.nick for region in region_map.regions}
    return {"-".join(sorted(nicks[n] for n in pair)) for pair in region_map.borders}


def test_a_region_has_a_number_a_name_a_type_and_a_nick() -> None:
    region = statements.read(SILESIA).region_map.regions[0]
    assert (region.number, region.name) == (0, "Silesia")
    assert (region.kind, region.nick) == (RegionKind.INLAND, "Sil")


def test_a_region_without_a_nick_goes_by_its_name() -> None:
    (region,) = statements.read("r, 4: Saint Petersburg , 5").region_map.regions
    assert (region.name, region.nick) == ("Saint Petersburg", "Saint Petersburg")


def test_the_collection_of_the_document_is_true_on_the_real_map() -> None:
    """Members border every base on their path, and not each other."""
    line = "c, [Sil]:[Mun: Boh, Ber], [Pru: Ber, War], [Gal: Boh, War]"
    found = borders(SILESIA + line)
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
    assert borders(SILESIA + line) == {"-".join(sorted(e.split("-"))) for e in expected}


def test_members_border_each_other_if_they_are_to() -> None:
    """One sentence of the document says so of members without a base of their own."""
    line = "c, [Sil]:[Mun, Boh, Ber], [Pru: Ber, War]"
    plain = borders(SILESIA + line)

    siblings = borders(SILESIA + line, sibling_borders=True)

    assert siblings - plain == {"Boh-Mun", "Ber-Mun", "Ber-Boh"}
    assert plain < siblings


@pytest.mark.parametrize("siblings", [False, True])
def test_what_is_written_is_read_alike_with_sibling_borders(*, siblings: bool) -> None:
    description = describe(load_variant("standard"))
    text = statements.write(description)
    assert statements.read(text, sibling_borders=siblings) == description


def test_holdings_may_lack_their_letter() -> None:
    """The second example of the document for holdings is such."""
    description = statements.read(
        SILESIA + "p, John:Russia\nJohn:[Warsaw, Prussia]\nRussia: [Gal]\n"
    )
    assert description.players[0].holdings == (5, 4, 6)


def test_players_hold_and_have_units() -> None:
    """A player goes by name, faction or nick; holdings add up."""
    description = statements.read(
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
        statements.read(f"{SILESIA}{line}", "map.txt")


def test_every_wrong_line_is_reported() -> None:
    with pytest.raises(AtlasError) as caught:
        statements.read("x, 1\nr, 0:Sea, 0\nb, 0:1\n")
    assert [fault.line for fault in caught.value.faults] == [1, 3]


@pytest.mark.parametrize("name", variant_names())
def test_what_is_written_is_read_back(name: str) -> None:
    description = describe(load_variant(name))
    assert statements.read(statements.write(description)) == description


def test_collections_are_written_so_that_every_reading_agrees() -> None:
    """Completions have one member each."""
    text = statements.write(describe(load_variant("standard")))
    lines = [line for line in text.splitlines() if line.startswith("c,")]
    assert lines
    for line in lines:
        assert re.fullmatch(r"c, \[[\w/]+\]:\[[\w/]+\](, \[[\w/]+\])*", line)
