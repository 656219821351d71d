"""The sessions of a server: accepted, served, taken up, and looked at now and then."""

import socket
from functools import partial
from typing import Final

import trio

from daide_server.classes import frozen
from daide_server.game.events import ClientId
from daide_server.lobby.directory import PortTarget
from daide_server.server.admission import Admission
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.handover import HandedSession
from daide_server.server.limits import ConnectionLimits
from daide_server.server.listener import Listener
from daide_server.server.session import Session
from daide_server.server.transport import SocketTransport, Transport

from .server_parts import ServerParts, admission_control
from .tracing import traced

CHECK_SECONDS: Final = 10.0
"""How often it is asked which peers have not confirmed what they were sent."""


@frozen
class Connected:
    """A session and its socket."""

    session: Session
    socket: socket.socket


class Sessions:
    """The connections of one server, and the sockets that take new ones."""

    def __init__(
        self, parts: ServerParts, dispatcher: Dispatcher, nursery: trio.Nursery
    ) -> None:
        """Run each session in *nursery*; its messages go to *dispatcher*."""
        self._limits: Final[ConnectionLimits] = parts.settings.connections
        self._service: Final = parts.settings.service
        self._services: Final = parts.services
        self._session_services: Final = parts.session_services(dispatcher)
        self._dispatcher: Final = dispatcher
        self._nursery: Final = nursery
        self._admission: Final = admission_control(self._limits, parts.services)
        self.next_client = ClientId(1)
        self.connected: Final[dict[ClientId, Connected]] = {}
        """All sessions, also those that are closing."""
        self.listening: Final[dict[PortTarget, socket.socket]] = {}
        self._handed: Final[dict[socket.socket, Session]] = {}
        """Sessions that go on and do not run yet."""

    def close(self) -> None:
        """Close all connections at once."""
        self._nursery.cancel_scope.cancel()

    async def accept_at(self, listening: socket.socket, target: PortTarget) -> None:
        """Accept clients at one port until cancelled."""
        self.listening[target] = listening
        try:
            await self._listener(listening, target).run(self._nursery)
        finally:
            del self.listening[target]

    def _listener(self, listening: socket.socket, target: PortTarget) -> Listener:
        serve = partial(self._serve, target=target)
        return Listener(listening, self._admission, serve, self._services.events)

    async def _serve(
        self, connection: socket.socket, admission: Admission, target: PortTarget
    ) -> None:
        """Serve one client; *target* is what may be joined at its port."""
        handed = self._handed.pop(connection, None)
        if handed is not None:
            await self._run(handed, connection)
            return
        client, self.next_client = self.next_client, ClientId(self.next_client + 1)
        session = self._session(client, connection, target)
        if admission is Admission.RESERVED:
            session.reserve(self._limits.reserve_seconds)
        self._services.clients.add(session)
        await self._run(session, connection)

    def _session(
        self, client: ClientId, connection: socket.socket, target: PortTarget
    ) -> Session:
        transport: Transport = SocketTransport(
            connection, self._limits.keep_alive_seconds
        )
        if self._service.trace is not None:
            folder, limit = self._service.trace, self._service.trace_bytes
            transport = traced(transport, client, folder, limit)
        return Session(client, transport, self._session_services, target)

    async def _run(self, session: Session, connection: socket.socket) -> None:
        self.connected[session.client] = Connected(session, connection)
        try:
            await session.run()
        finally:
            del self.connected[session.client]

    def take_up(self, handed: HandedSession, listening: socket.socket) -> None:
        """Serve a client whose connection was handed over, as if by *listening*.

        The session exists at once: nothing may be sent past it.
        """
        connection = socket.socket(fileno=handed.descriptor)
        connection.set_inheritable(False)
        session = self._session(handed.client, connection, handed.target)
        session.restore(handed.state)
        if handed.is_served:
            self._services.clients.add(session)
            self._dispatcher.resume(session, handed.game)
        self._handed[connection] = session
        listener = self._listener(listening, handed.target)
        listener.take_up(connection, self._nursery)

    async def check_peers(self) -> None:
        """Close the connections of peers that are gone without a word."""
        while True:
            await trio.sleep(CHECK_SECONDS)
            for session in self._services.clients.everybody():
                session.check_peer()
