"""The turn that is played: orders accepted and missing, who is ready, draw votes."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Location, Power, Province
from daide_server.board.orders import Hold, Move, Order, Waive
from daide_server.board.results import OrderNote
from daide_server.game.turns import CurrentTurn, Share, agreed_share
from daide_server.judge.rules import DAIDE_RULES
from daide_server.language.messages import (
    MissingAdjustments,
    MissingUnits,
    SubmittedOrder,
)

FRANCE = Power("FRA")


def orders_of(standard: Variant) -> CurrentTurn:
    """Return the orders of the first turn: none yet."""
    return CurrentTurn(standard.map, standard.start, DAIDE_RULES, any_orders=False)


def give(orders: CurrentTurn, *given: Order) -> list[OrderNote]:
    """Let France give *given*, and return the notes on them."""
    sent = [SubmittedOrder(order, ()) for order in given]
    return [noted.note for noted in orders.submit(sent, FRANCE)]


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
    assert give(orders, Hold(unit), burgundy) == [OrderNote.OK] * 2
    assert give(orders, moscow) != [OrderNote.OK]
    assert orders.accepted() == (burgundy,)


def test_a_power_is_ready_when_its_orders_are_complete(standard: Variant) -> None:
    """And it has not asked to wait."""
    orders = orders_of(standard)
    assert FRANCE in orders.awaited
    give(orders, *holds(standard))
    assert FRANCE not in orders.awaited
    orders.wait(FRANCE)
    assert orders.is_complete(FRANCE)
    assert FRANCE in orders.awaited
    orders.go(FRANCE)
    assert FRANCE not in orders.awaited
    orders.cancel_all(FRANCE)
    assert FRANCE in orders.awaited


def test_a_power_that_took_an_order_back_is_not_ready(standard: Variant) -> None:
    orders = orders_of(standard)
    give(orders, *holds(standard))
    assert FRANCE not in orders.awaited

    orders.cancel(holds(standard)[0], FRANCE)

    assert FRANCE in orders.awaited


def test_an_order_is_cancelled_once(standard: Variant) -> None:
    orders = orders_of(standard)
    first, *others = holds(standard)
    give(orders, first, *others)
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
    orders = CurrentTurn(standard.map, winter, DAIDE_RULES, any_orders=False)
    assert orders.missing(FRANCE) == MissingAdjustments(-2)
    give(orders, Waive(FRANCE))
    assert orders.missing(FRANCE) == MissingAdjustments(-1)
    give(orders, Waive(FRANCE))
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
            give(orders, order)
        else:
            orders.cancel(order, FRANCE)
    accepted = {order.unit for order in orders.accepted() if isinstance(order, Hold)}
    units = standard.start.units_of(FRANCE)
    missing = tuple(unit for unit in units if unit not in accepted)
    assert orders.missing(FRANCE) == MissingUnits(missing)
    assert orders.is_complete(FRANCE) is not bool(missing)


A, B, C = Power("AUS"), Power("BUL"), Power("CRE")


ALL = frozenset({A, B, C})


def agreed(
    votes: dict[Power, Share], voters: frozenset[Power] = ALL
) -> frozenset[Power] | None:
    return agreed_share({*votes.items()}, ALL, voters)


def test_all_survivors_must_want_the_same() -> None:
    """A plain vote and a list of all survivors are the same wish."""
    assert agreed({A: None, B: ALL}) is None
    assert agreed({A: None, B: ALL, C: None}) == ALL


def test_a_power_without_a_client_is_not_asked_for_a_plain_draw() -> None:
    """It neither votes nor blocks; a list still takes everybody."""
    two = frozenset({A, B})
    assert agreed({A: None, B: None}, two) == ALL
    assert agreed({A: two, B: two}, two) is None
    assert agreed({A: two, B: two, C: two}, two) == two


def test_nobody_agrees_to_nothing() -> None:
    """Without votes, or without anybody to ask, there is no draw."""
    assert agreed({}, frozenset()) is None
    assert agreed({A: None}, frozenset()) is None
    assert agreed({}) is None
