"""Chains of fleets."""

import pytest

from daide_server.board.names import Province
from daide_server.board.variant import Variant
from daide_server.judge.convoys import FleetChains, is_useful, joined
from daide_server.judge.map_tables import tables_of


def places(variant: Variant, text: str) -> list[int]:
    return [variant.map.index[Province(name)] for name in text.split()]


@pytest.mark.parametrize(
    ("start", "end", "seas", "expected"),
    [
        ("LON", "BEL", "NTH", True),
        ("LON", "BEL", "ECH", True),
        ("LON", "TUN", "ECH MAO WES", True),
        ("LON", "TUN", "ECH WES", False),
        ("LON", "PAR", "ECH", False),
        ("LON", "BEL", "", False),
        ("MOS", "BEL", "NTH", False),
    ],
)
def test_joined(
    standard: Variant, start: str, end: str, seas: str, *, expected: bool
) -> None:
    tables = tables_of(standard.map)
    (one,), (other,) = places(standard, start), places(standard, end)
    assert joined(tables, one, other, places(standard, seas)) is expected
    assert joined(tables, other, one, places(standard, seas)) is expected
    reach = FleetChains(tables, places(standard, seas)).reach(one)
    assert (other in reach) is expected


def test_an_army_does_not_come_back_to_where_it_is(standard: Variant) -> None:
    (london,) = places(standard, "LON")
    reach = FleetChains(tables_of(standard.map), places(standard, "NTH")).reach(london)
    assert london not in reach


def test_a_fleet_cannot_help_to_carry_what_it_supports(standard: Variant) -> None:
    chains = FleetChains(tables_of(standard.map), places(standard, "ECH MAO"))
    london, spain, channel = places(standard, "LON SPA ECH")
    assert spain in chains.reach(london)
    assert spain not in chains.reach(london, without=channel)


@pytest.mark.parametrize(
    ("start", "end", "seas", "sea", "expected"),
    [
        ("LON", "BEL", "ECH IRI", "ECH", True),
        ("LON", "BEL", "ECH IRI", "IRI", False),
        ("MAR", "SPA", "GOL WES", "WES", False),
        ("LVP", "EDI", "IRI ECH NTH NAO NWG", "ECH", True),
    ],
)
def test_useful_fleets(  # noqa: PLR0913 - a table
    standard: Variant, start: str, end: str, seas: str, sea: str, *, expected: bool
) -> None:
    one, other, fleet = places(standard, f"{start} {end} {sea}")
    at = places(standard, seas)
    assert is_useful(tables_of(standard.map), one, other, at, fleet) is expected
