"""The server with its settings: everything is built here, once, and run.

The wall clock enters here and nowhere below: times are stamped on records as they
are written.
"""

import secrets
import socket
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

import structlog
import trio

from daide_server import __version__
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.language.vocabulary import Vocabulary
from daide_server.lobby.directory import GameId
from daide_server.records.entries import RecordEntry
from daide_server.records.folding import fold
from daide_server.server.dispatcher import Dispatcher, ServerHooks
from daide_server.server.game_runner import GameRunner
from daide_server.server.listener import (
    ConnectionLimiter,
    Listener,
    address_of,
    bind,
)
from daide_server.server.saving import Saving
from daide_server.server.session import Session
from daide_server.server.transport import SocketTransport
from daide_server.settings.table import SettingsError
from daide_server.storage.archive import ArchiveError, ready, write_record
from daide_server.storage.saves import Save, SaveError, read_saves
from daide_server.storage.variants import find_variant
from daide_server.wire.connection import Connection

from .making import SeatAssigner, setup
from .saved_settings import saved_layer
from .settings import TABLE, ServerSettings

DEFAULT_SAVES: Final = "saves"
"""The folder in which SIGUSR1 saves games if none is set."""

Announce = Callable[[str], None]
Publish = Callable[[GameRunner, RecordEntry], None]
Stored = Callable[[Path], None]


class ServeError(Exception):
    """The server cannot start; the message says why."""


class Server:
    """A server with its settings: listens, seats, plays, writes records."""

    def __init__(
        self,
        settings: ServerSettings,
        announce: Announce,
        publish: Publish = lambda _table, _entry: None,
        stored: Stored = lambda _path: None,
    ) -> None:
        """Make a server; raises `ServeError` if the games to load cannot be read.

        It announces its addresses, publishes every entry of its games, and tells
        where it stored each record.
        """
        self._settings = settings = _as_saved(settings)
        self._announce = announce
        self._publish = publish
        self._stored = stored
        self._log = structlog.get_logger()
        self._variant = find_variant(settings.board.variant)
        self._assigner = SeatAssigner(settings, self._variant)
        self._records = Path(settings.service.records)
        # Two servers may begin in the same second and write to the same folder.
        when = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        self._begun = f"{when}-{secrets.token_hex(2)}"
        self._saving = Saving(
            Path(settings.service.save or DEFAULT_SAVES),
            TABLE.saved(settings),
            prefix=self._begun[-4:],
        )
        self._clients = count(1)
        self._ports = list(settings.service.game_ports)
        self._stopping = trio.Event()
        self._is_serving = False
        self._limiter = ConnectionLimiter(settings.connections)

    def open(self) -> str:
        """Listen, and return the address; clients wait until `run` accepts them.

        Raises `ServeError` if the address cannot be had, or records cannot be
        written where they should be.
        """
        service = self._settings.service
        try:
            ready(self._records)
            self._saves = _read_saves(service.load, self._variant)
            self._listening = bind(service.host, service.port)
        except (ArchiveError, SaveError) as error:
            raise ServeError(str(error)) from error
        except OSError as error:
            address = f"{service.host}:{service.port}"
            message = f"cannot listen on {address}: {error.strerror or error}"
            raise ServeError(message) from error
        return address_of(self._listening)

    async def run(self) -> None:
        """Serve until told to stop, or until the last game is over."""
        async with trio.open_nursery() as nursery:
            host = ServerHooks(
                self._assigner.draw, self._store, self._publish, self._listen_for
            )
            self._dispatcher = Dispatcher(
                setup(self._settings, self._variant), host, nursery
            )
            self._is_serving = True
            async with trio.open_nursery() as self._sessions:
                listener = Listener(self._listening, self._limiter, self._attend)
                address = address_of(self._listening)
                self._announce(f"listening on {address}")
                self._log.info("server.listening", address=address)
                await self._serve(listener)
            await self._dispatcher.settled()
            nursery.cancel_scope.cancel()
        self._log.info("server.stopped")

    async def save(self) -> None:
        """Save the running games, which go on."""
        if self._is_serving:
            saves = self._saving.snapshots(self._dispatcher)
            await self._saving.write(saves, self._dispatcher.vocabulary)

    def stop(self) -> None:
        """Stop accepting, send everybody off, and end when records are written."""
        self._stopping.set()

    async def _serve(self, listener: Listener) -> None:
        """Accept until there is a reason to stop; then dismiss all clients."""
        async with trio.open_nursery() as accepting:
            accepting.start_soon(listener.run, self._sessions)
            for save in self._saves:
                self._dispatcher.load_table(save)
            if self._settings.service.load and not self._saves:
                self._log.warning("load.empty", folder=self._settings.service.load)
            if not self._saves:
                self._dispatcher.open_table()
            accepting.start_soon(self._await_last_game)
            await self._stopping.wait()
            accepting.cancel_scope.cancel()
        # Nothing may be accepted between what is saved and OFF.
        keeps = self._settings.service.save is not None
        saves = self._saving.snapshots(self._dispatcher) if keeps else []
        self._dispatcher.dismiss()
        with trio.CancelScope(shield=True):
            await self._saving.write(saves, self._dispatcher.vocabulary)

    async def _await_last_game(self) -> None:
        await self._dispatcher.finished.wait()
        self.stop()

    async def _listen_for(self, table: GameRunner) -> None:
        """Give a table a port of its own, if there is one, as long as it is open."""
        if not self._ports:
            return
        port = self._ports.pop(0)
        try:
            listening = bind(self._settings.service.host, port)
        except OSError as error:
            self._log.warning("listen.failed", port=port, reason=error.strerror)
            return
        listener = Listener(
            listening,
            self._limiter,
            lambda connection: self._attend(connection, table.number),
        )
        address = address_of(listening)
        self._announce(f"listening on {address} game {table.number}")
        try:
            await listener.run(self._sessions)
        finally:
            self._ports.append(port)

    async def _attend(
        self, connection: socket.socket, only: GameId | None = None
    ) -> None:
        """Serve one connection; *only* is the game that its port belongs to."""
        limits = self._settings.session
        session = Session(
            client=ClientId(next(self._clients)),
            line=SocketTransport(connection),
            connection=Connection(
                self._dispatcher.vocabulary.representation, limits.max_message_bytes
            ),
            limits=limits,
            only=only,
        )
        await self._dispatcher.serve(session)

    async def _store(self, table: GameRunner) -> None:
        """Write the record of a finished game, in a thread."""
        entries = tuple(table.entries)
        name = f"{self._begun}-{table.number:04}"
        ended = time.time()
        started = ended - entries[-1].seconds
        seed = self._settings.chance.seed

        def write() -> Path:
            record = fold(
                entries,
                self._variant,
                game=name,
                started=started,
                metadata={
                    "server": f"daide-server {__version__}",
                    "seed": "random" if seed is None else str(seed),
                },
            )
            return write_record(record, self._records)

        try:
            path = await trio.to_thread.run_sync(write)
        except ArchiveError as error:
            table.log.error("record.failed", reason=str(error))
        except Exception:
            # Our own fault, whatever it is: it must cost this record only.
            table.log.exception("record.failed")
        else:
            table.log.info("record.written", path=str(path))
            self._stored(path)
            if table.name is not None:
                self._saving.forget(table.name, self._settings.service.load)


def _as_saved(settings: ServerSettings) -> ServerSettings:
    """Return *settings* with those on top that the games to load were saved with."""
    try:
        return TABLE.compose(saved_layer(settings), base=settings)
    except SettingsError as error:
        raise ServeError(str(error)) from error


def _read_saves(folder: str | None, variant: Variant) -> list[Save]:
    """Return the saved games, and log each one that cannot be read."""
    if folder is None:
        return []
    log = structlog.get_logger()

    def refused(error: SaveError) -> None:
        log.error("load.failed", reason=str(error))

    return read_saves(Path(folder), Vocabulary.of(variant.map), refused=refused)
