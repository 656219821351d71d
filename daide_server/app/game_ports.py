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
from daide_server.server.events import Events, Warned
from daide_server.server.game_host import Work
from daide_server.server.game_runner import GameRunner
from daide_server.server.listener import address_of, bind
from daide_server.settings.kinds import FREE_PORTS

from .settings import ServiceSettings

FIRST_GAME: Final = GameId(1)

Accept = Callable[[socket.socket, PortTarget], Awaitable[None]]
"""Accepts clients at one port until cancelled, and closes its socket."""


class PortSets:
    """Ports for games at the same time, a set of equal size for each."""

    def __init__(self, ports: Sequence[int], size: int) -> None:
        """Divide *ports* into sets of *size*; `FREE_PORTS` are without end."""
        self.exist: Final = bool(ports)
        self._any: Final = (0,) * size if tuple(ports) == FREE_PORTS else None
        whole = () if self._any else range(size, len(ports) + 1, size)
        self._free: Final = deque(tuple(ports[end - size : end]) for end in whole)
        self._released = trio.Event()

    def take(self) -> tuple[int, ...] | None:
        """Return a set for one game; `None` if games have them all."""
        if self._any:
            return self._any
        return self._free.popleft() if self._free else None

    def release(self, ports: tuple[int, ...]) -> None:
        """Let another game have *ports*."""
        if ports != self._any:
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
        self.lines: list[str] | None = None
        """Where lines wait until others are announced, while there are such."""
        self._emit: Final = events

    def open(self, runner: GameRunner) -> Work:
        """Open the ports of a game and its seats.

        What is returned serves them until it is cancelled. A game without ports for
        its seats gets those of another one that is over, if it has not begun by then.
        """
        number, works = runner.number, list[Work]()
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
    ) -> Work:
        """Open those of *ports* that can be had: one for each seat, or for any.

        What is returned accepts clients there, and gives the ports back when cancelled.
        """
        opened = []
        for port, seat in zip(ports, seats, strict=True):
            try:
                opened.append((bind(self._host, port), PortTarget(game, seat)))
            except OSError as error:
                fields = {"port": port, "reason": error.strerror or str(error)}
                self._emit(Warned("listen.failed", fields))
        announce = self._announce if self.lines is None else self.lines.append
        for listening, target in opened:
            announce(port_line(listening, target))

        async def serve() -> None:
            try:
                # It waits also when none of them could be opened.
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


async def _run_all(works: Sequence[Work]) -> None:
    async with trio.open_nursery() as nursery:
        for work in works:
            nursery.start_soon(work)
