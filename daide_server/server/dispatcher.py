"""From the messages of clients to the games that answer them.

A message is read, the directory names its game, and the game's runner handles it.
What no game is to answer is refused here. Everything happens in the pass in which
the message was read.
"""

from functools import partial
from typing import Final

from daide_server.game.directory import GameId
from daide_server.game.events import (
    Admit,
    ClientId,
    ClientLeft,
    ClientRole,
    MessageReceived,
    Refuse,
    SeatPortChosen,
)
from daide_server.language.messages import (
    AcceptMap,
    ClientMessage,
    Complaint,
    Name,
    Observe,
    RefuseMap,
    Rejected,
    Rejoin,
)
from daide_server.language.tokens import Tokens
from daide_server.language.translation import ClientReader, LanguageError

from .events import (
    AdmissionRequest,
    ClientComplained,
    ClientContext,
    ClientDisconnected,
    ClientJoined,
    ClientMisunderstood,
    ClientRefused,
    MessageUnanswered,
    TextReceived,
)
from .game_host import GameHost
from .game_runner import GameRunner
from .rejoining import RejoinRouter
from .session import Session

_MAP_ANSWERS: Final = frozenset({AcceptMap, RefuseMap})
_OF_CONNECTIONS: Final = _MAP_ANSWERS | {Name, Observe, Rejoin, Complaint}
"""The messages that not only a game has to do with."""


class Dispatcher:
    """Hands the messages of all sessions to their games: a `Handler`."""

    def __init__(self, games: GameHost, reader: ClientReader) -> None:
        """Hand messages to *games*; *reader* reads those of who is in none."""
        self.poller = games.poller
        self.events = games.clients.events
        self._games: Final = games
        self._directory: Final = games.directory
        self._clients: Final = games.clients
        self._emit: Final = self.events
        self._encoder: Final = games.clients.encoder
        self.representation = self._encoder.vocabulary.representation
        self._read: Final = reader.read
        self._verbose: Final = self.events.wants_messages
        # Clients without a seat whose HUH or PRN has been reported.
        self._misunderstood: Final[set[ClientId]] = set()
        self._returning: Final = RejoinRouter(self._directory, self.events)

    def receive(self, session: Session, tokens: Tokens) -> None:
        """Answer a message, or hand it to the game that it is for."""
        if self._verbose:
            text = self._encoder.text(tokens)
            self._emit(TextReceived(session.client, text))
        client = session.client
        own = self._games.runner_of(client)
        read = self._read if own is None else own.reader.read
        try:
            message = read(tokens)
        except LanguageError as error:
            self._clients.send((session.client,), (error.reply,))
            self._report_syntax(session, error)
            return
        if (
            own is not None
            and type(message) not in _OF_CONNECTIONS
            and client in own.seats
        ):
            own.post(MessageReceived(client, message, tokens))
        else:
            self._dispatch(session, own, message, tokens)

    def _dispatch(
        self,
        session: Session,
        own: GameRunner | None,
        message: ClientMessage,
        tokens: Tokens,
    ) -> None:
        """Answer what a client without a seat sent, or what is about its connection."""
        if isinstance(message, Complaint):
            text = self._encoder.text(tokens)
            self._emit(ClientComplained(session.client, text))
        if isinstance(message, Rejoin):
            answer = partial(self._find_game, session, message, tokens)
            self._returning.receive(session, message, answer)
        elif own is not None and own.game.state.has_joined(session.client):
            self._hand_over(session, own, message, tokens)
        else:
            self._find_game(session, message, tokens)

    def _find_game(
        self, session: Session, message: ClientMessage, tokens: Tokens
    ) -> None:
        """Hand a message to the game that is to answer it, or refuse it."""
        runner = self._games.runner(self._route(session, message))
        if runner is None:
            self._refuse(session, message, tokens)
        else:
            self._hand_over(session, runner, message, tokens)

    def _hand_over(
        self,
        session: Session,
        runner: GameRunner,
        message: ClientMessage,
        tokens: Tokens,
    ) -> None:
        event = MessageReceived(session.client, message, tokens)
        if isinstance(message, AdmissionRequest):
            self._admit(session, runner, event, message)
            return
        runner.post(event)
        if type(message) in _MAP_ANSWERS:
            _settle_map(session, runner)

    def leave(self, session: Session) -> None:
        """Forget a client, and let its game handle that, once."""
        client = session.client
        if not self._clients.remove(client):
            return
        self._misunderstood.discard(client)
        runner = self._games.runner(self._directory.forget(client))
        context = _context(session, runner)
        self._returning.leave(session)
        self._emit(ClientDisconnected(context))
        if runner is not None:
            runner.post(ClientLeft(client))

    def _route(self, session: Session, message: ClientMessage) -> GameId | None:
        """Return the game that is to answer; the client leaves the one before."""
        if not isinstance(message, Rejoin):
            return self._directory.route(session.client, message, session.target)
        before = self._directory.joined.get(session.client)
        number = self._returning.route(session, message)
        left = self._games.runner(before)
        if number not in {None, before} and left is not None:
            # It was offered another loaded game than the one it was in.
            left.post(ClientLeft(session.client))
        return number

    def _admit(
        self,
        session: Session,
        runner: GameRunner,
        event: MessageReceived,
        request: AdmissionRequest,
    ) -> None:
        """Let a client join, if the game admits it."""
        seat, seating = session.target.seat, runner.game.state.seating
        if seat is not None and session.client not in seating.chosen:
            runner.post(SeatPortChosen(session.client, seat))
        for effect in runner.post(event):
            match effect:
                case Admit():
                    context = _context(session, runner)
                    self._emit(ClientJoined(context, request))
                case Refuse(reason=reason):
                    context = _context(session, runner)
                    self._emit(ClientRefused(context, request, reason))
                case _:
                    pass
        self._games.open_if_full()

    def _refuse(self, session: Session, message: ClientMessage, tokens: Tokens) -> None:
        """Refuse what no game is to answer."""
        context = _context(session, None)
        if isinstance(message, AdmissionRequest):
            reason = self._directory.refusal(message)
            self._emit(ClientRefused(context, message, reason))
        else:
            self._emit(MessageUnanswered(context))
        self._clients.send((session.client,), (Rejected(tokens),))

    def _report_syntax(self, session: Session, error: LanguageError) -> None:
        """Report the first HUH or PRN to a client, to a player the first in a turn."""
        client = session.client
        runner = self._games.runner(self._directory.joined.get(client))
        if (
            runner is not None
            and runner.game.state.seating.by_client.get(client) is not None
        ):
            is_first = runner.tally.count_syntax_error(client, error.reply)
        else:
            is_first = client not in self._misunderstood
            self._misunderstood.add(client)
        if is_first:
            (reply,) = self._encoder.texts((error.reply,))
            self._emit(ClientMisunderstood(_context(session, runner), reply))


def _settle_map(session: Session, runner: GameRunner) -> None:
    """Stop the timer of the map; who has refused it belongs to no game."""
    if runner.game.state.role_of(session.client) is ClientRole.CONNECTED:
        session.unseated()
    else:
        session.joined()


def _context(session: Session, runner: GameRunner | None) -> ClientContext:
    """Return the client of *session*, with its game, its power and its name."""
    client, address = session.client, session.address
    if runner is None:
        return ClientContext(client, address)
    seat = runner.game.state.seating.by_client.get(client)
    if seat is None:
        return ClientContext(client, address, runner.number)
    return ClientContext(client, address, runner.number, seat.power, seat.name)
