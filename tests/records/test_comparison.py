"""Where two positions are not the same, as values of the board."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.board.notation import Reader, reader_of
from daide_server.records.replay import (
    UnitOnBoard,
    UnitRemoved,
    UnitsDiffer,
    centre_contrasts,
    unit_contrasts,
)

FRANCE, GERMANY = Power("FRA"), Power("GER")


@pytest.fixture
def reader(standard: Variant) -> Reader:
    return reader_of(standard.start, standard.map)


def test_the_order_of_units_and_centres_is_no_difference(standard: Variant) -> None:
    start, powers = standard.start, standard.map.powers
    turned = replace(
        start,
        units=start.units[::-1],
        owners=dict(sorted(start.owners.items(), reverse=True)),
    )

    assert list(unit_contrasts(powers, turned, start, removing=False)) == []
    assert list(centre_contrasts(powers, turned, start)) == []


@pytest.mark.parametrize("removing", [True, False])
def test_who_cannot_retreat_may_be_gone_at_once(
    standard: Variant, reader: Reader, *, removing: bool
) -> None:
    """It is removed where units are, else the units differ."""
    start, stuck = standard.start, reader.unit("A BUR", FRANCE)
    after = replace(start, dislodged={stuck: ()})
    [found] = unit_contrasts(standard.map.powers, start, after, removing=removing)

    here = frozenset(UnitOnBoard(unit, False) for unit in start.units_of(FRANCE))
    there = here | {UnitOnBoard(stuck, True)}
    differ = UnitsDiffer(FRANCE, here, there)
    assert found == (UnitRemoved(stuck) if removing else differ)
