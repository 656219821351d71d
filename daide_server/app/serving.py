"""The parts of a running server: its games, its sessions, its listening sockets."""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.game.events import ClientId
from daide_server.host_port import address_text, is_exposed
from daide_server.lobby.directory import COMMON_PORT, PortTarget
from daide_server.server.dispatcher import Dispatcher
from daide_server.server.events import Events, ServerExposed, ServerListening
from daide_server.server.game_host import GameHost, ServerHooks
from daide_server.server.game_runner import GameRunner
from daide_server.server.listener import address_of
from daide_server.server.saving import Save, Saving
from daide_server.server.waiting import WaitingReporter
from daide_server.storage.journal_file import GameContent
from daide_server.storage.journal_folder import JournalFolder

from .game_ports import GamePorts, PortOpener
from .game_replay import GameReplayer
from .making import SeatAssigner
from .record_writer import RecordWriter, ServerRun
from .recovery import Recovery
from .server_parts import server_parts
from .sessions import Sessions
from .settings import ServerSettings

DEFAULT_SAVES: Final = "saves"
"""The folder in which SIGUSR1 saves games if none is set."""

Announce = Callable[[str], None]
"""Called with each address, as a line of text for people and programs."""


@frozen
class ServerPlan:
    """All that a server is made of."""

    settings: ServerSettings
    variant: Variant
    saves: list[GameContent]
    """Saved games to continue with."""
    listening: socket.socket
    announce: Announce
    events: Events
    run: ServerRun
    folder: JournalFolder | None
    """Of the games that are not over; `None`: they are not kept."""


class Serving:
    """The parts of one server, from its first connection to its last record."""

    def __init__(
        self, plan: ServerPlan, nursery: trio.Nursery, connections: trio.Nursery
    ) -> None:
        """Build all parts; sessions run in *connections*, all else in *nursery*."""
        settings, events = plan.settings, plan.events
        parts = server_parts(settings, plan.variant, events, plan.folder)
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
        dispatcher = Dispatcher(self.games, self.services)
        self.sessions: Final = Sessions(parts, dispatcher, connections)
        folder = Path(settings.service.records)
        self.records: Final = RecordWriter(folder, plan.variant, events)
        self._saving: Final = self._saving_of(plan)
        self._is_saved = True
        self._is_kept = False
        self._left_alone = 0
        self._start(nursery)

    def _saving_of(self, plan: ServerPlan) -> Saving:
        service = plan.settings.service
        folder = Path(service.save or DEFAULT_SAVES)
        loaded_from = None if service.load is None else Path(service.load)
        return Saving(folder, plan.run.name[-4:], plan.events, loaded_from)

    def _hooks(self) -> ServerHooks:
        plan = self.plan
        return ServerHooks(
            self.assigner.draw,
            self._archive,
            self.ports.open,
            identify=plan.run.identify,
            describe=GameReplayer(plan.settings, plan.variant).header,
        )

    def _start(self, nursery: trio.Nursery) -> None:
        """Start the tasks that run as long as the server."""
        nursery.start_soon(self.poller.run)
        nursery.start_soon(WaitingReporter(self.games.open_games, self.plan.events).run)
        nursery.start_soon(self.sessions.check_peers)
        nursery.start_soon(self.services.journal.run)

    async def accept(self) -> None:
        """Open the first games, and accept clients until cancelled."""
        self._begin()
        self.games.finish_if_over()
        await self.sessions.accept_at(self.plan.listening, COMMON_PORT)

    def _begin(self) -> None:
        """Announce where the server listens, and open the first games."""
        plan = self.plan
        recovery = self._recovery()
        if plan.folder is not None:
            with self.services.passes:
                recovery.recover(plan.folder)
        address = address_of(plan.listening)
        plan.announce(f"listening on {address}")
        for line in self._port_lines or ():
            plan.announce(line)
        self._port_lines = None
        plan.events(ServerListening(address))
        self._warn_of_exposure()
        recovery.load(plan.saves)
        self._left_alone = recovery.left_alone
        self.sessions.next_client = ClientId(recovery.last_client + 1)
        self.games.open_if_full()

    def _warn_of_exposure(self) -> None:
        """Report the addresses that others than this machine can reach."""
        plan = self.plan
        web = plan.settings.web
        places = (plan.listening.getsockname()[:2], web.address, web.metrics)
        exposed = [
            address_text(each) for each in places if each and is_exposed(each[0])
        ]
        if exposed:
            plan.events(ServerExposed(" ".join(exposed)))

    def _recovery(self) -> Recovery:
        plan, journal = self.plan, self.services.journal
        return Recovery(plan.settings, plan.variant, self.games, journal, plan.events)

    @property
    def can_keep_games(self) -> bool:
        """Return whether games that are not over can wait in the journal."""
        return self.plan.folder is not None and self.plan.settings.service.save is None

    async def dismiss(self) -> None:
        """End the games, or save them if that is asked for; send all clients off."""
        with self.services.passes:
            running, saves = self.games.running(), list[Save]()
            if self.plan.settings.service.save is not None:
                saves = self._saving.capture(running)
            else:
                for runner in running:
                    runner.break_off()
            self.services.clients.dismiss()
        with trio.CancelScope(shield=True):
            self._is_saved = await self._saving.write(saves)

    async def keep(self) -> None:
        """Close all connections, and keep the games for the next server."""
        self._is_kept = True
        await self.services.journal.settle()
        self.services.journal.close()
        for runner in self.games.open_games():
            # Connections that end now are no leaves.
            runner.keep()
        self.sessions.close()

    async def finish(self) -> None:
        """Wait for the last records, and close the journals."""
        self.records.close()
        await self.services.journal.settle()
        await self.games.settled()
        self.services.journal.close()
        folder = self.plan.folder
        if folder is not None:
            is_complete = self._is_saved and not self.records.unwritten
            if is_complete and not (self._is_kept or self._left_alone):
                with suppress(OSError):
                    folder.clear()
            folder.close()

    async def save(self) -> None:
        """Save the running games, which go on."""
        with self.services.passes:
            saves = self._saving.capture(self.games.running())
        await self._saving.write(saves)

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
            self._saving.forget(runner.name)
        await self.games.forget(runner)
