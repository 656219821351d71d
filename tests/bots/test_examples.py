"""The bots that the documentation shows."""

import runpy
from pathlib import Path

from daide_server.board.variant import Variant
from tests.bots.arena import rounds

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_my_bot_plays_legal_orders(standard: Variant) -> None:
    """Seven of them play some years within the rules."""
    player = runpy.run_path(str(EXAMPLES / "my_bot.py"))["orders"]

    for played in rounds(standard, dict.fromkeys(standard.map.powers, player), 1904):
        assert played.void == ()
