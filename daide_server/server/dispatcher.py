"""The hall: all tables of a server, and the clients at them.

A new table is opened when all seats of the others are taken; a client's messages
go to the table that the directory names. What the server does for every
game is here, what it does for one is in `table.py`, for one client in `session.py`.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
import trio
from attrs import frozen
from structlog.typing import FilteringBoundLogger

from daide_server.board.variant import Variant
from daide_server.game.effects import Admit
from daide_server.game.events import ClientId, ClientLeft, MessageReceived
from daide_server.game.game import Game
from daide_server.game.options import GameOptions, SeatAssignment, ServerPolicy
from daide_server.language.client_reader import ClientReader
from daide_server.language.errors import LanguageError
from daide_server.language.messages import (
    ClientMessage,
    Complaint,
    Name,
    Observe,
    Rejected,
    Rejoin,
    ServerMessage,
    SwitchOff,
)
from daide_server.language.tokens import Tokens
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writer import Writer
from daide_server.lobby.directory import Directory, GameId
from daide_server.lobby.rejoin_throttle import RejoinLimits
from daide_server.records.entries import Ended, RecordEntry
from daide_server.storage.saves import Save

from .encoding import Encoder
from .game_runner import GameRunner
from .observing import observe_joining, observe_sent
from .poller import SocketPoller
from .rejoin_router import RejoinRouter
from .session import Session


@frozen
class GameSetup:
    """What is played: on which map, how, and how often (`None`: for ever)."""

    variant: Variant
    options: GameOptions
    policy: ServerPolicy
    games: int | None
    guesses: RejoinLimits
    dialect: str
    """What texts in the log call the words that programs disagree on."""


@frozen
class ServerHooks:
    """What the hall leaves to the application."""

    draw_seats: Callable[[GameId, Directory], SeatAssignment]
    """Draws the lot of a new game from what is free in the directory."""
    archive: Callable[[GameRunner], Awaitable[None]]
    """Writes the record of a finished game."""
    publish: Callable[[GameRunner, RecordEntry], None]
    """Is shown every entry, as it is made."""
    opened: Callable[[GameRunner], Awaitable[None]]
    """Is told of each new table; what it does ends when the table is closed."""


class Dispatcher:
    """All tables and sessions of one server; a `Receiver` for its sessions."""

    def __init__(
        self, setup: GameSetup, host: ServerHooks, nursery: trio.Nursery
    ) -> None:
        self.log: Final = structlog.get_logger()
        self.vocabulary: Final = Vocabulary.of(setup.variant.map)
        self.sessions: Final[dict[ClientId, Session]] = {}
        self.finished: Final = trio.Event()
        self._setup = setup
        self._host = host
        self._nursery = nursery
        self._poller = SocketPoller()
        nursery.start_soon(self._poller.run)
        self._directory = Directory()
        self._returning = RejoinRouter(setup.guesses, self._directory)
        self._tables: dict[GameId, GameRunner] = {}
        self._opened = 0
        self._unwritten: dict[GameId, trio.Event] = {}
        board, options = setup.variant.map, setup.options
        self._reader = ClientReader(
            self.vocabulary,
            board,
            options.level,
            partial_draws=options.partial_draws,
            strict=setup.policy.strict,
        )
        texts = self.vocabulary.in_dialect(setup.dialect)
        self._encoder = Encoder(Writer(self.vocabulary), texts)
        self._verbose = self.log.is_enabled_for(logging.DEBUG)

    # Tables

    def open_table(self) -> None:
        """Open the next table, unless that of the last game is open already."""
        setup = self._setup
        if self._opened == setup.games:
            return
        self._opened += 1
        number = GameId(self._opened)
        table = self._table(number, self._host.draw_seats(number, self._directory))
        self._set_up(table)

    def load_table(self, save: Save) -> None:
        """Open a table for a game that was saved."""
        number = GameId(save.number)
        self._opened = max(self._opened, number)
        table = self._table(number, save.assignment)
        table.load(save.name, save.lines, self._reader, save.seconds)
        self._set_up(table)
        table.log.info("game.loaded", name=save.name, version=save.version)

    def running(self) -> list[GameRunner]:
        """Return the tables at which a game is on."""
        tables = self._tables.values()
        return [table for table in tables if table.game.state.is_running]

    def _table(self, number: GameId, assignment: SeatAssignment) -> GameRunner:
        setup = self._setup
        game = Game(setup.variant, setup.options, setup.policy, assignment)
        return GameRunner(number, game, self._encoder, self.sessions, self._on_entry)

    def _set_up(self, table: GameRunner) -> None:
        self._tables[table.number] = table
        self._directory.add(table.number, table.game)
        self._nursery.start_soon(self._keep, table)

    async def _keep(self, table: GameRunner) -> None:
        """Keep the time of a table until it is closed, then clear it away."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._host.opened, table)
            await table.keep_time()
            nursery.cancel_scope.cancel()
        self._directory.remove(table.number)
        del self._tables[table.number]
        await self.settled()
        if not self._tables:
            self.finished.set()

    def _on_entry(self, table: GameRunner, entry: RecordEntry) -> None:
        self._host.publish(table, entry)
        if isinstance(entry, Ended):
            self._unwritten[table.number] = trio.Event()
            self._nursery.start_soon(self._archive, table)

    async def _archive(self, table: GameRunner) -> None:
        try:
            await self._host.archive(table)
        finally:
            self._unwritten.pop(table.number).set()

    async def settled(self) -> None:
        """Wait until the records of all finished games are written."""
        while self._unwritten:
            await next(iter(self._unwritten.values())).wait()

    # Clients

    def receive(self, session: Session, tokens: Tokens) -> None:
        """Answer a message, or hand it to the game that it is for."""
        if self._verbose:
            text = self._encoder.text(tokens)
            self.log.debug("message.received", client=session.client, text=text)
        try:
            message = self._reader.read(tokens)
        except LanguageError as error:
            self._tell(session, error.reply)
            return
        if isinstance(message, Complaint) and session.may_remark():
            text = self._encoder.text(tokens)
            self.log.info("client.complained", client=session.client, text=text)
        number = self._route(session, message)
        if number is None:
            self._refuse(session, tokens)
            return
        table = self._tables[number]
        event = MessageReceived(session.client, message, tokens)
        if isinstance(message, Name | Observe | Rejoin):
            self._admit(session, table, event)
        else:
            table.post(event)

    def _route(self, session: Session, message: ClientMessage) -> GameId | None:
        """Return the game that is to answer, and let go of the one it was in before."""
        if not isinstance(message, Rejoin):
            return self._directory.route(session.client, message, session.only)
        before = self._directory.at(session.client)
        number = self._returning.route(session, message)
        if number not in {None, before} and before in self._tables:
            # It was offered another loaded game than the one it was in.
            self._tables[before].post(ClientLeft(session.client))
        return number

    def _admit(
        self, session: Session, table: GameRunner, event: MessageReceived
    ) -> None:
        """Let a client join, if the game takes it, and wait for it from then on."""
        effects = table.post(event)
        accepted = any(isinstance(effect, Admit) for effect in effects)
        observe_joining(self._log_of(session, table), event, accepted=accepted)
        if not self._directory.has_open_seat():
            # Whoever comes next must not have to wait for these to accept the map.
            self.open_table()

    def leave(self, session: Session) -> None:
        """Let go of a client, once."""
        if self.sessions.pop(session.client, None) is None:
            return
        self._returning.forget(session.client)
        number = self._directory.forget(session.client)
        table = None if number is None else self._tables.get(number)
        self._log_of(session, table).info("client.left")
        if table is not None:
            table.post(ClientLeft(session.client))

    def _log_of(
        self, session: Session, table: GameRunner | None
    ) -> FilteringBoundLogger:
        """Return the log, bound to the client, its game and its power."""
        if table is None:
            return session.log
        seat = table.game.state.seating.of(session.client)
        power = {} if seat is None else {"power": seat.power}
        return table.log.bind(client=session.client, **power)

    async def serve(self, session: Session) -> None:
        """Serve a new client until it is gone."""
        self.sessions[session.client] = session
        await session.run(self, self._poller)

    def _refuse(self, session: Session, tokens: Tokens) -> None:
        if session.may_remark():
            session.log.info("client.refused")
        self._tell(session, Rejected(tokens))

    def _tell(self, session: Session, *messages: ServerMessage) -> None:
        if self._verbose:
            observe_sent(self.log, [session.client], self._encoder.texts(messages))
        session.outbox.put(self._encoder.encode(messages))

    def dismiss(self) -> None:
        """Tell all clients OFF and let them close; no game hears of it."""
        sessions = list(self.sessions.values())
        self.sessions.clear()
        for session in sessions:
            self._tell(session, SwitchOff())
            session.finish()
