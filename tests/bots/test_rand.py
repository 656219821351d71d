"""The bot that leaves it to chance, within the rules."""

from functools import partial
from random import Random

import pytest

from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.bots import rand
from daide_server.bots.view import View
from tests.bots.arena import Round, rounds


@pytest.fixture(scope="module")
def game(standard: Variant) -> list[Round]:
    """Return thirty years among seven random players."""
    chance = Random(3)
    player = partial(rand.orders, chance=chance)
    return list(rounds(standard, dict.fromkeys(standard.map.powers, player), 1930))


def test_every_order_is_legal(game: list[Round]) -> None:
    """Chance plays within the rules, in every phase."""
    assert [played.void for played in game if played.void] == []
    assert {played.before.turn.phase for played in game} == set(Phase)


def test_every_order_that_is_due_is_given(game: list[Round]) -> None:
    """The server has nothing to decide: no order is missing, none is too many."""
    for played in game:
        before = played.before
        for power, orders in played.orders.items():
            due = {
                Phase.MOVEMENT: len(before.units_of(power)),
                Phase.RETREATS: len(before.dislodged_of(power)),
                Phase.ADJUSTMENTS: abs(before.surplus(power)),
            }
            assert len(orders) == due[before.turn.phase]


def test_the_same_chance_gives_the_same_orders(standard: Variant) -> None:
    """A seed repeats a game."""
    view = View(standard.map, standard.map.powers[0], standard.start)

    assert rand.orders(view, Random(7)) == rand.orders(view, Random(7))
