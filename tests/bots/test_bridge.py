"""Bots on lines play whole games on our server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from daide_server.bots.line_bridge import BridgeSettings
from daide_server.lines.line_session import LineSession
from tests.support.line_bots import (
    NO_RETURN,
    PYTHON,
    Line,
    ScriptedBot,
    bridged,
    dial_to,
    play_process,
    six_others,
)

pytestmark = pytest.mark.end_to_end

EXAMPLES = Path(__file__).parents[2] / "examples" / "lines"


def first_orders(line: Line) -> list[Mapping[str, Any]]:
    """Say ready, and the first possible order for every unit."""
    if line["type"] == "hello":
        wants = ["possible", "results", "board"]
        return [{"type": "ready", "name": "First", "wants": wants}]
    if line["type"] == "turn":
        orders = [each[0] for each in line["possible"].values()][: line["due"]]
        phase = line["phase"]
        return [{"type": "orders", "phase": phase, "orders": orders, "id": phase}]
    return []


async def test_a_bot_of_ten_lines_plays_a_whole_game(tmp_path: Path) -> None:
    async with six_others(tmp_path) as server:
        played = await play_process(server, PYTHON, str(EXAMPLES / "ten_lines.py"))

    assert played == (0, None)


async def test_a_bot_hears_the_whole_game(tmp_path: Path) -> None:
    """Start, board, then turns with notes and results, and the end."""
    bot = ScriptedBot(first_orders)

    async with six_others(tmp_path) as server:
        settings = BridgeSettings(dial_to(server), retries=NO_RETURN)
        bridge = await bridged(bot, LineSession(seed=7), settings)

    assert bridge.reason is None
    kinds = [line["type"] for line in bot.heard]
    assert kinds[:4] == ["hello", "start", "board", "turn"]
    assert kinds[-1] == "over"
    (start,) = bot.of("start")
    assert start["seed"] == 7
    assert start["power"] in start["powers"]
    phases = [line["phase"] for line in bot.of("turn")]
    assert phases[0] == "S1901M"
    assert [line["phase"] for line in bot.of("results")][: len(phases)] == phases
    for noted in bot.of("noted"):
        assert noted["id"] == noted["phase"]
        assert not (noted["late"] and noted["orders"])
        assert all(each["ok"] for each in noted["orders"].values())
    (over,) = bot.of("over")
    assert over["result"] == "draw"
    assert len(over["summary"]) == 7
