"""Ports of single games and of single seats: open as long as their game is.

Each game has a set of ports of its own, taken from those that the settings name, and
free for another game afterwards.
"""

import socket
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

import trio

from daide_server.board.names import Power
from daide_server.classes import frozen
from daide_server.lobby.directory import GameId, PortTarget
from daide_server.server.event_sink import EventSink
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


@frozen
class OpenPort:
    """A socket that listens, what is joined there, and how it is announced."""

    listening: socket.socket
    target: PortTarget

    def line(self) -> str:
        """Return the line for people and programs.

        The seats of the first game go without its number.
        """
        game, seat = self.target.game, self.target.seat
        words = ["listening on", address_of(self.listening)]
        if seat is not None:
            words.append(f"seat {seat}")
        if seat is None or game != FIRST_GAME:
            words.append(f"game {game}")
        return " ".join(words)


class PortOpener:
    """Opens and announces ports of one host, and reports those that are taken."""

    def __init__(
        self, host: str, announce: Callable[[str], None], events: EventSink
    ) -> None:
        self._host: Final = host
        self._announce: Final = announce
        self._events: Final = events

    def open_all(
        self, ports: Iterable[int], targets: Iterable[PortTarget]
    ) -> list[OpenPort]:
        """Return a socket for each target whose port can be had."""
        opened = []
        for port, target in zip(ports, targets, strict=True):
            try:
                opened.append(OpenPort(bind(self._host, port), target))
            except OSError as error:
                self._events.listening_failed(port, error.strerror or str(error))
        for each in opened:
            self._announce(each.line())
        return opened

    def report_missing(self, game: GameId) -> None:
        """Report that there are no ports left for the seats of *game*."""
        self._events.seat_ports_awaited(game)


@frozen
class PortLease:
    """The ports that one game has until it is over."""

    sets: PortSets
    ports: tuple[int, ...]
    opened: Sequence[OpenPort]

    def release(self) -> None:
        """Let another game have the ports; their sockets are closed."""
        self.sets.release(self.ports)


class GamePorts:
    """The ports of the games of one server, and of their seats."""

    def __init__(
        self,
        service: ServiceSettings,
        powers: Sequence[Power],
        opener: PortOpener,
        accept: Accept,
    ) -> None:
        """Have clients of each port accepted by *accept*, which closes its socket."""
        self._games: Final = PortSets(service.game_ports, 1)
        self._seats: Final = PortSets(service.seat_ports, len(powers))
        self._powers: Final = powers
        self._opener: Final = opener
        self._accept: Final = accept

    def open(self, runner: GameRunner) -> Awaitable[None]:
        """Open the ports of a game and its seats.

        What is returned serves them until it is cancelled. A game without ports for
        its seats gets those of another one that is over, if it has not begun by then.
        """
        game = self._lease(self._games, [PortTarget(runner.number)])
        return self._serve(runner, game, self._lease_seats(runner.number))

    def _lease_seats(self, number: GameId) -> PortLease | None:
        targets = [PortTarget(number, power) for power in self._powers]
        return self._lease(self._seats, targets)

    def _lease(self, sets: PortSets, targets: Sequence[PortTarget]) -> PortLease | None:
        """Open a port for each target; `None` if no set is left."""
        ports = sets.take()
        if ports is None:
            return None
        return PortLease(sets, ports, self._opener.open_all(ports, targets))

    async def _serve(
        self, runner: GameRunner, game: PortLease | None, seats: PortLease | None
    ) -> None:
        async with trio.open_nursery() as nursery:
            if game is not None:
                nursery.start_soon(self._serve_lease, game)
            if seats is not None:
                nursery.start_soon(self._serve_lease, seats)
            elif self._seats.exist:
                self._opener.report_missing(runner.number)
                nursery.start_soon(self._await_seats, runner)

    async def _await_seats(self, runner: GameRunner) -> None:
        lease = None
        while lease is None:
            await self._seats.released()
            if runner.game.state.has_started:
                return
            lease = self._lease_seats(runner.number)
        await self._serve_lease(lease)

    async def _serve_lease(self, lease: PortLease) -> None:
        """Accept clients at the ports of *lease*; release them when cancelled."""
        try:
            async with trio.open_nursery() as nursery:
                for each in lease.opened:
                    nursery.start_soon(self._accept, each.listening, each.target)
                # Also when none of them could be opened.
                await trio.sleep_forever()
        finally:
            lease.release()
