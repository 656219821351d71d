"""Chains of fleets."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.judge import fleet_chains
from daide_server.judge.compiled_orders import PlacedNode
from daide_server.judge.fleet_chains import FleetChains, is_useful, joined
from daide_server.judge.legality import MovementLegality
from daide_server.judge.map_tables import MapTables, tables_of
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import turn


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


STANDARD = load_variant("standard")


@given(st.integers(min_value=0))
@settings(deadline=None, max_examples=25)
def test_landings_are_the_coasts_that_a_search_joins(seed: int) -> None:
    """And those that a unit may support need no fleet of its own (4.A.1)."""
    tables = tables_of(STANDARD.map)
    legality = MovementLegality(tables, turn(STANDARD.map, Random(seed))[0].units)
    units, coasts = legality.at.values(), set(range(len(tables.provinces)))
    for army in (unit for unit in units if unit.army):
        start = army.province
        landings = legality.fleets.reach(army.node)
        found = landings.coasts if landings is not None else frozenset()
        assert found == {
            to for to in coasts - {start} if joined(tables, start, to, legality.seas)
        }
        for other in units:
            left = legality.seas - {other.province}
            supported = landings[other.node] if landings is not None else frozenset()
            assert supported == {
                to
                for to in other.near - army.near - {start}
                if joined(tables, start, to, left)
            }


def test_no_more_than_so_many_chains_and_landings_are_kept(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_chains, "_MAX_KEPT", 2)
    tables = MapTables(standard.map)
    chains, nodes = tables.chains, tables.units.nodes
    for sea in sorted(tables.seas):
        chain = chains.chain(frozenset((sea,)))
        assert chains.chain(frozenset((sea,))) is chain
        assert len(chains._chains) <= 2
        landings = chains.reach(nodes[0], (chain,))
        assert chains.reach(nodes[0], (chain,)) is landings
        assert len(chains._reaches) <= 2


def test_no_more_than_so_many_sets_of_seas_are_kept(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_chains, "_MAX_FLEETS", 2)
    tables = MapTables(standard.map)
    for sea in sorted(tables.seas):
        seas = frozenset((sea,))
        assert tables.chains.fleets(seas) is tables.chains.fleets(seas)
        assert len(tables.chains._fleets) <= 2
