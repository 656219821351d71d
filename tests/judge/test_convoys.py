"""Chains of fleets."""

from collections.abc import Sequence

import pytest

from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.variant import Variant
from daide_server.judge.fleet_chains import FleetChains, is_useful, joined
from daide_server.judge.map_tables import tables_of
from daide_server.judge.placed_units import PlacedNode


def places(variant: Variant, text: str) -> list[int]:
    return [variant.map.index[Province(name)] for name in text.split()]


def node(variant: Variant, kind: UnitType, name: str) -> PlacedNode:
    unit = Unit(Power("FRA"), kind, Location(Province(name)))
    placed = tables_of(variant.map).units.get(unit)
    assert placed
    return placed.node


def chains(variant: Variant, seas: str) -> FleetChains:
    return FleetChains(tables_of(variant.map).chains, frozenset(places(variant, seas)))


def landings(variant: Variant, start: str, seas: str) -> Sequence[int]:
    reach = chains(variant, seas).reach(node(variant, UnitType.ARMY, start))
    return () if reach is None else reach.ordered


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
    assert (other in landings(standard, start, seas)) is expected


def test_an_army_does_not_come_back_to_where_it_is(standard: Variant) -> None:
    (london,) = places(standard, "LON")
    assert london not in landings(standard, "LON", "NTH")


def test_a_fleet_cannot_help_to_carry_what_it_supports(standard: Variant) -> None:
    """The fleet in the channel takes an army to Brest without the ocean's."""
    reach = chains(standard, "ECH MAO").reach(node(standard, UnitType.ARMY, "LON"))
    assert reach is not None
    spain, brest = places(standard, "SPA BRE")
    assert spain in reach.ordered
    assert spain not in reach[node(standard, UnitType.FLEET, "MAO")]
    assert brest in reach[node(standard, UnitType.FLEET, "MAO")]
    assert not reach[node(standard, UnitType.FLEET, "ECH")]


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
