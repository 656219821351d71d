"""Units in numbers."""

import pytest

from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.variant import Variant
from daide_server.judge.placed_units import PlacedUnit
from daide_server.judge.map_tables import tables_of

FRA = Power("FRA")


def placed_unit_of(variant: Variant, unit: Unit) -> PlacedUnit:
    found = tables_of(variant.map).placed_units.get(unit)
    assert found is not None
    return found


def test_a_unit_in_numbers(standard: Variant) -> None:
    board_map = standard.map
    for unit in standard.start.units:
        placed = placed_unit_of(standard, unit)
        assert board_map.powers[placed.power] == unit.power
        assert board_map.provinces[placed.province] == unit.province
        assert {board_map.provinces[place] for place in placed.near} == {
            at.province for at in board_map.neighbours[unit.type, unit.location]
        }
        assert set(placed.reach) == set(board_map.neighbours[unit.type, unit.location])


def test_equal_units_have_the_same_standing(standard: Variant) -> None:
    mine = [Unit(FRA, UnitType.ARMY, Location(Province("PAR"))) for _ in range(2)]
    one, other = (placed_unit_of(standard, unit) for unit in mine)
    assert one is other
    by_place = tables_of(standard.map).placed_units.by_place
    assert by_place((mine[0],)) == by_place((mine[1],)) == {one.province: one}


def test_units_are_ranked_as_the_map_sorts_them(standard: Variant) -> None:
    ranks = [placed_unit_of(standard, unit).rank for unit in standard.start.units]
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
def test_what_cannot_be_on_the_map_has_no_standing(
    standard: Variant, unit: Unit
) -> None:
    assert tables_of(standard.map).placed_units.get(unit) is None
