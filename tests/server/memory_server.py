"""A server without sockets: clients on fake transports, passes run by the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.game.directory import COMMON_PORT, GameId, PortTarget
from daide_server.game.options import GameOptions, ServerPolicy
from daide_server.server.game_host import BackgroundTask
from daide_server.server.game_runner import GameRunner
from daide_server.server.game_server import GameServer
from daide_server.server.making import GameMaker
from tests.support import fakes
from tests.support.fuzzing import maker_of

POWERS = 7
JOIN_SECONDS = 20.0
ABANDONED = ServerPolicy(abandoned_after=5.0, post_game_seconds=5.0)
"""So long a game without clients goes on; then it can be asked so long."""


class MemoryServer(GameServer):
    """A server with games, whose clients are on fake transports."""

    poller: fakes.FakePoller
    events: fakes.RecordedEvents

    def __init__(
        self,
        maker: GameMaker,
        nursery: trio.Nursery,
        events: fakes.RecordedEvents,
        share: float,
    ) -> None:
        limits = evolve(fakes.LIMITS, join_seconds=JOIN_SECONDS, close_seconds=60.0)
        maker.settings = evolve(maker.settings, session=limits)
        super().__init__(maker, events, None, partial(fakes.FakePoller, share=share))
        self.open: set[GameId] = set()
        """Games whose work goes on."""
        self._nursery = nursery
        self.start(nursery)

    def while_open(self, runner: GameRunner) -> BackgroundTask:
        return partial(self._note_open, runner.number)

    async def _note_open(self, number: GameId) -> None:
        self.open.add(number)
        try:
            await trio.sleep_forever()
        finally:
            self.open.remove(number)

    async def join(self, target: PortTarget = COMMON_PORT) -> fakes.FakeClient:
        """Return a client that has exchanged IM and RM."""
        transport = fakes.FakeTransport()
        session = self.connect(transport, target)
        self._nursery.start_soon(session.run)
        await trio.testing.wait_all_tasks_blocked()
        connected = fakes.FakeClient(session, transport, self.poller)
        await connected.send(fakes.IM)
        assert transport.data == fakes.RM
        transport.sent.clear()
        return connected

    async def players(self) -> list[fakes.FakeClient]:
        found = [await self.join() for _ in range(POWERS)]
        for said in ("NME ('a') ('1')", "YES (MAP ('standard'))"):
            for player in found:
                await player.say(said)
        for player in found:
            player.heard()
        return found

    async def one_pass(self) -> None:
        """Run a pass of the poller, and what follows from it."""
        self.poller.run_pass()
        await trio.testing.wait_all_tasks_blocked()

    def runner(self, number: int) -> GameRunner | None:
        return self.games.runner(GameId(number))


@asynccontextmanager
async def memory_server(
    standard: Variant,
    options: GameOptions | None = None,
    *,
    events: fakes.RecordedEvents | None = None,
    share: float = fakes.UNLIMITED,
    **given: object,
) -> AsyncIterator[MemoryServer]:
    """Run a server with one game that forms; *given* are other settings."""
    maker = maker_of(standard, options, ABANDONED, **given)
    async with trio.open_nursery() as nursery:
        running = MemoryServer(maker, nursery, events or fakes.RecordedEvents(), share)
        running.games.open_game()
        await trio.testing.wait_all_tasks_blocked()
        yield running
        nursery.cancel_scope.cancel()
