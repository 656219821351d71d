"""The sessions of all clients: messages are encoded once, whoever they are for."""

from collections.abc import Iterable, Sequence
from typing import Final

from daide_server.game.directory import GameId
from daide_server.game.events import ClientId
from daide_server.language.messages import (
    Admin,
    ServerMessage,
    SwitchOff,
)

from .encoding import Encoder
from .events import Events, TextSent
from .session import Session
from .session_phases import Rank


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
        if awaits_map:
            session.await_map()
        else:
            session.joined()

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
