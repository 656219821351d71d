"""Our bots play games to their end on every board, and as the examples do."""

import runpy
from pathlib import Path
from typing import Any

import pytest
import trio

from daide_server.bots import Power, UnsendableError, join
from daide_server.bots.built_in import BOTS, BotResult, play_bot
from daide_server.library.variants import load_variant, variant_names
from daide_server.records.formats.registry import DEFAULT, FORMATS
from daide_server.records.record import GameRecord
from daide_server.records.replay import replay
from daide_server.server.server import Server
from tests.end_to_end.playing import recorded
from tests.support.peers import POWERS, running
from tests.support.settings import settings_with

pytestmark = pytest.mark.end_to_end

PATIENCE = 120
YEARS = 3


async def play(name: str, folder: Path) -> list[BotResult]:
    """Return how a game of as many bots as there are powers ended for each."""
    variant = load_variant(name)
    server = Server(
        settings_with(
            variant=name,
            port=0,
            records=str(folder),
            games=1,
            year_limit=variant.start.turn.year + YEARS,
            post_game_seconds=0.1,
            seed=1,
        ),
        announce=lambda _: None,
    )
    host, _, port = server.address.rpartition(":")
    played = []

    async def join(seed: int) -> None:
        bot = list(BOTS)[seed % len(BOTS)]
        played.append(await play_bot(bot, host, int(port), seed=seed))

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            for seed, _ in enumerate(variant.map.powers):
                nursery.start_soon(join, seed)
            await server.run()
    return played


def record_in(folder: Path) -> GameRecord:
    (path,) = folder.glob("*.json")
    return FORMATS[DEFAULT].read(path.read_bytes(), load_variant)


@pytest.mark.parametrize("name", variant_names())
async def test_a_game_ends_properly_on_every_variant(name: str, tmp_path: Path) -> None:
    """Every power plays, is told the end, and every order it gave was possible.

    The record tells what happened, and is adjudicated again without a difference.
    """
    variant = load_variant(name)

    played = await play(name, tmp_path)

    assert {each.power for each in played} == set(variant.map.powers)
    assert all(each.ending is not None for each in played)
    assert all(each.summary is not None for each in played)
    assert [each.refused for each in played if each.refused] == []
    record = record_in(tmp_path)
    assert record.variant is variant
    assert len(record.turns) > YEARS
    assert list(replay(record)) == []


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
