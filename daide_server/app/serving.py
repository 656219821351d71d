"""The parts of a running server: its games, its sessions, its listening sockets."""

import socket
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import trio
from attrs import evolve, frozen

from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.lobby.directory import COMMON_PORT, PortTarget
from daide_server.server.admission import (
    Admission,
    ConnectionLimiter,
    PlaceKeeper,
    places,
)
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.event_sink import EventSink
from daide_server.server.game_host import GameHost, ServerHooks
from daide_server.server.game_runner import GameRunner
from daide_server.server.game_setup import game_services
from daide_server.server.listener import (
    AdmissionControl,
    Listener,
    Refusals,
    address_of,
)
from daide_server.server.open_files import max_open_files
from daide_server.server.outbox_pool import OutboxPool
from daide_server.server.passes import Passes, release_at_once
from daide_server.server.poller import SocketPoller
from daide_server.server.saving import SavePlan, Saving
from daide_server.server.server_clock import ServerClock
from daide_server.server.session import Session, SessionServices
from daide_server.server.transport import SocketTransport
from daide_server.server.waiting import WaitingReporter
from daide_server.server.work_queue import Meter, WorkQueue
from daide_server.storage.saves import Save

from .game_keeper import GameKeeper
from .game_ports import GamePorts, PortOpener
from .journal_reader import JournalReader
from .making import SeatAssigner, setup
from .open_journal import OpenJournal
from .record_writer import RecordWriter, ServerRun
from .settings import TABLE, ServerSettings

DEFAULT_SAVES: Final = "saves"
"""The folder in which SIGUSR1 saves games if none is set."""

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


class Serving:
    """The parts of one server, from its first connection to its last record."""

    def __init__(
        self, plan: ServerPlan, nursery: trio.Nursery, connections: trio.Nursery
    ) -> None:
        """Build all parts; sessions run in *connections*, all else in *nursery*."""
        settings, variant, events = plan.settings, plan.variant, plan.events
        game_setup = setup(settings, variant)
        clock, run = ServerClock(), plan.run
        self._keeper: Final = _keeper(plan, clock)
        commit = release_at_once if self._keeper is None else self._keeper.commit
        outboxes = OutboxPool(Passes(commit), settings.passes.outboxes_bytes)
        queue = WorkQueue(settings.passes, Meter(outboxes))
        self._poller: Final = SocketPoller(outboxes.passes, queue, clock)
        total = places(settings.connections, max_open_files())
        services = evolve(
            game_services(game_setup, events, outboxes, self._poller),
            places=total,
            clock=clock,
            committer=None if self._keeper is None else self._keeper.committer,
        )
        self._port_lines: list[str] | None = []
        """Lines that wait until the server's own is written; `None` afterwards."""
        opener = PortOpener(settings.service.host, self._announce_port, events)
        powers = variant.map.powers
        ports = GamePorts(settings.service, powers, opener, self._accept_at)
        hooks = ServerHooks(
            SeatAssigner(settings, variant).draw,
            self._archive,
            ports.open,
            identify=run.identify,
            describe=JournalReader(settings, variant).describe,
        )
        save_plan = SavePlan(
            Path(settings.service.save or DEFAULT_SAVES),
            TABLE.saved(settings),
            prefix=run.name[-4:],
        )
        self.games: Final = GameHost(game_setup, hooks, services, nursery)
        self._plan: Final = plan
        self._services: Final = services
        self._connections: Final = connections
        self._sessions: Final = SessionServices(
            handler=Dispatcher(self.games, services, game_setup.guesses),
            poller=self._poller,
            queue=queue,
            outboxes=outboxes,
            events=events,
            limits=settings.session,
            fan_out=settings.fan_out,
            representation=services.vocabulary.representation,
        )
        self.records: Final = RecordWriter(
            Path(settings.service.records), variant, events
        )
        self._saving: Final = Saving(save_plan, events)
        keeper = PlaceKeeper(
            services.clients.everybody,
            evict_observers=settings.connections.evict_observers,
        )
        limiter = ConnectionLimiter(
            settings.connections,
            total,
            lambda: keeper.make_room(trio.current_time()),
        )
        self._admission: Final = AdmissionControl(limiter, Refusals(events))
        self._client_numbers = count(1)
        self._is_saved = True
        nursery.start_soon(self._poller.run)
        nursery.start_soon(WaitingReporter(self.games.open_games, events).run)
        nursery.start_soon(self._check_peers)
        if self._keeper is not None:
            nursery.start_soon(self._keeper.committer.run)

    async def accept(self) -> None:
        """Open the first games, and accept clients until cancelled."""
        plan = self._plan
        if self._keeper is not None:
            with self._services.passes:
                last = self._keeper.recover(self.games, plan.settings, plan.variant)
            self._client_numbers = count(last + 1)
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
        self.games.finish_if_over()
        await self._accept_at(plan.listening, COMMON_PORT)

    @property
    def can_keep_games(self) -> bool:
        """Return whether games that are not over can wait in the journal."""
        return self._keeper is not None and self._plan.settings.service.save is None

    async def dismiss(self) -> None:
        """End the games, or save them if that is asked for; send all clients off."""
        with self._services.passes:
            running, saves = self.games.running(), []
            if self._plan.settings.service.save is not None:
                saves = self._saving.capture(running)
            else:
                for runner in running:
                    runner.break_off()
            self._services.clients.dismiss()
        with trio.CancelScope(shield=True):
            self._is_saved = await self._saving.write(saves, self._services.vocabulary)

    async def keep(self) -> None:
        """Close all connections, and keep the games for the next server."""
        assert self._keeper is not None
        await self._keeper.keep()
        for runner in self.games.open_games():
            # Connections that end now are no leaves.
            runner.keep()
        self._connections.cancel_scope.cancel()

    async def finish(self) -> None:
        """Wait for the last records, and close the journal."""
        self.records.close()
        await self.games.settled()
        if self._keeper is not None:
            is_complete = self._is_saved and not self.records.unwritten
            await self._keeper.close(is_complete=is_complete)

    async def save(self) -> None:
        """Save the running games, which go on."""
        with self._services.passes:
            saves = self._saving.capture(self.games.running())
        await self._saving.write(saves, self._services.vocabulary)

    def _announce_port(self, line: str) -> None:
        """Announce the port of a game, after that of the server."""
        if self._port_lines is None:
            self._plan.announce(line)
        else:
            self._port_lines.append(line)

    async def _accept_at(self, listening: socket.socket, target: PortTarget) -> None:
        """Accept clients at one port until cancelled."""
        serve = partial(self._serve, target=target)
        listener = Listener(listening, self._admission, serve, self._plan.events)
        await listener.run(self._connections)

    async def _serve(
        self, connection: socket.socket, admission: Admission, target: PortTarget
    ) -> None:
        """Serve one client; *target* is what may be joined at its port."""
        client = ClientId(next(self._client_numbers))
        limits = self._plan.settings.connections
        transport = SocketTransport(connection, limits.keep_alive_seconds)
        session = Session(client, transport, self._sessions, target)
        if admission is Admission.RESERVED:
            session.reserve(limits.reserve_seconds)
        self._services.clients.add(session)
        await session.run()

    async def _check_peers(self) -> None:
        """Close the connections of peers that are gone without a word."""
        while True:
            await trio.sleep(CHECK_SECONDS)
            for session in self._services.clients.everybody():
                session.check_peer()

    async def _archive(self, runner: GameRunner) -> None:
        """Write the record of a finished game, which then need not be saved."""
        if not await self.records.write(runner):
            return
        if runner.name is not None:
            self._saving.forget(runner.name, self._plan.settings.service.load)
        if self._keeper is not None:
            with self._services.passes:
                self._keeper.forget(runner)


def _keeper(plan: ServerPlan, clock: ServerClock) -> GameKeeper | None:
    if plan.journal is None:
        return None
    return GameKeeper(plan.journal, plan.settings.journal, clock, plan.events)
