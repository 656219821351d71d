"""A server with its settings: opened, run, and stopped in good order."""

import socket
from pathlib import Path
from typing import Final

import trio

from daide_server.board.variant import Variant
from daide_server.errors import ReportedError
from daide_server.host_port import address_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.server.event_sink import EventSink
from daide_server.server.listener import address_of, bind, why_not
from daide_server.server.open_files import max_open_files
from daide_server.settings.table import SettingsError
from daide_server.storage.archive import ArchiveError, ready
from daide_server.storage.journal_disk import JournalError
from daide_server.storage.saves import Save, SaveError, read_saves
from daide_server.storage.variants import find_variant

from .open_journal import open_journal
from .record_writer import ServerRun
from .saved_settings import saved_layer
from .service_settings import ServiceSettings
from .serving import Announce, ServerPlan, Serving
from .settings import TABLE, ServerSettings, too_few_files, too_few_seat_ports
from .starting import StartError, resolve_start, source_of


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
        self.events.server_stopped()
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
    def is_draining(self) -> bool:
        """Return whether it takes no new games."""
        return self.serving is not None and self.serving.games.is_draining

    @property
    def is_stopping(self) -> bool:
        """Return whether it is about to stop."""
        return self._stopping.is_set()

    def drain(self) -> None:
        """Take no new games, and end when the running ones are over."""
        self.events.draining()
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
    settings: ServerSettings, announce: Announce, events: EventSink | None = None
) -> Server:
    """Return a server that listens; clients wait until it runs.

    *announce* is called with its addresses, *events* with all that happens. Raises
    `ServeError` if the games to load cannot be read, files cannot be written where
    they should be, or the address cannot be had.
    """
    events = events or EventSink()
    settings = _as_saved(settings)
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
        saves = _read_saves(service.load, variant, events)
        # Before the port: of two servers, the second is refused with this reason.
        journal = open_journal(settings.journal, service, run.name, settings.rewriting)
    except (ArchiveError, SaveError, JournalError) as error:
        raise ServeError(str(error)) from error
    try:
        listening = _listen(service.host, service.port)
    except ServeError:
        if journal is not None:
            journal.close(is_over=not service.port)
        raise
    plan = ServerPlan(
        settings, variant, saves, listening, announce, events, run, journal
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


def _as_saved(settings: ServerSettings) -> ServerSettings:
    """Return *settings* with those on top that the games to load were saved with.

    Raises `ServeError` if they cannot be read.
    """
    try:
        return TABLE.compose(saved_layer(settings), base=settings)
    except SettingsError as error:
        raise ServeError(str(error)) from error


def _read_saves(folder: str | None, variant: Variant, events: EventSink) -> list[Save]:
    """Return the saved games, and report each one that cannot be read."""
    if folder is None:
        return []

    def refused(error: SaveError) -> None:
        events.loading_failed(str(error))

    saves = read_saves(Path(folder), Vocabulary.of(variant.map), refused=refused)
    if not saves:
        message = f"{folder}: found no saved game to load"
        raise SaveError(message)
    return saves
