"""What HLO lists."""

import pytest
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.game.game_state import GameState
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.judge.rules import EDITIONS, IllegalOrders
from daide_server.language.commands import HelloOption


def test_the_level_is_always_there_and_the_order_is_the_documents() -> None:
    """Options come in the order in which the document lists them."""
    options = GameOptions(
        level=20,
        press_limit=30,
        movement_limit=100,
        any_orders=True,
        partial_draws=True,
    )
    assert options.as_hello() == (
        (HelloOption.LEVEL, 20),
        (HelloOption.MOVEMENT_LIMIT, 100),
        (HelloOption.ANY_ORDERS, None),
        (HelloOption.PARTIAL_DRAWS, None),
        (HelloOption.PRESS_LIMIT, 30),
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_is_judged_by_the_edition_of_its_policy(
    standard: Variant, edition: str
) -> None:
    """But with AOA impossible orders are reported, whatever the edition says."""
    policy = ServerPolicy(edition=edition)
    seats = SeatAssignment((), {})
    plain = GameState(standard, GameOptions(), policy, seats)
    assert plain.rules == EDITIONS[edition]
    any_orders = GameState(standard, GameOptions(any_orders=True), policy, seats)
    assert any_orders.rules == evolve(
        EDITIONS[edition], illegal_orders=IllegalOrders.REPORTED
    )


def test_options_about_press_are_hidden_without_press() -> None:
    """Below level 10 they have no effect."""
    options = GameOptions(level=0, press_limit=30, partial_draws=True)
    assert options.as_hello() == ((HelloOption.LEVEL, 0),)
