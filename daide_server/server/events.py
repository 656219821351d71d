"""What happens on a server, as values: one stream of `ServerEvent`s.

After something has happened, the server calls an `Events`, which calls each reader: the
log (`log.py`), metrics, the page, tournaments. Readers run in the loop that serves all
clients: they must not wait, and must return quickly.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.daide.messages import Name, Observe, Rejoin
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, JoinRefusal, Seconds
from daide_server.records.entries import RecordEntry
from daide_server.records.record import RefusedOrder

AdmissionRequest = Name | Observe | Rejoin
"""The messages by which a client asks to join a game."""


class ClientContext(Struct, frozen=True):
    """A client, and what is known about it."""

    client: ClientId
    address: str | None = None
    game: GameId | None = None
    power: Power | None = None
    name: str | None = None
    """The name in its NME."""


class ServerEvent(Struct, frozen=True):
    """The base class of all events of a server."""


class Notice(ServerEvent, frozen=True):
    """An event that only the log uses: a line called *name* with *fields*.

    `docs/log.md` lists all names with their fields and meaning.
    """

    name: str
    fields: Mapping[str, object] = {}


class Traced(Notice, frozen=True):
    """A line at level debug, for finding faults."""


class Noted(Notice, frozen=True):
    """A line at level info, about normal operation."""


class Warned(Notice, frozen=True):
    """A line at level warning: operators may want to change something."""


class Failed(Notice, frozen=True):
    """A line at level error: something is lost, or there is a bug in the server."""


# Connections and the journal


class ConnectionRefused(ServerEvent, frozen=True):
    """*count* connections were closed on arrival; *address* is that of the last one.

    Reported at most once a second.
    """

    address: str
    reason: str
    count: int


# Clients


class ClientConnected(ServerEvent, frozen=True):
    """A client has connected."""

    client: ClientId
    address: str


class ClientJoined(ServerEvent, frozen=True):
    """A game admitted a client."""

    context: ClientContext
    request: AdmissionRequest


class ClientRefused(ServerEvent, frozen=True):
    """A client was not admitted to a game."""

    context: ClientContext
    request: AdmissionRequest
    reason: JoinRefusal


class ClientMisunderstood(ServerEvent, frozen=True):
    """The first HUH or PRN to a client, or to a player in a turn."""

    context: ClientContext
    reply: str


class ClientFaulted(ServerEvent, frozen=True):
    """A client violated the framing; *fault* is the name of the error code."""

    client: ClientId
    fault: str


class ClientDropped(ServerEvent, frozen=True):
    """The server closes a connection.

    Mostly because the client is too slow: to read, to send IM, to join, to order.
    """

    client: ClientId
    reason: str


class ClientDisconnected(ServerEvent, frozen=True):
    """A connection has ended."""

    context: ClientContext


class SessionFailed(ServerEvent, frozen=True):
    """A bug in the server closes the connection of a client."""

    client: ClientId
    error: Exception


class TextSent(ServerEvent, frozen=True):
    """A game or the server sent a message to some clients."""

    clients: Sequence[ClientId]
    text: str
    game: GameId | None


# Games


class EntryRecorded(ServerEvent, frozen=True):
    """A game added an entry to its record: it began, a turn was resolved, ..."""

    game: GameId
    entry: RecordEntry


class OrdersRefused(ServerEvent, frozen=True):
    """The first order of a power in a turn was refused."""

    context: ClientContext
    turn: Turn
    refused: RefusedOrder


class TurnProcessed(ServerEvent, frozen=True):
    """A turn was adjudicated and its messages were created, in *seconds*."""

    game: GameId
    seconds: Seconds


class GameFailed(ServerEvent, frozen=True):
    """A bug in the server ends a game; *kind* is the class of the event in question."""

    game: GameId
    kind: str
    error: Exception


class RecordStored(ServerEvent, frozen=True):
    """The record of a finished game is on disk."""

    game: GameId
    path: Path


class RecordRefused(ServerEvent, frozen=True):
    """The record of a finished game could not be written."""

    game: GameId
    reason: str


READER_FAILED = "reader.failed"

EventReader = Callable[[ServerEvent], None]


class Events:
    """Calls each reader in order; an exception stops neither the server nor others."""

    def __init__(self, *readers: EventReader, wants_messages: bool = False) -> None:
        self.wants_messages: Final = wants_messages
        """Whether `TextSent`, `message.received` and `game.handled` are emitted.

        Creating their texts costs more than the messages themselves.
        """
        self._readers: Final = readers

    def __call__(self, event: ServerEvent) -> None:
        """Pass *event* to all readers."""
        for read in self._readers:
            try:
                read(event)
            except Exception as error:  # noqa: BLE001 (whatever it is, it stops no game)
                if not (isinstance(event, Failed) and event.name == READER_FAILED):
                    self(Failed(READER_FAILED, {"error": error}))

    def also_to(self, *readers: EventReader) -> "Events":
        """Return an `Events` that also calls *readers*."""
        return Events(*self._readers, *readers, wants_messages=self.wants_messages)
