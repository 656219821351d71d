"""What happens on a server, as values: one stream, `ServerEvent`, for all who watch it.

The server calls an `Events` after something has happened; that calls each reader. The
log (`log.py`) is a reader; metrics, the page, and tournaments are others. Readers are
called in the loop that serves all clients: they do not wait, and return quickly.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, JoinRefusal, Seconds
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.records.entries import RecordEntry
from daide_server.records.record import RefusedOrder

AdmissionRequest = Name | Observe | Rejoin
"""The messages by which a client asks to join a game."""


class ClientContext(Struct, frozen=True):
    """A client, and what is known of it."""

    client: ClientId
    address: str | None = None
    game: GameId | None = None
    power: Power | None = None
    name: str | None = None
    """That of NME."""


class ServerEvent(Struct, frozen=True):
    """Something that happened: one of the classes below."""


class Notice(ServerEvent, frozen=True):
    """Something that only the log tells, in a line of that *name* with *fields*.

    `docs/log.md` has all names, each with its fields and what it means.
    """

    name: str
    fields: Mapping[str, object] = {}


class Traced(Notice, frozen=True):
    """What only who looks for a fault wants to know: a line at debug."""


class Noted(Notice, frozen=True):
    """Something as usual: a line at info."""


class Warned(Notice, frozen=True):
    """Something that operators may want to change: a line at warning."""


class Failed(Notice, frozen=True):
    """Something that is lost, or a bug in the server: a line at error."""


# Connections and the journal


class ConnectionRefused(ServerEvent, frozen=True):
    """*count* connections were closed immediately; *address* is the last of them.

    Once a second at most.
    """

    address: str
    reason: str
    count: int


# Clients


class ClientConnected(ServerEvent, frozen=True):
    """There is a new connection."""

    client: ClientId
    address: str


class ClientJoined(ServerEvent, frozen=True):
    """A game took a client in."""

    context: ClientContext
    request: AdmissionRequest


class ClientRefused(ServerEvent, frozen=True):
    """A client was not let in."""

    context: ClientContext
    request: AdmissionRequest
    reason: JoinRefusal


class ClientMisunderstood(ServerEvent, frozen=True):
    """The server answered HUH or PRN: to a client its first, to a player in a turn."""

    context: ClientContext
    reply: str


class ClientFaulted(ServerEvent, frozen=True):
    """A client broke the framing: the error code's name."""

    client: ClientId
    fault: str


class ClientDropped(ServerEvent, frozen=True):
    """The server closes a connection of its own accord.

    Most are too slow: to read, to introduce themselves, to join, to order.
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
    """A message was sent to some clients, by a game or by the server."""

    clients: Sequence[ClientId]
    text: str
    game: GameId | None


# Games


class EntryRecorded(ServerEvent, frozen=True):
    """A game added an entry to its record: it began, a turn was resolved, ..."""

    game: GameId
    entry: RecordEntry


class OrdersRefused(ServerEvent, frozen=True):
    """The first order of a power in a turn that is refused."""

    context: ClientContext
    turn: Turn
    refused: RefusedOrder


class TurnProcessed(ServerEvent, frozen=True):
    """A turn was adjudicated and its messages were made, in *seconds*."""

    game: GameId
    seconds: Seconds


class GameFailed(ServerEvent, frozen=True):
    """A bug in the server, at an event of some *kind*, ends the game."""

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


READER_FAILED: Final = "reader.failed"

EventReader = Callable[[ServerEvent], None]


class Events:
    """Calls each reader, in order; what one raises stops neither server nor others."""

    def __init__(self, *readers: EventReader, wants_messages: bool = False) -> None:
        self.wants_messages: Final = wants_messages
        """Whether there are `TextSent`, `message.received` and `game.handled`.

        Their texts cost more than the messages themselves.
        """
        self._readers: Final = readers

    def __call__(self, event: ServerEvent) -> None:
        """Hand *event* to all readers."""
        for read in self._readers:
            try:
                read(event)
            except Exception as error:  # noqa: BLE001 (whatever it is, it stops no game)
                if not (isinstance(event, Failed) and event.name == READER_FAILED):
                    self(Failed(READER_FAILED, {"error": error}))

    def also_to(self, *readers: EventReader) -> "Events":
        """Return events for *readers* too."""
        return Events(*self._readers, *readers, wants_messages=self.wants_messages)
