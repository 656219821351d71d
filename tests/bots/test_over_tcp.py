"""Our bots on our server, in processes of their own kind and over real sockets."""

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest
import trio

from daide_server.bots.built_in import BOTS, BotResult, play_bot
from daide_server.bots.client import dial, enter
from daide_server.bots.view import Returned, View
from daide_server.language.messages import Name

pytestmark = pytest.mark.end_to_end

PATIENCE_SECONDS = 60
LIMITS = ["--mtl", "20", "--rtl", "20", "--btl", "20"]
"""With deadlines the clock, and so the game, waits for a client that is lost."""


@asynccontextmanager
async def serving(folder: Path, *options: str) -> AsyncIterator[int]:
    """Run a server for one game, and give its port."""
    command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
    command += [
        "--games",
        "1",
        "--post-game-seconds",
        "0.1",
        "--durability",
        "none",
        "--records",
        str(folder),
        *options,
    ]
    start = partial(trio.run_process, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with trio.fail_after(PATIENCE_SECONDS):
        async with trio.open_nursery() as nursery:
            server = await nursery.start(start, command)
            address = bytes(await server.stdout.receive_some())
            yield int(address.split()[2].rpartition(b":")[2])
            await server.stdout.aclose()


@pytest.mark.parametrize("bot", BOTS)
async def test_seven_of_a_kind_play_without_a_bad_note(
    bot: str, tmp_path: Path
) -> None:
    """Every order is accepted, and everybody hears how the game ended."""
    results: list[BotResult] = []

    async def one(port: int, seed: int) -> None:
        results.append(await play_bot(bot, "127.0.0.1", port, seed=seed))

    async with (
        serving(tmp_path, "--year-limit", "1905") as port,
        trio.open_nursery() as nursery,
    ):
        for seed in range(7):
            nursery.start_soon(one, port, seed)

    assert {result.ended for result in results} == {"draw"}
    assert sum(result.centres or 0 for result in results) <= 34
    assert [result.refused for result in results] == [()] * 7


async def test_a_bot_that_is_cut_off_returns_to_its_seat(tmp_path: Path) -> None:
    """The connection breaks in the third turn; the bot plays on to the end."""
    streams: list[trio.SocketStream] = []
    events: list[object] = []

    async def remembered(port: int) -> trio.abc.Stream:
        stream = await dial("127.0.0.1", port)
        streams.append(stream)
        return stream

    async def cut_off(port: int) -> None:
        strategy = BOTS["dumb"](Random(1))
        async with enter(lambda: remembered(port), Name("Cut", "1")) as game:
            async for event in game:
                events.append(event)
                if isinstance(event, View):
                    if sum(isinstance(each, View) for each in events) == 3:
                        _cut(streams[0])
                    await game.submit(strategy(event))
            assert game.known.ending is not None

    async with (
        serving(tmp_path, "--year-limit", "1903", *LIMITS) as port,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(cut_off, port)
        for _ in range(6):
            nursery.start_soon(play_bot, "hold", "127.0.0.1", port)

    assert len(streams) == 2
    assert events.count(Returned()) == 1


def _cut(stream: trio.SocketStream) -> None:
    """Break a connection as if the network did, not its owner."""
    with socket.socket(fileno=os.dup(stream.socket.fileno())) as twin:
        twin.shutdown(socket.SHUT_RDWR)
