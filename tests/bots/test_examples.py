"""The bots that the documentation shows."""

import random
import runpy
from typing import Any

from daide_server.board.results import OrderNote
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.game.turns import TurnOrders
from daide_server.judge.rules import DAIDE_RULES
from daide_server.language.messages import SubmittedOrder
from tests.bots.arena import rounds
from tests.support.snippets import TOP, snippets

EXAMPLES = TOP / "examples"


def test_my_bot_plays_legal_orders(standard: Variant) -> None:
    """Seven of them play some years within the rules."""
    player = runpy.run_path(str(EXAMPLES / "my_bot.py"))["orders"]

    for played in rounds(standard, dict.fromkeys(standard.map.powers, player), 1904):
        assert played.void == ()


def test_the_orders_of_the_page_on_bots_are_all_that_is_due(standard: Variant) -> None:
    """In every kind of turn: nothing is refused, and nothing is missing."""
    random.seed(1)  # in one game of some hundreds nobody ever has to retreat
    (shown,) = [
        each.code
        for each in snippets(TOP / "docs" / "bots.md")
        if each.is_run and "possible_adjustments" in each.code
    ]
    program: dict[str, Any] = {}
    exec(shown, program)  # noqa: S102 - it is ours
    players = dict.fromkeys(standard.map.powers, program["orders"])

    phases = set()
    for played in rounds(standard, players, 1980):
        phases.add(played.before.turn.phase)
        table = TurnOrders(standard.map, played.before, DAIDE_RULES, any_orders=False)
        for power, given in played.orders.items():
            noted = table.submit([SubmittedOrder(each, ()) for each in given], power)
            assert {each.note for each in noted} <= {OrderNote.OK}
            assert table.is_complete(power)
        if phases == set(Phase):
            break
    assert phases == set(Phase)
