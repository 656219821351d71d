"""Bots on lines in whole games: a server and six bots of ours in the test's process."""

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import trio
import trio.testing
from attrs import define, evolve, field

from daide_server.bots.bot_pipes import BotPipes, BridgeSettings
from daide_server.bots.built_in import play_bot
from daide_server.bots.client import dial
from daide_server.bots.entering import UNREPORTED
from daide_server.bots.errors import ClientError
from daide_server.bots.line_bridge import Bridge
from daide_server.bots.lines.line_session import LineSession
from daide_server.tournament.run.piped_bot import PipedBot

from .peers import Running, running

PATIENCE = 60.0
NO_RETURN = evolve(UNREPORTED, return_seconds=0.0)

Line = dict[str, Any]
Answering = Callable[[Line], list[Mapping[str, Any]]]


@define(eq=False)
class ScriptedBot:
    """A bot in the test's process: *answer* gives its lines for each that it hears."""

    answer: Answering
    heard: list[Line] = field(factory=list)
    said: list[Mapping[str, Any]] = field(factory=list)

    def of(self, kind: str) -> list[Line]:
        """Return the lines of one type that it has heard."""
        return [line for line in self.heard if line["type"] == kind]

    async def live(self, stream: trio.abc.Stream) -> None:
        """Answer until the input ends."""
        rest = b""
        while data := await stream.receive_some():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.heard.append(json.loads(line))
                for said in self.answer(self.heard[-1]):
                    self.said.append(said)
                    await stream.send_all(json.dumps(said).encode() + b"\n")
        await stream.aclose()


def two_pipes(ours: trio.StapledStream[Any, Any]) -> BotPipes:
    """Return the ends of a pair as two pipes: each of them is closed by itself."""
    return BotPipes(ours.send_stream, ours.receive_stream)


async def bridged(
    bot: ScriptedBot,
    server: Running,
    *,
    session: LineSession | None = None,
    **settings: Any,  # noqa: ANN401 - as BridgeSettings takes them
) -> Bridge:
    """Let *bot* play through a bridge to its end; return the bridge."""
    ours, theirs = trio.testing.memory_stream_pair()
    given = {"dial": dial_to(server), "retries": NO_RETURN, **settings}
    bridge = Bridge(two_pipes(ours), session or LineSession(), BridgeSettings(**given))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot.live, theirs)
        await bridge.run()
        nursery.cancel_scope.cancel()
    return bridge


@asynccontextmanager
async def six_others(
    folder: Path, bots: int = 6, **settings: object
) -> AsyncIterator[Running]:
    """Run a server for one game with bots that hold or move by chance."""
    given = {"year_limit": 1902, "games": 1, "post_game_seconds": 0.1, **settings}
    async with running(folder, **given) as server, trio.open_nursery() as nursery:
        for seed in range(bots):
            nursery.start_soon(_play, server, seed)
        yield server
        nursery.cancel_scope.cancel()


async def _play(server: Running, seed: int) -> None:
    host, _, port = server.address.rpartition(":")
    try:
        await play_bot("rand", host, int(port), seed=seed, retries=NO_RETURN)
    except ClientError:
        # The server may end before a bot has heard OFF.
        return


def dial_to(server: Running) -> Callable[[], Awaitable[trio.SocketStream]]:
    """Return what connects to *server*."""
    host, _, port = server.address.rpartition(":")
    return partial(dial, host, int(port))


async def play_process(
    server: Running, *command: str, session: LineSession | None = None
) -> tuple[int, str | None]:
    """Let a program play through a bridge; return its exit code, and what was wrong."""
    bot = PipedBot.start(command)
    settings = BridgeSettings(dial_to(server), retries=NO_RETURN)
    bridge = Bridge(bot.pipes, session or LineSession(seed=1), settings)
    with trio.fail_after(PATIENCE):
        code = await bot.play(bridge.run)
    return code, bridge.reason


PYTHON = sys.executable
