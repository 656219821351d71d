"""Output to clients: each message is encoded once for all its recipients."""

from collections.abc import Iterable, Sequence
from typing import Final

from daide_server.board.map import Turn
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.daide import messages as said
from daide_server.daide.frames import HEADER_SIZE, TOKEN_SIZE, encode_tokens
from daide_server.daide.messages import ServerMessage
from daide_server.daide.server_codecs import TURN_OF_RESULT
from daide_server.daide.tokens import (
    MAX_CACHED_TOKENS,
    BoundedCache,
    Tokens,
    is_cacheable,
)
from daide_server.daide.translation import Writer
from daide_server.daide.vocabulary import Vocabulary, to_text, without_passcodes
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId

from .events import Events, TextSent
from .session import Session

_TURN_STARTS = HEADER_SIZE + TOKEN_SIZE * TURN_OF_RESULT.start
_TURN_ENDS = HEADER_SIZE + TOKEN_SIZE * TURN_OF_RESULT.stop
"""The position of the end of the turn in a frame of ORD."""


class Encoder:
    """Encodes messages as frames, and as texts without passcodes for the log."""

    def __init__(self, vocabulary: Vocabulary, dialect: str) -> None:
        """Encode with the tokens of *vocabulary*; write texts in *dialect*."""
        self.vocabulary: Final = vocabulary
        self._write: Final = Writer(vocabulary).write
        self._shown: Final = vocabulary.in_dialect(dialect)
        self._map = b""
        self._accepted: Final[BoundedCache[ServerMessage, bytes]] = BoundedCache()
        """Cached frames of THX for orders that are repeated."""
        self._resulted: Final[
            BoundedCache[tuple[Order, object, bool], tuple[bytes, bytes]]
        ] = BoundedCache()
        """Frames of ORD by order and result, split before and after the turn."""
        self._turn: tuple[Turn | None, bytes] = None, b""
        """The last turn in an ORD, and its encoding."""

    def texts(self, messages: Sequence[ServerMessage]) -> list[str]:
        """Return the texts of *messages*."""
        return [self.text(self._write(message)) for message in messages]

    def text(self, tokens: Tokens) -> str:
        """Return *tokens* of a client or of the server as text."""
        return to_text(without_passcodes(tokens), self._shown)

    def encode(self, messages: Sequence[ServerMessage]) -> bytes:
        """Return the frames of *messages*, in order, as one bytes object."""
        if len(messages) == 1:
            return self._frame(messages[0])
        return b"".join(map(self._frame, messages))

    def _frame(self, message: ServerMessage) -> bytes:
        """Return the frame of *message*; cache frames that are needed again."""
        if isinstance(message, said.OrderNoted):
            return self._accepted.get(message) or self._noted(message)
        if isinstance(message, said.OrderResulted):
            return self._result(message)
        if isinstance(message, said.MapDefinition):
            # Every client requests it, and it is the same for all.
            self._map = self._map or encode_tokens(self._write(message))
            return self._map
        return encode_tokens(self._write(message))

    def _noted(self, message: said.OrderNoted) -> bytes:
        """Return the frame of THX; cache it if the reader caches the order."""
        frame = encode_tokens(self._write(message))
        if message.note is OrderNote.OK and is_cacheable(message.as_sent):
            self._accepted.store(message, frame)
        return frame

    def _result(self, message: said.OrderResulted) -> bytes:
        """Return the frame of ORD, which recurs with another turn."""
        report = message.report
        key = report.order, report.result, report.dislodged
        turn, written = self._turn
        parts = self._resulted.get(key)
        if parts is None or turn is not message.turn:
            frame = encode_tokens(self._write(message))
            parts = frame[:_TURN_STARTS], frame[_TURN_ENDS:]
            written = frame[_TURN_STARTS:_TURN_ENDS]
            self._turn = message.turn, written
            if len(frame) <= HEADER_SIZE + TOKEN_SIZE * MAX_CACHED_TOKENS:
                self._resulted.store(key, parts)
        start, end = parts
        return start + written + end


class ClientSessions:
    """The sessions of the server, by client; used in passes."""

    def __init__(self, encoder: Encoder, events: Events) -> None:
        self.encoder: Final = encoder
        self.events: Final = events
        self._verbose: Final = events.wants_messages
        self._sessions: Final[dict[ClientId, Session]] = {}

    def add(self, session: Session) -> None:
        """Add *session*, so that messages reach its client."""
        self._sessions[session.client] = session

    def remove(self, client: ClientId) -> bool:
        """Remove *client*; return whether it was there."""
        return self._sessions.pop(client, None) is not None

    def send(
        self,
        clients: Sequence[ClientId],
        messages: Sequence[ServerMessage],
        game: GameId | None = None,
    ) -> None:
        """Put *messages* (one or more) into the outboxes of connected *clients*."""
        if self._verbose:
            for text in self.encoder.texts(messages):
                self.events(TextSent(clients, text, game))
        data, sessions = self.encoder.encode(messages), self._sessions
        is_admin = type(messages[0]) is said.Admin
        for client in clients:
            session = sessions.get(client)
            # A client that does not read while it thinks must not be closed for ADM.
            if session is not None and not (is_admin and session.outbox.is_full):
                session.outbox.put(data)

    def admit(self, client: ClientId, *, has_seat: bool, awaits_map: bool) -> None:
        """Stop the timer of *client*: it joined; start that of YES (MAP) if needed."""
        for session in self._of((client,)):
            session.has_seat = has_seat
            session.joined(awaits_map=awaits_map)

    def set_playing(self, clients: Iterable[ClientId], *, is_playing: bool) -> None:
        """Set whether *clients* are players of a running game, who are served first."""
        for session in self._of(clients):
            session.account.is_playing = is_playing

    def _of(self, clients: Iterable[ClientId]) -> list[Session]:
        sessions = self._sessions
        return [sessions[client] for client in clients if client in sessions]

    def everybody(self) -> tuple[Session, ...]:
        """Return all sessions."""
        return tuple(self._sessions.values())

    def finish(self, clients: Iterable[ClientId]) -> None:
        """Close the connections of *clients*, after their pending output."""
        for session in self._of(clients):
            session.finish()

    def dismiss(self) -> None:
        """Send OFF to all clients, then close; no game is involved."""
        clients = tuple(self._sessions)
        self.send(clients, (said.SwitchOff(),))
        self.finish(clients)
        self._sessions.clear()
