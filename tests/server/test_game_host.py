"""The games of a server: opened when they are needed, closed when they are over."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import trio
import trio.testing

from daide_server.app.game_server import GameServer
from daide_server.board.map import Variant
from daide_server.game.directory import Directory, GameId
from daide_server.game.events import ClientId, ClientLeft, MessageReceived
from daide_server.game.options import SeatAssignment
from daide_server.language.messages import AcceptMap, Name
from daide_server.server.game_host import SeatsUnavailableError, Work
from daide_server.server.game_runner import GameRunner
from tests.support.fakes import FakePoller, RecordedEvents
from tests.support.stormed_game import maker_of

WRITING = 10.0
"""Seconds that it takes to write a record."""


class Hosted(GameServer):
    """A host of games, and what it asked of the application."""

    events: RecordedEvents

    def __init__(
        self,
        variant: Variant,
        nursery: trio.Nursery,
        games: int | None,
        places: int = 10**6,
    ) -> None:
        self.open: set[GameId] = set()
        self.closed = trio.Event()
        self.archived: list[GameId] = []
        self.events = RecordedEvents()
        self.are_seats_left = True
        maker = maker_of(variant, games=games or 0, connections=places)
        self._assignment = maker.draw(Directory())
        maker.draw = self._draw
        super().__init__(maker, self.events, None, FakePoller)
        self.players = len(variant.map.powers)
        self.start(nursery)

    def _draw(self, directory: Directory) -> SeatAssignment:
        del directory
        if not self.are_seats_left:
            message = "no seats"
            raise SeatsUnavailableError(message)
        return self._assignment

    async def archive(self, runner: GameRunner) -> None:
        """Write a record, which takes long."""
        await trio.sleep(WRITING)
        self.archived.append(runner.number)

    def while_open(self, runner: GameRunner) -> Work:
        """Note which games are open."""
        return partial(self._note_open, runner)

    async def _note_open(self, runner: GameRunner) -> None:
        self.open.add(runner.number)
        try:
            await trio.sleep_forever()
        finally:
            self.open.remove(runner.number)
            self.closed.set()

    def seat(self, number: int) -> GameRunner:
        """Let as many clients join and start as a game has seats."""
        runner = self.games.runner(GameId(number))
        assert runner is not None
        with self.passes:
            for message in (Name("a", "1"), AcceptMap("standard")):
                for client in range(self.players):
                    runner.post(MessageReceived(ClientId(client), message, ()))
        return runner

    def abandon(self, runner: GameRunner) -> None:
        """Let all clients leave, so that the game is broken off after a while."""
        with self.passes:
            for client in range(self.players):
                runner.post(ClientLeft(ClientId(client)))


@asynccontextmanager
async def hosted(
    variant: Variant, games: int | None = None, places: int = 10**6
) -> AsyncIterator[Hosted]:
    """Run a host with one open game."""
    async with trio.open_nursery() as nursery:
        running = Hosted(variant, nursery, games, places)
        running.games.open_game()
        await trio.testing.wait_all_tasks_blocked()
        yield running
        nursery.cancel_scope.cancel()


async def test_a_game_is_opened_when_the_others_are_full(standard: Variant) -> None:
    """Not before."""
    async with hosted(standard) as running:
        running.games.open_if_full()
        assert running.games.runner(GameId(2)) is None
        running.seat(1)
        running.games.open_if_full()
        assert running.games.runner(GameId(2)) is not None
        assert [runner.number for runner in running.games.running()] == [1]


async def test_a_game_without_seats_is_refused_until_another_is_over(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """As many games as passcodes; clients are refused meanwhile."""
    del autojump_clock
    async with hosted(standard) as running:
        runner = running.seat(1)
        running.are_seats_left = False
        running.games.open_if_full()
        running.games.open_if_full()
        assert running.games.runner(GameId(2)) is None
        assert running.events.of("game.not_opened") == [("no seats",)]
        running.are_seats_left = True
        running.abandon(runner)
        await running.closed.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert running.games.runner(GameId(2)) is not None


async def test_no_more_games_than_asked_for(standard: Variant) -> None:
    async with hosted(standard, games=1) as running:
        running.seat(1)
        running.games.open_if_full()
        assert running.games.runner(GameId(2)) is None


async def test_the_last_game_finishes_the_server_when_its_record_is_written(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    del autojump_clock
    async with hosted(standard, games=1) as running:
        running.abandon(running.seat(1))
        await running.games.until_over()
        assert running.archived == [1]
        assert running.open == set()
        assert running.games.runner(GameId(1)) is None


async def test_what_was_started_for_a_game_ends_with_it(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """As its port does; other games keep theirs."""
    del autojump_clock
    async with hosted(standard) as running:
        runner = running.seat(1)
        running.games.open_if_full()
        running.abandon(runner)
        await running.closed.wait()
        assert running.open == {2}
        assert not running.games.is_over


async def test_a_game_that_cannot_be_filled_is_not_offered(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Reported once; when another is over there are places again."""
    del autojump_clock
    async with hosted(standard, places=13) as running:
        runner = running.seat(1)
        running.games.open_if_full()
        running.games.open_if_full()
        assert running.games.runner(GameId(2)) is None
        assert running.events.of("game.not_opened") == [
            ("1 games need 7 of 13 connections",)
        ]
        running.abandon(runner)
        await running.closed.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert running.games.runner(GameId(2)) is not None


async def test_one_game_is_offered_however_few_places_there_are(
    standard: Variant,
) -> None:
    """A server without a game would end."""
    async with hosted(standard, places=2) as running:
        assert running.games.runner(GameId(1)) is not None
        assert "game.not_opened" not in running.events.kinds
