"""Ports of games and of their seats: open in order, and free again afterwards."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from daide_server.board.names import Power
from daide_server.game.directory import GameId, PortTarget
from daide_server.server.game_ports import GamePorts
from tests.support.fakes import RecordedEvents
from tests.support.settings import settings_with

POWERS = (Power("AUS"), Power("BUL"))


class Opening:
    """The ports of some games, and what is announced of them."""

    def __init__(self, ports: str | int) -> None:
        self.lines: list[str] = []
        self.events = RecordedEvents()
        self.accepting: dict[PortTarget, int] = {}
        service = settings_with(seat_ports=ports).service
        announce = self.lines.append
        self.ports = GamePorts(service, POWERS, self._accept, announce, self.events)

    async def _accept(self, listening: socket.socket, target: PortTarget) -> None:
        with listening:
            self.accepting[target] = listening.getsockname()[1]
            try:
                await trio.sleep_forever()
            finally:
                del self.accepting[target]

    @asynccontextmanager
    async def game(self, number: int, **state: bool) -> AsyncIterator[Any]:
        """Open and serve the ports of a game, which has not started."""
        found = SimpleNamespace(has_started=False, **state)
        runner: Any = SimpleNamespace(
            number=GameId(number), game=SimpleNamespace(state=found)
        )
        serving = self.ports.open(runner)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serving)
            await trio.testing.wait_all_tasks_blocked()
            yield found
            nursery.cancel_scope.cancel()


@pytest.fixture
def two_ports() -> str:
    """Return a range of two ports that are free now."""
    for first in range(17_800, 17_900, 2):
        try:
            with (
                socket.create_server(("127.0.0.1", first)),
                socket.create_server(("127.0.0.1", first + 1)),
            ):
                return f"{first}-{first + 1}"
        except OSError:
            continue
    pytest.fail("no two ports are free")


async def test_a_port_is_open_before_its_line_is_written() -> None:
    """As soon as the game is opened, whenever its clients are accepted."""
    opening = Opening(0)

    def connect(line: str) -> None:
        host, _, port = line.split()[2].rpartition(":")
        socket.create_connection((host, int(port)), 5).close()
        opening.lines.append(line)

    service = settings_with(seat_ports=0).service
    ports = GamePorts(service, POWERS, opening._accept, connect, opening.events)
    runner: Any = SimpleNamespace(number=GameId(1))
    serving = ports.open(runner)
    assert len(opening.lines) == 2
    with trio.CancelScope() as scope:
        scope.cancel()
        await serving()


async def test_a_game_that_forms_gets_the_ports_of_one_that_is_over(
    two_ports: str,
) -> None:
    """Without them it is played on the common port; the log says so."""
    opening = Opening(two_ports)
    async with trio.open_nursery() as nursery:
        over = trio.Event()

        async def first() -> None:
            async with opening.game(1):
                await over.wait()

        nursery.start_soon(first)
        await trio.testing.wait_all_tasks_blocked()
        async with opening.game(2), opening.game(3) as begun:
            assert [each[0] for each in opening.events.of("ports.awaited")] == [2, 3]
            begun.has_started = True
            assert {target.game for target in opening.accepting} == {1}
            over.set()
            await trio.testing.wait_all_tasks_blocked()
            assert {target.game for target in opening.accepting} == {2}
            seats = [line.partition("seat ")[2] for line in opening.lines]
            assert seats == ["AUS", "BUL", "AUS game 2", "BUL game 2"]


async def test_a_new_game_finds_the_ports_that_games_which_play_do_not_want(
    two_ports: str,
) -> None:
    """As soon as they are free, however many waited for them until they began."""
    opening = Opening(two_ports)
    over = trio.Event()

    async def two_games() -> None:
        async with opening.game(1):
            await over.wait()
        async with opening.game(5):
            assert {target.game for target in opening.accepting} == {5}

    async with trio.open_nursery() as nursery:
        nursery.start_soon(two_games)
        await trio.testing.wait_all_tasks_blocked()
        async with opening.game(2) as second, opening.game(3) as third:
            second.has_started = third.has_started = True
            over.set()
            await trio.testing.wait_all_tasks_blocked()
    assert [each[0] for each in opening.events.of("ports.awaited")] == [2, 3]


async def test_a_port_that_is_taken_is_reported(two_ports: str) -> None:
    """The other seats have theirs."""
    first = int(two_ports.partition("-")[0])
    with socket.create_server(("127.0.0.1", first)):
        opening = Opening(two_ports)
        async with opening.game(1):
            ((port, reason),) = opening.events.of("listen.failed")
            assert port == first
            assert "in use" in str(reason)
            second = f"127.0.0.1:{first + 1}"
            assert opening.lines == [f"listening on {second} seat BUL"]
            assert opening.accepting == {PortTarget(GameId(1), POWERS[1]): first + 1}
