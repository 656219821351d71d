"""Orders in numbers: the same for equal orders, and not remembered for ever."""

import pytest

from daide_server.board.names import Power
from daide_server.board.notation import reader_of
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
    assert compiler.get(one) is compiler.get(other)
    assert compiler.of([other, one]) == [compiler.get(one)] * 2


@pytest.mark.parametrize(
    ("text", "sure"),
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
def test_an_order_is_sure_if_it_needs_no_more_than_its_units(
    standard: Variant, text: str, *, sure: bool
) -> None:
    assert MapTables(standard.map).compiler.get(order(standard, text)).sure is sure


def test_no_more_than_so_many_are_kept(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OrderCompiler, "MOST", 2)
    compiler = MapTables(standard.map).compiler
    texts = ["A PAR H", "A PAR - BUR", "A BRE H", "A PAR H", "A BRE - PIC"]
    orders = [order(standard, text) for text in texts]
    assert [compiled.order for compiled in compiler.of(orders)] == orders
    assert len(compiler._memory.orders) <= 2


def test_what_another_thread_looks_at_is_not_taken_away(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OrderCompiler, "MOST", 1)
    compiler = MapTables(standard.map).compiler
    held = order(standard, "A PAR H")
    compiled, looked_at = compiler.get(held), compiler._memory

    compiler.get(order(standard, "A BRE H"))

    assert compiler._memory is not looked_at
    assert looked_at.by_id == {id(held): compiled}
    assert looked_at.orders == [held]
