"""The sessions of all clients: messages are encoded once, whoever they are for."""

from collections.abc import Iterable, Sequence
from typing import Final

from daide_server.game.events import ClientId
from daide_server.language.messages import ServerMessage, SwitchOff
from daide_server.lobby.directory import GameId

from .encoding import Encoder
from .event_sink import EventSink
from .session import Session


class ClientSessions:
    """The sessions that are served, by client; to be used in a pass."""

    def __init__(self, encoder: Encoder, events: EventSink) -> None:
        self._encoder: Final = encoder
        self._events: Final = events
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
        """Put *messages* into the outboxes of those of *clients* that are here."""
        if self._verbose:
            for text in self._encoder.texts(messages):
                self._events.message_sent(clients, text, game)
        data = self._encoder.encode(messages)
        sessions = self._sessions
        for client in clients:
            if client in sessions:
                sessions[client].outbox.put(data)

    def admit(self, client: ClientId) -> None:
        """Stop the timer of *client*: it plays or observes."""
        if client in self._sessions:
            self._sessions[client].joined()

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
