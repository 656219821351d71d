"""What clients are sent: each message is encoded once, whoever it is for."""

from collections.abc import Iterable, Sequence
from typing import Final

from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId
from daide_server.language.messages import (
    Admin,
    MapDefinition,
    OrderNoted,
    OrderResulted,
    ServerMessage,
    SwitchOff,
)
from daide_server.language.server_codecs import TURN_OF_RESULT
from daide_server.language.text import to_text, without_passcodes
from daide_server.language.tokens import (
    MAX_CACHED_TOKENS,
    BoundedCache,
    Tokens,
    is_cacheable,
)
from daide_server.language.translation import Writer
from daide_server.language.vocabulary import NORMAN, Vocabulary
from daide_server.wire.frames import HEADER_SIZE, TOKEN_SIZE, encode_tokens

from .events import Events, TextSent
from .session import Session
from .session_phases import Rank

_TURN_STARTS: Final = HEADER_SIZE + TOKEN_SIZE * TURN_OF_RESULT.start
_TURN_ENDS: Final = HEADER_SIZE + TOKEN_SIZE * TURN_OF_RESULT.stop
"""Where the turn stands in the frame of ORD."""

_KEPT: Final = frozenset({OrderNoted, OrderResulted, MapDefinition})
"""Messages whose frames, or parts of them, are needed again."""


class Encoder:
    """Turns messages into the bytes of diplomacy frames, for one variant.

    Texts are for the log: they have no passcodes.
    """

    def __init__(self, vocabulary: Vocabulary, dialect: str = NORMAN) -> None:
        """Write the tokens of *vocabulary*; show them in *dialect*."""
        self.vocabulary: Final = vocabulary
        writer = Writer(vocabulary)
        self._write: Final = writer.write
        self._plain: Final = {
            kind: write for kind, write in writer.by_type.items() if kind not in _KEPT
        }
        """What writes the messages whose frames are not kept."""
        self._shown: Final = vocabulary.in_dialect(dialect)
        self._map_definition = b""
        self._accepted: Final[BoundedCache[ServerMessage, bytes]] = BoundedCache()
        """The frames of THX to orders that come again and again."""
        self._resulted: Final[
            BoundedCache[tuple[Order, object, bool], tuple[bytes, bytes]]
        ] = BoundedCache()
        """The frames of ORD, before and after the turn, by the order and the result."""

    def texts(self, messages: Sequence[ServerMessage]) -> list[str]:
        """Return the texts of *messages*."""
        return [self.text(self._write(message)) for message in messages]

    def text(self, tokens: Tokens) -> str:
        """Return the text of *tokens*, of a client or of the server."""
        return to_text(without_passcodes(tokens), self._shown)

    def encode(self, messages: Sequence[ServerMessage]) -> bytes:
        """Return the frames of *messages*, one at least, in order, as one object."""
        first = messages[0]
        if len(messages) == 1 and (write := self._plain.get(type(first))):
            return encode_tokens(write(first))
        if isinstance(first, OrderNoted):
            known, frame = self._accepted.get, self._frame
            return b"".join(
                [  # only notes are kept; MIS behind them may have a mapping
                    (isinstance(each, OrderNoted) and known(each)) or frame(each)
                    for each in messages
                ]
            )
        if isinstance(first, MapDefinition):
            # Every client asks for it, and it is the same for all.
            if not self._map_definition:
                self._map_definition = b"".join(
                    map(encode_tokens, map(self._write, messages))
                )
            return self._map_definition
        if isinstance(first, OrderResulted):
            return self._results(messages)
        return b"".join(map(encode_tokens, map(self._write, messages)))

    def _results(self, messages: Sequence[ServerMessage]) -> bytes:
        """Return the frames of ORDs, and of other messages among them.

        Orders and results come again in other turns, where only the turn differs.
        """
        frames: list[bytes] = []
        known, turn, turn_bytes = self._resulted.get, None, b""
        for message in messages:
            if not isinstance(message, OrderResulted):
                frames.append(encode_tokens(self._write(message)))
                continue
            if message.turn is not turn:
                turn = message.turn
                frame = encode_tokens(self._write(message))
                turn_bytes = frame[_TURN_STARTS:_TURN_ENDS]
            report = message.report
            found = known((report.order, report.result, report.dislodged))
            start, end = found or self._around_turn(message)
            frames += (start, turn_bytes, end)
        return b"".join(frames)

    def _around_turn(self, message: OrderResulted) -> tuple[bytes, bytes]:
        """Return the frame of *message* before and after its turn, and keep that."""
        frame, report = encode_tokens(self._write(message)), message.report
        parts = frame[:_TURN_STARTS], frame[_TURN_ENDS:]
        if len(frame) > HEADER_SIZE + TOKEN_SIZE * MAX_CACHED_TOKENS:
            return parts
        key = report.order, report.result, report.dislodged
        return self._resulted.store(key, parts)

    def _frame(self, message: ServerMessage) -> bytes:
        """Return the frame of *message*, and keep that of an accepted order."""
        frame = encode_tokens(self._write(message))
        return self._accepted.store(message, frame) if _recurs(message) else frame


def _recurs(message: ServerMessage) -> bool:
    """Return whether *message* is the THX of an order that its reader keeps."""
    return (
        isinstance(message, OrderNoted)
        and message.note is OrderNote.OK
        and is_cacheable(message.as_sent)
    )


class ClientSessions:
    """The sessions that are served, by client; to be used in a pass."""

    def __init__(self, encoder: Encoder, events: Events) -> None:
        self.encoder: Final = encoder
        self.events: Final = events
        self._verbose: Final = events.wants_messages
        self._sessions: Final[dict[ClientId, Session]] = {}

    def add(self, session: Session) -> None:
        """Let messages reach the client of *session*."""
        self._sessions[session.client] = session

    def remove(self, client: ClientId) -> bool:
        """Let nothing reach *client* any more; return whether anything could."""
        return self._sessions.pop(client, None) is not None

    def send(
        self,
        clients: Sequence[ClientId],
        messages: Sequence[ServerMessage],
        game: GameId | None = None,
    ) -> None:
        """Put *messages* (not none) into the outboxes of *clients* that are here."""
        if self._verbose:
            for text in self.encoder.texts(messages):
                self.events(TextSent(clients, text, game))
        data, sessions = self.encoder.encode(messages), self._sessions
        is_admin = type(messages[0]) is Admin
        for client in clients:
            session = sessions.get(client)
            # Who has stopped reading, to think, must not be closed for what others say.
            if session is not None and not (is_admin and session.outbox.is_full):
                session.outbox.put(data)

    def admit(self, client: ClientId, rank: Rank, *, awaits_map: bool) -> None:
        """Stop the timer of *client*: it joined; start that of YES (MAP), if due."""
        session = self._sessions.get(client)
        if session is None:
            return
        session.set_rank(rank)
        session.joined(awaits_map=awaits_map)

    def set_rank(self, clients: Iterable[ClientId], rank: Rank) -> None:
        """Serve *clients* before those who only ask, if they play."""
        for client in clients:
            if client in self._sessions:
                self._sessions[client].set_rank(rank)

    def everybody(self) -> tuple[Session, ...]:
        """Return all sessions."""
        return tuple(self._sessions.values())

    def finish(self, clients: Iterable[ClientId]) -> None:
        """Close the connections of *clients*, after what was sent before."""
        for client in clients:
            if client in self._sessions:
                self._sessions[client].finish()

    def dismiss(self) -> None:
        """Send OFF to all clients and close; no game handles it."""
        clients = tuple(self._sessions)
        self.send(clients, (SwitchOff(),))
        self.finish(clients)
        self._sessions.clear()
