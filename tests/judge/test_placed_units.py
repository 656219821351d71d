"""Units in numbers."""

import pytest

from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.variant import Variant
from daide_server.judge.map_tables import tables_of
from daide_server.judge.placed_units import PlacedUnit

FRA = Power("FRA")


def in_numbers(variant: Variant, unit: Unit) -> PlacedUnit:
    found = tables_of(variant.map).units.get(unit)
    assert found is not None
    return found


def test_a_unit_in_numbers(standard: Variant) -> None:
    board_map = standard.map
    for unit in standard.start.units:
        placed = in_numbers(standard, unit)
        assert board_map.powers[placed.power] == unit.power
        assert board_map.provinces[placed.province] == unit.province
        assert {board_map.provinces[place] for place in placed.near} == {
            at.province for at in board_map.neighbours[unit.type, unit.location]
        }
        assert set(placed.reach) == set(board_map.neighbours[unit.type, unit.location])


def test_equal_units_are_one_placed_unit(standard: Variant) -> None:
    mine = [Unit(FRA, UnitType.ARMY, Location(Province("PAR"))) for _ in range(2)]
    one, other = (in_numbers(standard, unit) for unit in mine)
    assert one is other
    by_province = tables_of(standard.map).units.by_province
    assert by_province((mine[0],)) == by_province((mine[1],)) == {one.province: one}


def test_units_are_ranked_as_the_map_sorts_them(standard: Variant) -> None:
    ranks = [in_numbers(standard, unit).rank for unit in standard.start.units]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    "unit",
    [
        Unit(Power("XXX"), UnitType.ARMY, Location(Province("PAR"))),
        Unit(FRA, UnitType.FLEET, Location(Province("PAR"))),
        Unit(FRA, UnitType.FLEET, Location(Province("STP"))),
        Unit(FRA, UnitType.ARMY, Location(Province("STP"), Coast.NORTH)),
        Unit(FRA, UnitType.ARMY, Location(Province("XXX"))),
    ],
)
def test_a_unit_that_cannot_be_on_the_map_is_not_placed(
    standard: Variant, unit: Unit
) -> None:
    assert tables_of(standard.map).units.get(unit) is None
