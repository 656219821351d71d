"""Orders that are made once: the same objects again, and not without end."""

import pytest

from daide_server.board.notation import COMMON
from daide_server.board.orders import Order
from daide_server.board.variant import Variant
from daide_server.judge.choices import _BoundedCache
from daide_server.judge.map_tables import tables_of
from daide_server.judge.possible import possible_orders
from tests.judge.scenes import scene


def test_an_order_is_the_same_object_in_every_position(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", {"FRA": ["A BRE", "F ECH", "A PAR"]})
    later = scene(standard, "FAL 1901", {"FRA": ["A BRE", "F ECH", "A GAS"]})
    first, second = (
        {order: id(order) for orders in listed.values() for order in orders}
        for listed in (possible_orders(standard.map, at) for at in (position, later))
    )
    common = first.keys() & second.keys()
    assert "A BRE - LON VIA" in map(COMMON.order, common)
    assert all(first[order] == second[order] for order in common)


def test_supports_of_one_unit_for_another(standard: Variant) -> None:
    paris, gascony = scene(standard, "SPR 1901", {"FRA": ["A PAR", "A GAS"]}).units
    tables = tables_of(standard.map)
    one, other = tables.units.get(paris), tables.units.get(gascony)
    assert one
    assert other
    own = tables.choices[one]
    orders = (own.support[other, to] for to in own.supports.of[other.node.number])
    assert sorted(map(COMMON.order, orders)) == [
        "A PAR S A GAS",
        "A PAR S A GAS - BRE",
        "A PAR S A GAS - BUR",
    ]
    assert not own.supports.of[one.node.number]


def test_what_is_kept_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_BoundedCache, "MAX_KEPT", 2)
    kept = _BoundedCache[int, tuple[Order, ...]](lambda _: ())
    for key in range(5):
        assert kept[key] == ()
        assert len(kept) <= 2
