"""A server with its settings: opened, run, and stopped in good order."""

import socket
from pathlib import Path
from typing import Final

import trio

from daide_server.errors import ReportedError
from daide_server.game.stages import Stage
from daide_server.host_port import address_text
from daide_server.server.events import DrainBegun, Events, ServerStopped
from daide_server.server.listener import address_of, bind, why_not
from daide_server.server.open_files import max_open_files
from daide_server.storage.archive import ArchiveError, ready
from daide_server.storage.journal_file import JournalError
from daide_server.storage.journal_folder import JournalFolder
from daide_server.storage.variants import find_variant

from .record_writer import ServerRun
from .recovery import open_folder, read_saves
from .service_settings import ServiceSettings
from .serving import Announce, ServerPlan, Serving
from .settings import ServerSettings, too_few_files, too_few_seat_ports
from .starting import StartError, resolve_start, source_of

STARTING: Final = "the server is starting"
"""Why no players can be taken before `Server.run` has begun."""


class ServeError(ReportedError):
    """The server cannot start; the message says why."""


class Server:
    """A server that listens: runs once, and serves until it is stopped."""

    def __init__(self, plan: ServerPlan) -> None:
        self.events: Final = plan.events
        self.address: Final = address_of(plan.listening)
        """Where it listens, as HOST:PORT."""
        self._plan: Final = plan
        self._stopping: Final = trio.Event()
        self._keeps_games = False
        self.unwritten_records = 0
        """How many records could not be written, once `run` has ended."""
        self.serving: Serving | None = None
        """The parts of the server, once `run` has begun."""

    async def run(self) -> None:
        """Serve until it is stopped, or until the last game is over."""
        async with trio.open_nursery() as nursery:
            async with trio.open_nursery() as connections:
                serving = Serving(self._plan, nursery, connections)
                self.serving = serving
                await self._accept(serving)
                if self._keeps_games and serving.can_keep_games:
                    await serving.keep()
                else:
                    await serving.dismiss()
            await serving.finish()
            nursery.cancel_scope.cancel()
        self.events(ServerStopped())
        self.unwritten_records = serving.records.unwritten

    async def _accept(self, serving: Serving) -> None:
        """Accept clients until there is a reason to stop."""
        async with trio.open_nursery() as accepting:
            accepting.start_soon(serving.accept)
            accepting.start_soon(self._await_last_game, serving)
            await self._stopping.wait()
            accepting.cancel_scope.cancel()

    async def _await_last_game(self, serving: Serving) -> None:
        await serving.games.finished.wait()
        self.stop()

    async def save(self) -> None:
        """Save the running games, which go on."""
        if self.serving is not None:
            await self.serving.save()

    @property
    def settings(self) -> ServerSettings:
        """Return what the server was made with."""
        return self._plan.settings

    @property
    def folder(self) -> JournalFolder | None:
        """Return the folder of its journals, which is closed when `run` ends."""
        return self._plan.folder

    @property
    def running_games(self) -> int:
        """Return how many games are played."""
        return 0 if self.serving is None else len(self.serving.games.running())

    @property
    def unready(self) -> str | None:
        """Return why no players can be taken now."""
        serving = self.serving
        if serving is None:
            return STARTING
        if self.is_stopping or self.is_draining:
            return "the server takes no new games"
        failure = serving.services.journal.failure
        if failure is not None:
            return f"the journal cannot be written: {failure}"
        games = serving.games.open_games()
        if any(each.game.stage is Stage.RECOVERING for each in games):
            return "games wait for their clients to return"
        return None

    @property
    def is_draining(self) -> bool:
        """Return whether it takes no new games."""
        return self.serving is not None and self.serving.games.is_draining

    @property
    def is_stopping(self) -> bool:
        """Return whether it is about to stop."""
        return self._stopping.is_set()

    def drain(self) -> None:
        """Take no new games, and end when the running ones are over."""
        self.events(DrainBegun())
        if self.serving is None:
            self.stop(keep_games=True)
        else:
            self.serving.games.drain()

    def stop(self, *, keep_games: bool = False) -> None:
        """Stop accepting, send everybody off, and end when records are written.

        With *keep_games* connections are just closed, and the games stay in the
        journal, if there is one.
        """
        self._keeps_games = keep_games
        self._stopping.set()


def open_server(
    settings: ServerSettings, announce: Announce, events: Events | None = None
) -> Server:
    """Return a server that listens; clients wait until it runs.

    *announce* is called with its addresses, *events* with all that happens. Raises
    `ServeError` if the games to load cannot be read, files cannot be written where
    they should be, or the address cannot be had.
    """
    events = events or Events()
    variant = find_variant(settings.board.variant)
    try:
        settings = resolve_start(settings, variant)
    except StartError as error:
        raise ServeError(str(error)) from error
    service = settings.service
    run = ServerRun.now(settings.chance.seed, source_of(settings, variant))
    seats = len(variant.map.powers)
    problem = too_few_seat_ports(settings, seats) or too_few_files(
        settings, seats, max_open_files()
    )
    if problem is not None:
        raise ServeError(problem)
    try:
        _ready_folders(service)
        load = service.load
        saves = [] if load is None else read_saves(Path(load), events)
        # Before the port: of two servers, the second is refused with this reason.
        folder = open_folder(settings.journal, service, run.name)
    except (ArchiveError, JournalError) as error:
        raise ServeError(str(error)) from error
    try:
        listening = _listen(service.host, service.port)
    except ServeError:
        if folder is not None:
            folder.close()
        raise
    plan = ServerPlan(
        settings, variant, saves, listening, announce, events, run, folder
    )
    return Server(plan)


def _ready_folders(service: ServiceSettings) -> None:
    """Make the folders that are written to later; raises `ArchiveError`."""
    ready(Path(service.records))
    others = {"conversations": service.trace, "saved games": service.save}
    for what, folder in others.items():
        if folder is not None:
            ready(Path(folder), what)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises `ServeError` if it cannot be had."""
    try:
        return bind(host, port)
    except OSError as error:
        message = f"cannot listen on {address_text((host, port))}: {why_not(error)}"
        raise ServeError(message) from error
