"""The bots that the documentation shows play whole games on a real server."""

import runpy
from pathlib import Path
from typing import Any

import pytest
import trio

from daide_server.bots import Power, UnsendableError, join
from tests.end_to_end.playing import recorded
from tests.support.peers import POWERS, running

pytestmark = pytest.mark.end_to_end

EXAMPLES = Path(__file__).parents[2] / "examples"


async def seven(example: dict[str, Any], host: str, port: int) -> None:
    async with trio.open_nursery() as nursery:
        for _ in POWERS:
            nursery.start_soon(example["main"], host, port)


async def test_negotiators_agree_on_a_draw(tmp_path: Path) -> None:
    """By press, votes and events."""
    example = runpy.run_path(str(EXAMPLES / "negotiator.py"))
    async with running(tmp_path, games=1, level=20) as server:
        host, port = server.address.split(":")
        await seven(example, host, int(port))
    (record,) = recorded(tmp_path)
    press = [
        message["message"]
        for phase in record["phases"]
        for message in phase["messages"]
    ]
    assert record["daide"]["ending"] == "draw"
    assert sum(text.startswith("YES ( PRP ( PCE") for text in press) == 42


async def test_press_that_is_no_message_is_a_client_error(tmp_path: Path) -> None:
    """All errors of the library are; nothing is sent, and the game goes on."""

    async def player(host: str, port: int) -> None:
        async with join(host, port, name="x") as game:
            with pytest.raises(UnsendableError, match="no word is called"):
                await game.send_press([Power("ENG")], "HELLO")
            with pytest.raises(UnsendableError, match="has no power"):
                await game.send_press([Power("NOBODY")], "PRP (PCE (ENG FRA))")
            assert await game.time_left() is None

    async with (
        running(tmp_path, games=1, level=20) as server,
        trio.open_nursery() as nursery,
    ):
        host, port = server.address.split(":")
        for _ in POWERS:
            nursery.start_soon(player, host, int(port))
