"""The parts of a running server: its games, its sessions, its listening sockets."""

import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import trio
from attrs import frozen

from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.lobby.directory import COMMON_PORT, PortTarget
from daide_server.server.admission import (
    Admission,
)
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.event_sink import EventSink
from daide_server.server.game_host import GameHost, ServerHooks
from daide_server.server.game_runner import GameRunner
from daide_server.server.handover import HandedSession
from daide_server.server.listener import (
    Listener,
    address_of,
)
from daide_server.server.saving import Saving
from daide_server.server.session import Session
from daide_server.server.transport import SocketTransport
from daide_server.server.waiting import WaitingReporter
from daide_server.storage.saves import Save

from .game_ports import GamePorts, PortOpener
from .journal_reader import JournalReader
from .making import SeatAssigner
from .open_journal import OpenJournal
from .record_writer import RecordWriter, ServerRun
from .server_parts import admission_control, save_plan, server_parts
from .settings import ServerSettings

CHECK_SECONDS: Final = 10.0
"""How often it is asked which peers have not confirmed what they were sent."""


Announce = Callable[[str], None]
"""Called with each address, as a line of text for people and programs."""


@frozen
class ServerPlan:
    """All that a server is made of."""

    settings: ServerSettings
    variant: Variant
    saves: list[Save]
    listening: socket.socket
    announce: Announce
    events: EventSink
    run: ServerRun
    journal: OpenJournal | None
    """Of the games that are not over; `None`: they are not kept."""
    go_on: Callable[["Serving"], None] | None = None
    """Takes up what another program has handed over; `None`: the server is new."""


@frozen
class Connected:
    """A session and its socket."""

    session: Session
    socket: socket.socket


class Serving:
    """The parts of one server, from its first connection to its last record."""

    def __init__(
        self, plan: ServerPlan, nursery: trio.Nursery, connections: trio.Nursery
    ) -> None:
        """Build all parts; sessions run in *connections*, all else in *nursery*."""
        settings, events = plan.settings, plan.events
        parts = server_parts(settings, plan.variant, events, plan.journal)
        self.keeper: Final = parts.keeper
        self.poller: Final = parts.poller
        self.services: Final = parts.services
        self.plan: Final = plan
        self._connections: Final = connections
        self._port_lines: list[str] | None = []
        """Lines that wait until the server's own is written; `None` afterwards."""
        opener = PortOpener(settings.service.host, self._announce_port, events)
        powers = plan.variant.map.powers
        self.ports: Final = GamePorts(settings.service, powers, opener, self._accept_at)
        self.assigner: Final = SeatAssigner(settings, plan.variant)
        self.games: Final = GameHost(parts.setup, self._hooks(), self.services, nursery)
        self._dispatcher: Final = Dispatcher(
            self.games, self.services, parts.setup.guesses
        )
        self._sessions: Final = parts.session_services(self._dispatcher)
        folder = Path(settings.service.records)
        self.records: Final = RecordWriter(folder, plan.variant, events)
        self._saving: Final = Saving(save_plan(settings, plan.run), events)
        self._admission: Final = admission_control(settings.connections, self.services)
        self.next_client = ClientId(1)
        self.connected: Final[dict[ClientId, Connected]] = {}
        """All sessions, also those that are closing."""
        self.listening: Final[dict[PortTarget, socket.socket]] = {}
        self._handed: Final[dict[socket.socket, Session]] = {}
        """Sessions that go on and do not run yet."""
        self._is_saved = True
        self._start(nursery)

    def _hooks(self) -> ServerHooks:
        plan = self.plan
        return ServerHooks(
            self.assigner.draw,
            self._archive,
            self.ports.open,
            identify=plan.run.identify,
            describe=JournalReader(plan.settings, plan.variant).describe,
        )

    def _start(self, nursery: trio.Nursery) -> None:
        """Start the tasks that run as long as the server."""
        nursery.start_soon(self.poller.run)
        nursery.start_soon(WaitingReporter(self.games.open_games, self.plan.events).run)
        nursery.start_soon(self._check_peers)
        if self.keeper is not None:
            nursery.start_soon(self.keeper.committer.run)

    async def hold(self) -> None:
        """Read nothing more, and wait until all is committed and on disk.

        `release` takes it back.
        """
        self.poller.hold()
        while True:
            # Sessions that have ended, and games that are over, get out of the way.
            await trio.lowlevel.checkpoint()
            await self.games.settled()
            if self.keeper is not None:
                await self.keeper.committer.settled()
            if self.is_settled:
                return

    def release(self) -> None:
        """Read again."""
        self.poller.resume()

    @property
    def is_settled(self) -> bool:
        """Return whether nothing is on its way to the journal or to a record."""
        is_kept = self.keeper is None or self.keeper.committer.is_settled
        return is_kept and self.games.is_settled

    async def accept(self) -> None:
        """Open the first games, and accept clients until cancelled."""
        plan = self.plan
        if plan.go_on is not None:
            self._port_lines = None
            plan.go_on(self)
        else:
            self._begin()
        self.games.finish_if_over()
        await self._accept_at(plan.listening, COMMON_PORT)

    def _begin(self) -> None:
        """Announce where the server listens, and open the first games."""
        plan = self.plan
        if self.keeper is not None:
            with self.services.passes:
                last = self.keeper.recover(self.games, plan.settings, plan.variant)
            self.next_client = ClientId(last + 1)
        address = address_of(plan.listening)
        plan.announce(f"listening on {address}")
        for line in self._port_lines or ():
            plan.announce(line)
        self._port_lines = None
        plan.events.server_listening(address)
        for save in plan.saves:
            self.games.load_game(save)
        if not plan.saves:
            self.games.open_game()

    @property
    def can_keep_games(self) -> bool:
        """Return whether games that are not over can wait in the journal."""
        return self.keeper is not None and self.plan.settings.service.save is None

    async def dismiss(self) -> None:
        """End the games, or save them if that is asked for; send all clients off."""
        with self.services.passes:
            running, saves = self.games.running(), []
            if self.plan.settings.service.save is not None:
                saves = self._saving.capture(running)
            else:
                for runner in running:
                    runner.break_off()
            self.services.clients.dismiss()
        with trio.CancelScope(shield=True):
            self._is_saved = await self._saving.write(saves, self.services.vocabulary)

    async def keep(self) -> None:
        """Close all connections, and keep the games for the next server."""
        assert self.keeper is not None
        await self.keeper.keep()
        for runner in self.games.open_games():
            # Connections that end now are no leaves.
            runner.keep()
        self._connections.cancel_scope.cancel()

    async def finish(self) -> None:
        """Wait for the last records, and close the journal."""
        self.records.close()
        await self.games.settled()
        if self.keeper is not None:
            is_complete = self._is_saved and not self.records.unwritten
            await self.keeper.close(is_complete=is_complete)

    async def save(self) -> None:
        """Save the running games, which go on."""
        with self.services.passes:
            saves = self._saving.capture(self.games.running())
        await self._saving.write(saves, self.services.vocabulary)

    def _announce_port(self, line: str) -> None:
        """Announce the port of a game, after that of the server."""
        if self._port_lines is None:
            self.plan.announce(line)
        else:
            self._port_lines.append(line)

    async def _accept_at(self, listening: socket.socket, target: PortTarget) -> None:
        """Accept clients at one port until cancelled."""
        serve = partial(self._serve, target=target)
        listener = Listener(listening, self._admission, serve, self.plan.events)
        self.listening[target] = listening
        try:
            await listener.run(self._connections)
        finally:
            del self.listening[target]

    async def _serve(
        self, connection: socket.socket, admission: Admission, target: PortTarget
    ) -> None:
        """Serve one client; *target* is what may be joined at its port."""
        handed = self._handed.pop(connection, None)
        if handed is not None:
            await self._run(handed, connection)
            return
        client, self.next_client = self.next_client, ClientId(self.next_client + 1)
        limits = self.plan.settings.connections
        transport = SocketTransport(connection, limits.keep_alive_seconds)
        session = Session(client, transport, self._sessions, target)
        if admission is Admission.RESERVED:
            session.reserve(limits.reserve_seconds)
        self.services.clients.add(session)
        await self._run(session, connection)

    async def _run(self, session: Session, connection: socket.socket) -> None:
        self.connected[session.client] = Connected(session, connection)
        try:
            await session.run()
        finally:
            del self.connected[session.client]

    def take_up(self, handed: HandedSession) -> None:
        """Serve a client whose connection was handed over.

        The session exists at once: nothing may be sent past it.
        """
        plan = self.plan
        connection = socket.socket(fileno=handed.descriptor)
        connection.set_inheritable(False)
        limits = plan.settings.connections
        transport = SocketTransport(connection, limits.keep_alive_seconds)
        session = Session(handed.client, transport, self._sessions, handed.target)
        session.restore(handed.state)
        if handed.is_served:
            self.services.clients.add(session)
            self._dispatcher.resume(session, handed.game)
        self._handed[connection] = session
        serve = partial(self._serve, target=handed.target)
        listener = Listener(plan.listening, self._admission, serve, plan.events)
        listener.take_up(connection, self._connections)

    async def _check_peers(self) -> None:
        """Close the connections of peers that are gone without a word."""
        while True:
            await trio.sleep(CHECK_SECONDS)
            for session in self.services.clients.everybody():
                session.check_peer()

    async def _archive(self, runner: GameRunner) -> None:
        """Write the record of a finished game, which then need not be saved."""
        if not await self.records.write(runner):
            return
        if runner.name is not None:
            self._saving.forget(runner.name, self.plan.settings.service.load)
        if self.keeper is not None:
            with self.services.passes:
                self.keeper.forget(runner)
