"""The parts of a running server: its games, its sessions, its listening sockets."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio

from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.events import ClientId
from daide_server.lobby.directory import COMMON_PORT, PortTarget
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.event_sink import EventSink
from daide_server.server.game_host import GameHost, ServerHooks
from daide_server.server.game_runner import GameRunner
from daide_server.server.listener import address_of
from daide_server.server.saving import Saving
from daide_server.server.waiting import WaitingReporter
from daide_server.storage.saves import Save

from .game_ports import GamePorts, PortOpener
from .journal_reader import JournalReader
from .making import SeatAssigner
from .open_journal import OpenJournal
from .record_writer import RecordWriter, ServerRun
from .server_parts import save_plan, server_parts
from .sessions import Sessions
from .settings import ServerSettings

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
        settings, events = plan.settings, plan.events
        parts = server_parts(settings, plan.variant, events, plan.journal)
        self.keeper: Final = parts.keeper
        self.poller: Final = parts.poller
        self.services: Final = parts.services
        self.plan: Final = plan
        self._port_lines: list[str] | None = []
        """Lines that wait until the server's own is written; `None` afterwards."""
        opener = PortOpener(settings.service.host, self._announce_port, events)
        powers = plan.variant.map.powers
        self.ports: Final = GamePorts(settings.service, powers, opener, self._accept_at)
        self.assigner: Final = SeatAssigner(settings, plan.variant)
        self.games: Final = GameHost(parts.setup, self._hooks(), self.services, nursery)
        dispatcher = Dispatcher(self.games, self.services, parts.setup.guesses)
        self.sessions: Final = Sessions(parts, dispatcher, connections)
        folder = Path(settings.service.records)
        self.records: Final = RecordWriter(folder, plan.variant, events)
        self._saving: Final = Saving(save_plan(settings, plan.run), events)
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
        nursery.start_soon(self.sessions.check_peers)
        if self.keeper is not None:
            nursery.start_soon(self.keeper.committer.run)

    async def accept(self) -> None:
        """Open the first games, and accept clients until cancelled."""
        self._begin()
        self.games.finish_if_over()
        await self.sessions.accept_at(self.plan.listening, COMMON_PORT)

    def _begin(self) -> None:
        """Announce where the server listens, and open the first games."""
        plan = self.plan
        if self.keeper is not None:
            with self.services.passes:
                last = self.keeper.recover(self.games, plan.settings, plan.variant)
            self.sessions.next_client = ClientId(last + 1)
        address = address_of(plan.listening)
        plan.announce(f"listening on {address}")
        for line in self._port_lines or ():
            plan.announce(line)
        self._port_lines = None
        plan.events.server_listening(address)
        for save in plan.saves:
            self.games.load_game(save)
        if not self.games.open_games() or not plan.saves:
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
        self.sessions.close()

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

    async def _accept_at(self, listening: socket.socket, target: PortTarget) -> None:
        """Accept clients at one port until cancelled."""
        await self.sessions.accept_at(listening, target)

    def _announce_port(self, line: str) -> None:
        """Announce the port of a game, after that of the server."""
        if self._port_lines is None:
            self.plan.announce(line)
        else:
            self._port_lines.append(line)

    async def _archive(self, runner: GameRunner) -> None:
        """Write the record of a finished game, which then need not be saved."""
        if not await self.records.write(runner):
            return
        if runner.name is not None:
            self._saving.forget(runner.name, self.plan.settings.service.load)
        if self.keeper is not None:
            with self.services.passes:
                self.keeper.forget(runner)
