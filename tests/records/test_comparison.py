"""Where two positions are not the same, as values of the board."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power, Province
from daide_server.board.notation import Reader, reader_of
from daide_server.records.replay import (
    CentresDiffer,
    RetreatsDiffer,
    UnitOnBoard,
    UnitRemoved,
    UnitsDiffer,
    centre_contrasts,
    retreat_contrasts,
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


def test_each_power_has_its_own(standard: Variant) -> None:
    start, par = standard.start, Province("PAR")
    owners = {**start.owners, par: GERMANY}
    found = list(
        centre_contrasts(standard.map.powers, replace(start, owners=owners), start)
    )

    assert [each.power for each in found] == [FRANCE, GERMANY]
    france = start.centres_of(FRANCE)
    left = tuple(each for each in france if each != par)
    assert found[0] == CentresDiffer(FRANCE, left, france)


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


def test_who_can_retreat_may_not(standard: Variant, reader: Reader) -> None:
    free = reader.unit("A BUR", FRANCE)
    after = replace(standard.start, dislodged={free: (reader.location("GAS"),)})
    [found] = unit_contrasts(standard.map.powers, standard.start, after, removing=True)

    assert isinstance(found, UnitsDiffer)


def test_places_of_a_retreat_are_compared_in_any_order(
    standard: Variant, reader: Reader
) -> None:
    unit = reader.unit("A BUR", FRANCE)
    gas, pic = reader.location("GAS"), reader.location("PIC")
    one, two, turned = (
        replace(standard.start, dislodged={unit: places})
        for places in ((gas,), (pic, gas), (gas, pic))
    )

    assert list(retreat_contrasts(two, turned)) == []
    [more] = retreat_contrasts(two, one)
    assert more == RetreatsDiffer(unit, (pic, gas), (gas,))
    assert more.has_more
    assert [each.has_more for each in retreat_contrasts(one, two)] == [False]
    assert list(retreat_contrasts(two, standard.start)) == []
