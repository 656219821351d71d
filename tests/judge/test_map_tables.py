"""The map in numbers."""

import gc
import weakref

from daide_server.board.map import Map
from daide_server.board.variant import Variant
from daide_server.judge.map_tables import tables_of


def test_a_map_has_its_tables_made_once(standard: Variant) -> None:
    assert tables_of(standard.map) is tables_of(standard.map)


def test_tables_do_not_outlive_their_map(standard: Variant) -> None:
    one = standard.map
    other = Map(
        one.name, one.powers, one.provinces, one.centres, one.homes, one.neighbours
    )
    tables_of(other).units.get(standard.start.units[0])
    gone = weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None


def test_seas_and_coasts_are_mutual(standard: Variant) -> None:
    tables = tables_of(standard.map)
    assert len(tables.seas) == 19
    for sea, coasts in tables.coasts_of.items():
        assert all(sea in tables.seas_of[coast] for coast in coasts)
        assert not coasts & tables.seas
