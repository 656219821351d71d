"""Rows of orders: one for each report, and for each order without one."""

from collections.abc import Callable

from msgspec.structs import replace

from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.tables.order_rows import ORDER_KINDS, order_rows
from daide_server.records.record import GameRecord

Recorded = Callable[..., GameRecord]


def test_rows_agree_with_the_orders_of_the_record(record_of: Recorded) -> None:
    record = record_of(2, turns=20)
    found = list(order_rows(record, names_of(record.variant.map)))
    assert {row.kind for row in found} <= set(ORDER_KINDS.values())
    assert sum(row.ordered for row in found) == sum(
        len(turn.orders) for turn in record.turns
    )
    for row in found:
        assert row.game == record.id
        assert row.order.startswith(row.unit)
        assert row.phase[1:5] == str(row.year)
        assert bool(row.target) == row.kind.startswith(("support", "convoy"))


def test_a_turn_without_orders_or_reports_has_no_rows(record_of: Recorded) -> None:
    record = record_of(turns=1)
    turn = replace(record.turns[0], orders=(), reports=())
    bare = replace(record, turns=(turn,))
    assert not list(order_rows(bare, names_of(bare.variant.map)))
