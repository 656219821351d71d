"""Ports of single games and single seats, open as long as their game.

Each game takes a set of ports from those in the settings, and returns it when it is
over.
"""

import socket
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

import trio

from daide_server.board.names import Power
from daide_server.game.directory import GameId, PortTarget
from daide_server.settings.kinds import FREE_PORTS

from .events import Events, Warned
from .game_host import BackgroundTask
from .game_runner import GameRunner
from .listener import address_of, bind
from .settings import ServiceSettings

Accept = Callable[[socket.socket, PortTarget], Awaitable[None]]
"""Accepts clients at one port until cancelled, and closes its socket."""


class PortSets:
    """Sets of ports of equal size, one for each game at the same time."""

    def __init__(self, ports: Sequence[int], size: int) -> None:
        """Divide *ports* into sets of *size*; `FREE_PORTS` never run out."""
        self.exist: Final = bool(ports)
        self._any: Final = (0,) * size if tuple(ports) == FREE_PORTS else None
        whole = () if self._any else range(size, len(ports) + 1, size)
        self._free: Final = deque(tuple(ports[end - size : end]) for end in whole)
        self._released = trio.Event()

    def take(self) -> tuple[int, ...] | None:
        """Return a set for one game; `None` if all sets are in use."""
        if self._any:
            return self._any
        return self._free.popleft() if self._free else None

    def release(self, ports: tuple[int, ...]) -> None:
        """Return *ports*, so that another game can take them."""
        if ports != self._any:
            self._free.append(ports)
        self._released.set()
        self._released = trio.Event()

    async def released(self) -> None:
        """Wait until some game has released its ports."""
        await self._released.wait()


def port_line(listening: socket.socket, target: PortTarget) -> str:
    """Return the line that announces what can be joined at a port.

    For seats of the first game it omits the number of the game.
    """
    words = ["listening on", address_of(listening)]
    if target.seat is not None:
        words.append(f"seat {target.seat}")
    if target.seat is None or target.game != 1:
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
        """Use *accept* to accept clients at each port; it closes the socket."""
        self._games: Final = PortSets(service.game_ports, 1)
        self._seats: Final = PortSets(service.seat_ports, len(powers))
        self._host: Final = service.host
        self._powers: Final = powers
        self._accept: Final = accept
        self._announce: Final = announce
        self._emit: Final = events

    def open(self, runner: GameRunner) -> BackgroundTask:
        """Open the ports of a game and its seats.

        The result serves them until it is cancelled. If there are no ports for the
        seats, the game waits for those of another game, unless it begins before that.
        """
        number, works = runner.number, list[BackgroundTask]()
        if (ports := self._games.take()) is not None:
            works.append(self._lease(self._games, ports, number, [None]))
        if (ports := self._seats.take()) is not None:
            works.append(self._lease(self._seats, ports, number, self._powers))
        elif self._seats.exist:
            works.append(partial(self._await_seats, runner))
        return partial(_run_all, works)

    def _lease(
        self,
        sets: PortSets,
        ports: tuple[int, ...],
        game: GameId,
        seats: Sequence[Power | None],
    ) -> BackgroundTask:
        """Open as many of *ports* as possible: one for each seat, or one for the game.

        The result accepts clients there, and returns the ports when cancelled.
        """
        opened = []
        for port, seat in zip(ports, seats, strict=True):
            try:
                opened.append((bind(self._host, port), PortTarget(game, seat)))
            except OSError as error:
                fields = {"port": port, "reason": error.strerror or str(error)}
                self._emit(Warned("listen.failed", fields))
        for listening, target in opened:
            self._announce(port_line(listening, target))

        async def serve() -> None:
            try:
                # Wait even if none of them could be opened.
                works = [partial(self._accept, *each) for each in opened]
                await _run_all([*works, trio.sleep_forever])
            finally:
                sets.release(ports)

        return serve

    async def _await_seats(self, runner: GameRunner) -> None:
        fields = {"game": runner.number, "reason": "games have them all"}
        self._emit(Warned("ports.awaited", fields))
        ports = None
        while ports is None:
            await self._seats.released()
            if runner.game.state.has_started:
                return
            ports = self._seats.take()
        await self._lease(self._seats, ports, runner.number, self._powers)()


async def _run_all(works: Sequence[BackgroundTask]) -> None:
    async with trio.open_nursery() as nursery:
        for work in works:
            nursery.start_soon(work)
