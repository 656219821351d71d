"""Reasons of failures, and the consequences that they stand for."""

import pytest

from daide_server.board.names import Location, Power, Province
from daide_server.board.orders import Convoy, Hold, SupportHold, UnitOrder
from daide_server.board.results import OrderResult, Report
from daide_server.board.variant import Variant
from daide_server.formats.diplobn.order_lines import (
    MEANING,
    NO_ROUTE,
    NOT_ORDERED,
    REASON_OF,
    consequences_in,
    marks_in,
    result_of,
)
from daide_server.formats.diplobn.shapes import Result
from daide_server.records.consequences import Consequence


@pytest.fixture(scope="session")
def orders(standard: Variant) -> dict[str, UnitOrder]:
    first, second, *_ = standard.start.units_of(Power("FRA"))
    return {
        "hold": Hold(first),
        "support": SupportHold(first, second),
        "convoy": Convoy(first, second, Location(Province("POR"))),
    }


@pytest.mark.parametrize(
    "consequence", [each for each in REASON_OF if each is not Consequence.DISRUPTED]
)
def test_a_failure_is_read_as_it_was_written(
    orders: dict[str, UnitOrder], consequence: Consequence
) -> None:
    order = orders["hold"]
    result = result_of(Report(order, None), [consequence], [order])
    assert result[0] == "f"
    assert consequences_in(order, result) == [consequence]


def test_a_fleet_without_a_route_was_disrupted(orders: dict[str, UnitOrder]) -> None:
    found = consequences_in(orders["convoy"], ["f", NO_ROUTE])
    assert found == [Consequence.DISRUPTED]


def test_success_is_a_letter(orders: dict[str, UnitOrder]) -> None:
    order = orders["hold"]
    assert result_of(Report(order, OrderResult.SUCCEEDED), [], [order]) == "s"
    assert consequences_in(order, "s") == []


def test_an_order_that_the_rules_made_is_marked(orders: dict[str, UnitOrder]) -> None:
    result = result_of(Report(orders["hold"], OrderResult.SUCCEEDED), [], [])
    assert marks_in(result) == (NOT_ORDERED,)


@pytest.mark.parametrize("result", ["f", ["f"], ["f", "nobody knows"]])
def test_a_failure_without_a_known_reason_is_a_cut_or_a_bounce(
    orders: dict[str, UnitOrder], result: Result
) -> None:
    assert consequences_in(orders["support"], result) == [Consequence.CUT]
    assert consequences_in(orders["hold"], result) == [Consequence.BOUNCED]


def test_every_reason_that_we_write_is_known() -> None:
    assert set(REASON_OF.values()) <= set(MEANING)
