"""The map in numbers."""

import gc
import weakref

from daide_server.board.map import Map
from daide_server.board.variant import Variant
from daide_server.judge.tables import tables_of


def test_a_map_has_its_tables_made_once(standard: Variant) -> None:
    assert tables_of(standard.map) is tables_of(standard.map)


def test_tables_do_not_outlive_their_map(standard: Variant) -> None:
    one = standard.map
    other = Map(
        one.name, one.powers, one.provinces, one.centres, one.homes, one.neighbours
    )
    tables_of(other).standings[standard.start.units[0]]
    gone = weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None


def test_a_unit_in_numbers(standard: Variant) -> None:
    tables = tables_of(standard.map)
    for unit in standard.start.units:
        standing = tables.standings[unit]
        assert standard.map.powers[standing.power] == unit.power
        assert tables.provinces[standing.province] == unit.province
        assert {tables.provinces[place] for place in standing.near} == {
            at.province for at in standard.map.neighbours[unit.type, unit.location]
        }
        for at, arrived in standing.arrivals.items():
            assert (arrived.power, arrived.type) == (unit.power, unit.type)
            assert arrived.location == at


def test_units_are_ranked_as_the_map_sorts_them(standard: Variant) -> None:
    ranks = [tables_of(standard.map).standings[u].rank for u in standard.start.units]
    assert ranks == sorted(ranks)


def test_seas_and_coasts_are_mutual(standard: Variant) -> None:
    tables = tables_of(standard.map)
    assert len(tables.seas) == 19
    for sea, coasts in tables.coasts_of.items():
        assert all(sea in tables.seas_of[coast] for coast in coasts)
        assert not coasts & tables.seas
