"""The sessions of all clients: messages are encoded once, whoever they are for."""

from collections.abc import Iterable, Sequence
from typing import Final

from daide_server.game.events import ClientId
from daide_server.language.messages import (
    Admin,
    BracketsRefused,
    PressDelivered,
    Rejected,
    ServerMessage,
    SwitchOff,
    SyntaxRefused,
)
from daide_server.lobby.directory import GameId

from .encoding import Encoder
from .events import Events, TextSent
from .outbox_pool import OutboxPool
from .session import Session
from .session_phases import Rank

FAN_OUT: Final = frozenset({Admin, PressDelivered})
"""What reaches others at the will of one client, to which it is charged."""
REFUSAL_MESSAGES: Final = frozenset({Rejected, BracketsRefused, SyntaxRefused})


class ClientSessions:
    """The sessions that are served, by client; to be used in a pass."""

    def __init__(self, encoder: Encoder, events: Events, outboxes: OutboxPool) -> None:
        self._encoder: Final = encoder
        self._outboxes: Final = outboxes
        self._emit: Final = events
        self._verbose: Final = events.wants_messages
        self._sessions: Final[dict[ClientId, Session]] = {}

    def add(self, session: Session) -> None:
        """Let messages reach the client of *session*."""
        self._sessions[session.client] = session

    def remove(self, client: ClientId) -> bool:
        """Let nothing reach *client* any more; return whether anything could."""
        return self._sessions.pop(client, None) is not None

    def has(self, client: ClientId) -> bool:
        """Return whether messages reach *client*."""
        return client in self._sessions

    def send(
        self,
        clients: Sequence[ClientId],
        messages: Sequence[ServerMessage],
        game: GameId | None = None,
    ) -> None:
        """Put *messages* (not none) into the outboxes of *clients* that are here."""
        if self._verbose:
            for text in self._encoder.texts(messages):
                self._emit(TextSent(clients, text, game))
        data, kind = self._encoder.encode(messages), type(messages[0])
        outboxes, sessions = self._outboxes, self._sessions
        if kind in REFUSAL_MESSAGES:
            outboxes.refusals += 1
        sender = outboxes.sender if len(clients) == 1 or kind in FAN_OUT else None
        for client in clients:
            session = sessions.get(client)
            if session is None:
                continue
            if kind is not Admin or sender is None or self._takes_admin(session):
                session.outbox.put(data, sender)

    def _takes_admin(self, session: Session) -> bool:
        """Return whether ADM is delivered to a client that may have stopped reading.

        Many senders together could fill its outbox, each within its share.
        """
        return session.outbox.unread_of_others <= session.admin_unread_bytes

    def admit(
        self, client: ClientId, rank: Rank, game: GameId, *, awaits_map: bool
    ) -> None:
        """Stop the timer of *client*: it joined; start that of YES (MAP), if due."""
        session = self._sessions.get(client)
        if session is None:
            return
        session.set_rank(rank, game)
        if awaits_map:
            session.await_map()
        else:
            session.joined()

    def set_rank(self, clients: Iterable[ClientId], rank: Rank, game: GameId) -> None:
        """Serve *clients* before those who only ask, if they play *game*."""
        for client in clients:
            if client in self._sessions:
                self._sessions[client].set_rank(rank, game)

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
