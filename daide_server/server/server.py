"""The server: opens its files and ports, runs, and stops in order."""

import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from daide_server.board.map import Variant
from daide_server.errors import ReportedError
from daide_server.game.directory import COMMON_PORT, PortTarget
from daide_server.game.events import GameBrokenOff, Stage
from daide_server.host_port import address_text, is_exposed
from daide_server.library.archive import ready
from daide_server.library.journal_file import GameContent
from daide_server.library.journal_folder import JournalFolder
from daide_server.library.variants import find_variant

from . import listener
from .events import Events, Noted, Warned
from .game_host import BackgroundTask, WaitingReporter
from .game_ports import GamePorts
from .game_runner import GameRunner
from .game_server import GameServer
from .making import GameMaker, resolve_start, run_name
from .recovery import Recovery, open_folder, read_saves
from .settings import ServerSettings, too_few_files, too_few_seat_ports
from .transport import Transport, trace_file
from .written_games import RecordWriter, Saves, Saving

CHECK_SECONDS = 10.0
"""Seconds between two searches for unreachable peers."""

Announce = Callable[[str], None]
"""Called with each address, as a line of text for people and programs."""


class ServeError(ReportedError):
    """The server cannot start; the message says why."""


class Server(GameServer):
    """A server that listens; runs once, until it is stopped."""

    def __init__(
        self, settings: ServerSettings, announce: Announce, events: Events | None = None
    ) -> None:
        """Listen; clients wait until `run`.

        *announce* is called with the addresses, *events* with all that happens. Raises
        a `ReportedError` if games to load cannot be read, files cannot be written, or
        the address is not available.
        """
        events, run = events or Events(), run_name()
        settings, variant = _with_start(settings)
        # Before the port, so that a second server is refused because of the folder.
        self._saves, folder = _open_files(settings, run, events)
        service = settings.service
        try:
            self._listening: Final = listen(service.host, service.port)
        except ServeError:
            if folder is not None:
                folder.close()
            raise
        self.address: Final = listener.address_of(self._listening)
        """The address on which it listens, as HOST:PORT."""
        self._announce: Final = announce
        self._unsaid: list[str] | None = [f"listening on {self.address}"]
        """Lines to announce once clients are served; `None` afterwards."""
        maker = GameMaker(settings, variant, f"{run}-{{:04}}".format)
        super().__init__(maker, events, folder)
        self.records: Final = RecordWriter(Path(service.records), variant, events)
        self.saving: Final = Saving(
            Path(service.save or "saves"), run[-4:], events, service.load
        )
        self.ports: Final = GamePorts(
            service, variant.map.powers, self._accept_at, self.announce, events
        )
        limiter = listener.ConnectionLimiter(
            settings.connections, self.games.places, self.clients.everybody
        )
        self.listener: Final = listener.Listener(limiter, self._serve, events)
        self._connections: trio.Nursery | None = None
        """The nursery of sessions; `None` until `run` has begun."""
        self._stopping: Final = trio.Event()
        self._keeps_games = False
        """Whether running games stay in their journals when the server stops."""
        self._is_saved = True
        self._recovery: Final = Recovery(self)

    def announce(self, line: str) -> None:
        """Print *line*, but not before clients are served."""
        say = self._announce if self._unsaid is None else self._unsaid.append
        say(line)

    # State for operators

    @property
    def unready(self) -> str | None:
        """Return why no players are accepted now; `None` if they are."""
        if self._connections is None:
            return "the server is starting"
        if self.is_stopping or self.is_draining:
            return "the server takes no new games"
        if self.journal.failure is not None:
            return f"the journal cannot be written: {self.journal.failure}"
        games = self.games.open_games()
        if any(each.game.state.stage is Stage.RECOVERING for each in games):
            return "games wait for their clients to return"
        return None

    @property
    def is_draining(self) -> bool:
        """Return whether it opens no new games."""
        return self.games.is_draining

    @property
    def is_stopping(self) -> bool:
        """Return whether it is stopping."""
        return self._stopping.is_set()

    # Requests of operators

    async def save(self) -> None:
        """Save the running games, which continue."""
        with self.passes:
            saves = self.saving.capture(self.games.running())
        await self.saving.write(saves)

    def drain(self) -> None:
        """Open no new games, and stop when the running ones are over."""
        self.events(Noted("server.draining"))
        if self._connections is None:
            self.stop(keep_games=True)
        else:
            self.games.drain()

    def stop(self, *, keep_games: bool = False) -> None:
        """Stop accepting, disconnect everybody, and stop when the records are written.

        With *keep_games* no OFF is sent, and the games stay in the journal, if any.
        """
        can_keep = self.folder is not None and self.settings.service.save is None
        # A second stop does not discard games that are kept.
        self._keeps_games |= keep_games and can_keep
        self._stopping.set()

    # The run

    async def run(self) -> None:
        """Serve until it is stopped, or until the last game is over."""
        async with trio.open_nursery() as nursery:
            self.start(nursery)
            nursery.start_soon(self._check_peers)
            nursery.start_soon(WaitingReporter(self.games.open_games, self.events).run)
            async with trio.open_nursery() as connections:
                self._connections = connections
                await self._accept()
                if self._keeps_games:
                    await self._keep(connections)
                else:
                    await self._dismiss()
            await self._finish()
            nursery.cancel_scope.cancel()
        self.events(Noted("server.stopped"))

    async def _accept(self) -> None:
        """Open the first games; accept clients until the server must stop."""
        self._begin()
        async with trio.open_nursery() as accepting:
            accepting.start_soon(self._accept_at, self._listening, COMMON_PORT)
            accepting.start_soon(self._await_last_game)
            await self._stopping.wait()
            accepting.cancel_scope.cancel()

    def _begin(self) -> None:
        """Announce the address, and open the first games."""
        if self.folder is not None:
            with self.passes:
                self._recovery.recover(self.folder)
        lines, self._unsaid = self._unsaid or [], None
        for line in lines:
            self._announce(line)
        self.events(Noted("server.listening", {"address": self.address}))
        self._warn_of_exposure()
        self._recovery.load(self._saves)
        self.games.open_if_full()

    def _warn_of_exposure(self) -> None:
        """Report addresses that other machines can reach."""
        web = self.settings.web
        places = (self._listening.getsockname()[:2], web.address, web.metrics)
        exposed = [
            address_text(each) for each in places if each and is_exposed(each[0])
        ]
        if exposed:
            self.events(Warned("server.exposed", {"addresses": " ".join(exposed)}))

    async def _await_last_game(self) -> None:
        await self.games.until_over()
        self.stop()

    async def _check_peers(self) -> None:
        """Close the connections of unreachable peers."""
        while True:
            await trio.sleep(CHECK_SECONDS)
            for session in self.clients.everybody():
                session.check_peer()

    async def _dismiss(self) -> None:
        """End the games, or save them if requested; disconnect all clients."""
        with self.passes:
            saves: Saves = []
            running = self.games.running()
            if self.settings.service.save is not None:
                saves = self.saving.capture(running)
            else:
                for runner in running:
                    runner.post(GameBrokenOff())
            self.clients.dismiss()
        with trio.CancelScope(shield=True):
            self._is_saved = await self.saving.write(saves)

    async def _keep(self, connections: trio.Nursery) -> None:
        """Close all connections, and keep the games for the next server."""
        await self.journal.settle()
        self.journal.close()
        for runner in self.games.open_games():
            # Connections that end now do not count as leaving.
            runner.keep()
        connections.cancel_scope.cancel()

    async def _finish(self) -> None:
        """Wait for the last records, and close the journals."""
        self.records.close()
        await self.journal.settle()
        await self.games.settled()
        self.journal.close()
        if self.folder is not None:
            is_complete = self._is_saved and not self.records.unwritten
            if is_complete and not (self._keeps_games or self._recovery.left_alone):
                with suppress(OSError):
                    self.folder.clear()
            self.folder.close()

    # Clients and games

    async def _accept_at(self, listening: socket.socket, target: PortTarget) -> None:
        """Accept clients at one port until cancelled."""
        assert self._connections is not None, "ports are opened by a server that runs"
        await self.listener.accept_at(listening, target, self._connections)

    async def _serve(
        self,
        connection: socket.socket,
        target: PortTarget,
        admission: listener.Admission,
    ) -> None:
        """Serve one client; *target* is what can be joined at its port."""
        session = self.connect(self._transport(connection), target)
        if admission is listener.Admission.RESERVED:
            session.reserve(listener.RESERVE_SECONDS)
        await session.run()

    def _transport(self, connection: socket.socket) -> Transport:
        """Return the transport of the next client; raises `OSError` if it has gone."""
        silence = self.settings.connections.keep_alive_seconds
        service, trace = self.settings.service, None
        if service.trace is not None:
            folder = Path(service.trace)
            trace = trace_file(folder, self.next_client, service.trace_bytes)
        return Transport(connection, silence, trace)

    def while_open(self, runner: GameRunner) -> BackgroundTask:
        """Return a task that serves the ports of a game."""
        return self.ports.open(runner)

    async def archive(self, runner: GameRunner) -> None:
        """Write the record of a finished game, and remove its save."""
        if not await self.records.write(runner):
            return
        if runner.name is not None:
            self.saving.forget(runner.name)
        await self.games.forget(runner)


def _with_start(settings: ServerSettings) -> tuple[ServerSettings, Variant]:
    """Return *settings* with the start position, and the board.

    Raises `StartError`, and `ServeError` for settings that cannot fill a game.
    """
    variant = find_variant(settings.board.variant)
    settings = resolve_start(settings, variant)
    seats = len(variant.map.powers)
    problem = too_few_seat_ports(settings, seats) or too_few_files(
        settings, seats, listener.max_open_files()
    )
    if problem is not None:
        raise ServeError(problem)
    return settings, variant


def _open_files(
    settings: ServerSettings, run: str, events: Events
) -> tuple[list[GameContent], JournalFolder | None]:
    """Return the games to load, and the journal folder, if there is one.

    Creates the folders that are written later. Raises `ArchiveError` and
    `JournalError`.
    """
    service = settings.service
    others = {"conversations": service.trace, "saved games": service.save}
    ready(Path(service.records))
    for what, folder in others.items():
        if folder is not None:
            ready(Path(folder), what)
    saves = [] if service.load is None else read_saves(Path(service.load), events)
    return saves, open_folder(settings.journal, service, run)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises `ServeError` if the address is unavailable."""
    try:
        return listener.bind(host, port)
    except OSError as error:
        # Python repeats the address behind the words.
        words, _, _ = (error.strerror or str(error)).partition(" (while attempting")
        hint = "; port 0 takes a free one" if error.errno == errno.EADDRINUSE else ""
        message = f"cannot listen on {address_text((host, port))}: {words}{hint}"
        raise ServeError(message) from error
