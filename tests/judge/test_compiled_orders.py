"""Units in numbers."""

import pytest

from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.notation_reader import reader_of
from daide_server.board.orders import Order
from daide_server.board.variant import Variant
from daide_server.judge.compiled_orders import OrderCompiler, PlacedUnit
from daide_server.judge.map_tables import MapTables, tables_of
from tests.judge.scenes import scene

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


UNITS = {"FRA": ["A BRE", "A PAR", "F ECH"], "ENG": ["F LON"]}


def order(variant: Variant, text: str) -> Order:
    position = scene(variant, "SPR 1901", UNITS)
    return reader_of(position, variant.map).order(text, Power("FRA"))


def test_equal_orders_have_the_same_reading(standard: Variant) -> None:
    compiler = MapTables(standard.map).compiler
    one, other = (order(standard, "A PAR S A BRE - PIC") for _ in range(2))
    assert one is not other
    assert compiler.compile(one) is compiler.compile(other)
    assert compiler.compile_all([other, one]) == [compiler.compile(one)] * 2


@pytest.mark.parametrize(
    ("text", "unconditional"),
    [
        ("A PAR H", True),
        ("A PAR - BUR", True),
        ("A PAR S A BRE", True),
        ("A PAR S A BRE - PIC", True),
        # These need fleets, or are impossible anywhere.
        ("F ECH S A BRE - LON", False),
        ("F ECH C A BRE - LON", False),
        ("A BRE - LON VIA", False),
        ("A PAR - MAR", False),
        ("A PAR R BUR", False),
    ],
)
def test_an_order_is_unconditional_if_it_needs_no_more_than_its_units(
    standard: Variant, text: str, *, unconditional: bool
) -> None:
    assert (
        MapTables(standard.map).compiler.compile(order(standard, text)).unconditional
        is unconditional
    )


def test_no_more_than_so_many_are_kept(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OrderCompiler, "MAX_KEPT", 2)
    compiler = MapTables(standard.map).compiler
    texts = ["A PAR H", "A PAR - BUR", "A BRE H", "A PAR H", "A BRE - PIC"]
    orders = [order(standard, text) for text in texts]
    assert [compiled.order for compiled in compiler.compile_all(orders)] == orders
    assert len(compiler._cache.orders) <= 2


def test_a_cache_that_another_thread_reads_is_left_as_it_is(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OrderCompiler, "MAX_KEPT", 1)
    compiler = MapTables(standard.map).compiler
    held = order(standard, "A PAR H")
    compiled, looked_at = compiler.compile(held), compiler._cache

    compiler.compile(order(standard, "A BRE H"))

    assert compiler._cache is not looked_at
    assert looked_at.by_id == {id(held): compiled}
    assert looked_at.orders == [held]
