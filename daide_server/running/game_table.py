"""The server of one game, in memory: no address, and a way in for each seat.

Whoever has connected a socket hands it in with the seat that it is for, see `serve`.
Nothing is read from disk or written to it. The record is folded when it is asked for,
so that nothing of the result can be read before the game is over.
"""

import socket
from collections.abc import Awaitable, Mapping
from typing import Final

import trio

from daide_server.app.making import SeatAssigner
from daide_server.app.server_parts import server_parts
from daide_server.app.settings import ServerSettings
from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.events import ClientId
from daide_server.game.game_state import GameState
from daide_server.lobby.directory import PortTarget
from daide_server.records.folding import fold
from daide_server.records.record import GameRecord
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.events import Events
from daide_server.server.game_host import GameHost, ServerHooks
from daide_server.server.game_runner import GameRunner
from daide_server.server.game_setup import GameIdentity
from daide_server.server.session import Session

from .traffic import NotedTransport, Traffic

CONNECTIONS: Final = 16
"""Of one seat at a time; a bot needs one."""


@frozen
class TableSetup:
    """What one game is played with."""

    settings: ServerSettings
    variant: Variant
    identity: GameIdentity


class GameTable:
    """One game that takes its players from sockets, each for a certain seat."""

    def __init__(
        self, setup: TableSetup, events: Events, nursery: trio.Nursery
    ) -> None:
        """Open the game; its tasks run in *nursery*, and end with it."""
        settings, variant = setup.settings, setup.variant
        parts = server_parts(settings, variant, events, None)
        self.traffic: Final[Mapping[Power, Traffic]] = {
            power: Traffic() for power in variant.map.powers
        }
        self.closed: Final = trio.Event()
        """Set when the game is over and its clients are gone."""
        self.vocabulary: Final = parts.services.vocabulary
        self._setup: Final = setup
        self._services: Final = parts.services
        self._silence: Final = settings.connections.keep_alive_seconds
        self._runner: GameRunner | None = None
        hooks = ServerHooks(
            SeatAssigner(settings, variant).draw,
            _keep_in_memory,
            self._opened,
            identify=lambda _: setup.identity,
        )
        self._games: Final = GameHost(parts.setup, hooks, parts.services, nursery)
        self._sessions: Final = parts.session_services(
            Dispatcher(self._games, parts.services)
        )
        self.served: Final[dict[ClientId, Power]] = {}
        """The seat for which each client has come."""
        self._last_client = ClientId(0)
        self._open: Final = dict.fromkeys(variant.map.powers, 0)
        nursery.start_soon(parts.poller.run)
        self._games.open_game()

    def _opened(self, runner: GameRunner) -> Awaitable[None]:
        self._runner = runner
        return self._await_close()

    async def _await_close(self) -> None:
        try:
            await trio.sleep_forever()
        finally:
            self.closed.set()

    @property
    def runner(self) -> GameRunner:
        """Return what runs the game."""
        assert self._runner is not None, "the game has been opened"
        return self._runner

    @property
    def state(self) -> GameState:
        """Return the state of the game, which others do not change."""
        return self.runner.game.state

    @property
    def is_over(self) -> bool:
        """Return whether the game has its result, or has failed."""
        return self.state.ending is not None or self.runner.is_closed

    def is_vacant(self, power: Power) -> bool:
        """Return whether a power has no client."""
        return self.state.seating[power].client is None

    def is_played(self, power: Power) -> bool:
        """Return whether a power has anything left to play for."""
        return not self.is_over and power in self.state.turn.survivors

    async def serve(self, connection: socket.socket, power: Power) -> None:
        """Serve a client that may have the seat of *power*, until it is gone."""
        if self._open[power] >= CONNECTIONS:
            connection.close()
            return
        self._open[power] += 1
        try:
            await self._serve(connection, power)
        except OSError:
            # The peer was gone before it was served.
            connection.close()
        finally:
            self._open[power] -= 1

    async def _serve(self, connection: socket.socket, power: Power) -> None:
        self._last_client = client = ClientId(self._last_client + 1)
        self.served[client] = power
        transport = NotedTransport(connection, self._silence)
        transport.traffic = self.traffic[power]
        target = PortTarget(self.runner.number, power)
        session = Session(client, transport, self._sessions, target)
        self._services.clients.add(session)
        await session.run()

    def drop(self, power: Power, reason: str) -> None:
        """Close the connection of a power's client, if it has one."""
        client = self.state.seating[power].client
        for session in self._services.clients.everybody():
            if session.client == client:
                session.drop(reason)

    def record(self) -> GameRecord:
        """Return the record so far; raises `RecordError` if the game never began."""
        identity = self._setup.identity
        return fold(
            tuple(self.runner.entries),
            self._setup.variant,
            game=identity.record,
            started=identity.opened,
            metadata=identity.metadata,
        )


async def _keep_in_memory(_: GameRunner) -> None:
    """Write nothing: the record is asked for."""
