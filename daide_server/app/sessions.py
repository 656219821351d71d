"""The sessions of a server: accepted, served, and looked at now and then."""

import socket
from functools import partial
from typing import Final

import trio

from daide_server.game.events import ClientId
from daide_server.lobby.directory import PortTarget
from daide_server.server.admission import Admission
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.limits import ConnectionLimits
from daide_server.server.listener import Listener
from daide_server.server.session import Session
from daide_server.server.transport import SocketTransport, Transport

from .server_parts import ServerParts, admission_control
from .tracing import traced

CHECK_SECONDS: Final = 10.0
"""How often it is asked which peers have not confirmed what they were sent."""


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
        self._nursery: Final = nursery
        self._admission: Final = admission_control(self._limits, parts.services)
        self.next_client = ClientId(1)

    def close(self) -> None:
        """Close all connections at once."""
        self._nursery.cancel_scope.cancel()

    async def accept_at(self, listening: socket.socket, target: PortTarget) -> None:
        """Accept clients at one port until cancelled."""
        serve = partial(self._serve, target=target)
        events = self._services.events
        listener = Listener(listening, self._admission, serve, events)
        await listener.run(self._nursery)

    async def _serve(
        self, connection: socket.socket, admission: Admission, target: PortTarget
    ) -> None:
        """Serve one client; *target* is what may be joined at its port."""
        client, self.next_client = self.next_client, ClientId(self.next_client + 1)
        session = self._session(client, connection, target)
        if admission is Admission.RESERVED:
            session.reserve(self._limits.reserve_seconds)
        self._services.clients.add(session)
        await session.run()

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

    async def check_peers(self) -> None:
        """Close the connections of peers that are gone without a word."""
        while True:
            await trio.sleep(CHECK_SECONDS)
            for session in self._services.clients.everybody():
                session.check_peer()
