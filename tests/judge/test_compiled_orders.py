"""Orders in numbers: the same for equal orders, and not remembered for ever."""

import pytest

from daide_server.board.names import Power
from daide_server.board.notation_reader import reader_of
from daide_server.board.orders import Order
from daide_server.board.variant import Variant
from daide_server.judge.compiled_orders import OrderCompiler
from daide_server.judge.map_tables import MapTables
from tests.judge.scenes import scene

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
