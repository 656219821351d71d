"""The orders of one turn: what is accepted, missing, and who is ready."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.names import Location, Power, Province
from daide_server.board.orders import Hold, Move, Order, Waive
from daide_server.board.results import OrderNote
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.game.turn_orders import TurnOrders
from daide_server.judge.rules import DAIDE_RULES
from daide_server.language.messages import MissingAdjustments, MissingUnits

FRANCE = Power("FRA")


def orders_of(standard: Variant) -> TurnOrders:
    """Return the orders of the first turn: none yet."""
    return TurnOrders(standard.map, standard.start, DAIDE_RULES, any_orders=False)


def holds(standard: Variant) -> list[Order]:
    """Return orders for all units of France."""
    return [Hold(unit) for unit in standard.start.units_of(FRANCE)]


def test_a_later_order_replaces_an_earlier_one(standard: Variant) -> None:
    """A refused one replaces nothing."""
    orders = orders_of(standard)
    unit = next(u for u in standard.start.units_of(FRANCE) if u.province == "PAR")
    burgundy, moscow = (
        Move(unit, Location(Province(place))) for place in ("BUR", "MOS")
    )
    assert orders.submit([Hold(unit), burgundy], FRANCE) == [OrderNote.OK] * 2
    assert orders.submit([moscow], FRANCE) != [OrderNote.OK]
    assert orders.accepted() == (burgundy,)


def test_a_power_is_ready_when_its_orders_are_complete(standard: Variant) -> None:
    """And it has not asked to wait."""
    orders = orders_of(standard)
    assert not orders.are_ready({FRANCE})
    orders.submit(holds(standard), FRANCE)
    assert orders.are_ready({FRANCE})
    orders.wait(FRANCE)
    assert orders.is_complete(FRANCE)
    assert not orders.are_ready({FRANCE})
    orders.go(FRANCE)
    assert orders.are_ready({FRANCE})
    orders.cancel_all(FRANCE)
    assert not orders.are_ready({FRANCE})


def test_a_power_that_took_an_order_back_is_not_ready(standard: Variant) -> None:
    orders = orders_of(standard)
    orders.submit(holds(standard), FRANCE)
    assert orders.are_ready({FRANCE})

    orders.cancel(holds(standard)[0], FRANCE)

    assert not orders.are_ready({FRANCE})


def test_an_order_is_cancelled_once(standard: Variant) -> None:
    orders = orders_of(standard)
    first, *others = holds(standard)
    orders.submit([first, *others], FRANCE)
    assert orders.cancel(first, FRANCE)
    assert not orders.cancel(first, FRANCE)
    assert orders.accepted() == tuple(others)


def test_each_waive_counts(standard: Variant) -> None:
    """Two builds may be waived by two equal orders."""
    winter = replace(
        standard.start,
        turn=Turn(Season.WINTER, 1901),
        owners={
            **standard.start.owners,
            Province("SPA"): FRANCE,
            Province("POR"): FRANCE,
        },
    )
    orders = TurnOrders(standard.map, winter, DAIDE_RULES, any_orders=False)
    assert orders.missing(FRANCE) == MissingAdjustments(-2)
    orders.submit([Waive(FRANCE)], FRANCE)
    assert orders.missing(FRANCE) == MissingAdjustments(-1)
    orders.submit([Waive(FRANCE)], FRANCE)
    assert orders.is_complete(FRANCE)
    assert orders.missing(FRANCE) == MissingUnits(())


@given(chosen=st.lists(st.integers(0, 5), max_size=12))
def test_what_is_missing_is_what_was_not_accepted(
    standard: Variant, chosen: list[int]
) -> None:
    """Whatever is ordered and cancelled, MIS lists the other units."""
    orders, possible = orders_of(standard), holds(standard)
    for number in chosen:
        order = possible[number % 3]
        if number < 3:
            orders.submit([order], FRANCE)
        else:
            orders.cancel(order, FRANCE)
    accepted = {order.unit for order in orders.accepted() if isinstance(order, Hold)}
    units = standard.start.units_of(FRANCE)
    missing = tuple(unit for unit in units if unit not in accepted)
    assert orders.missing(FRANCE) == MissingUnits(missing)
    assert orders.is_complete(FRANCE) is not bool(missing)
