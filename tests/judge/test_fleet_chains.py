"""Where fleets take armies, against a search for each army and coast."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.variant import Variant
from daide_server.judge import fleet_chains
from daide_server.judge.fleet_chains import joined
from daide_server.judge.legality import MovementLegality
from daide_server.judge.map_tables import MapTables, tables_of
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import turn

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
