"""Ports of single games and of single seats: open as long as their game is.

Each game has a set of ports of its own, taken from those that the settings name, and
free for another game afterwards.
"""

import socket
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

import trio

from daide_server.board.names import Power
from daide_server.game.directory import GameId, PortTarget
from daide_server.server.events import Events, ListenFailed, SeatPortsAwaited
from daide_server.server.game_host import Work
from daide_server.server.game_runner import GameRunner
from daide_server.server.listener import address_of, bind
from daide_server.settings.kinds import FREE_PORTS

from .service_settings import ServiceSettings

FIRST_GAME: Final = GameId(1)

Accept = Callable[[socket.socket, PortTarget], Awaitable[None]]
"""Accepts clients at one port until cancelled, and closes its socket."""


class PortSets:
    """Ports for games at the same time, a set of equal size for each."""

    def __init__(self, ports: Sequence[int], size: int) -> None:
        """Divide *ports* into sets of *size*; `FREE_PORTS` are without end."""
        self._any: Final = (0,) * size if tuple(ports) == FREE_PORTS else None
        whole = () if self._any else range(len(ports) // size)
        self._free: Final = deque(
            tuple(ports[number * size : (number + 1) * size]) for number in whole
        )
        self.exist: Final = bool(ports)
        self._released = trio.Event()

    def take(self) -> tuple[int, ...] | None:
        """Return a set for one game; `None` if games have them all."""
        if self._any:
            return self._any
        return self._free.popleft() if self._free else None

    def release(self, ports: tuple[int, ...]) -> None:
        """Let another game have *ports*."""
        if ports and not self._any:
            self._free.append(ports)
        self._released.set()
        self._released = trio.Event()

    async def released(self) -> None:
        """Wait until a game has released its ports."""
        await self._released.wait()


def port_line(listening: socket.socket, target: PortTarget) -> str:
    """Return the line for people and programs that says what is joined where.

    The seats of the first game go without its number.
    """
    words = ["listening on", address_of(listening)]
    if target.seat is not None:
        words.append(f"seat {target.seat}")
    if target.seat is None or target.game != FIRST_GAME:
        words.append(f"game {target.game}")
    return " ".join(words)


class GamePorts:
    """The ports of the games of one server, and of their seats."""

    def __init__(
        self,
        service: ServiceSettings,
        powers: Sequence[Power],
        accept: Accept,
        announce: Callable[[str], None],
        events: Events,
    ) -> None:
        """Have clients of each port accepted by *accept*, which closes its socket."""
        self._games: Final = PortSets(service.game_ports, 1)
        self._seats: Final = PortSets(service.seat_ports, len(powers))
        self._host: Final = service.host
        self._powers: Final = powers
        self._accept: Final = accept
        self._announce: Final = announce
        self._emit: Final = events

    def open(self, runner: GameRunner) -> Work:
        """Open the ports of a game and its seats.

        What is returned serves them until it is cancelled. A game without ports for
        its seats gets those of another one that is over, if it has not begun by then.
        """
        game = self._lease(self._games, [PortTarget(runner.number)])
        seats = self._lease_seats(runner.number)
        return partial(self._serve, runner, game, seats)

    def _lease_seats(self, number: GameId) -> Work | None:
        targets = [PortTarget(number, power) for power in self._powers]
        return self._lease(self._seats, targets)

    def _lease(self, sets: PortSets, targets: Sequence[PortTarget]) -> Work | None:
        """Open a port for each target that can be had; `None` if no set is left.

        What is returned accepts clients there, and gives the ports back when cancelled.
        """
        ports = sets.take()
        if ports is None:
            return None
        opened = []
        for port, target in zip(ports, targets, strict=True):
            try:
                opened.append((bind(self._host, port), target))
            except OSError as error:
                self._emit(ListenFailed(port, error.strerror or str(error)))
        for listening, target in opened:
            self._announce(port_line(listening, target))

        async def serve() -> None:
            try:
                async with trio.open_nursery() as nursery:
                    for listening, target in opened:
                        nursery.start_soon(self._accept, listening, target)
                    # Also when none of them could be opened.
                    await trio.sleep_forever()
            finally:
                sets.release(ports)

        return serve

    async def _serve(
        self, runner: GameRunner, game: Work | None, seats: Work | None
    ) -> None:
        async with trio.open_nursery() as nursery:
            if game is not None:
                nursery.start_soon(game)
            if seats is not None:
                nursery.start_soon(seats)
            elif self._seats.exist:
                self._emit(SeatPortsAwaited(runner.number))
                nursery.start_soon(self._await_seats, runner)

    async def _await_seats(self, runner: GameRunner) -> None:
        seats = None
        while seats is None:
            await self._seats.released()
            if runner.game.state.has_started:
                return
            seats = self._lease_seats(runner.number)
        await seats()
