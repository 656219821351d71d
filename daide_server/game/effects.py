"""Effects of an event, which the game runner carries out, and how requests get theirs.

Most effects answer a message: `Request` is one, and makes the effects of YES and REJ.
"""

from enum import Enum
from typing import Generic, TypeVar

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.language.messages import (
    Accepted,
    ClientMessage,
    Rejected,
    ServerMessage,
)
from daide_server.language.tokens import Tokens
from daide_server.records.entries import RecordEntry

from .events import ClientId, Seconds
from .seating import ClientRole

Message_co = TypeVar("Message_co", bound=ClientMessage, covariant=True)


class JoinRefusal(Enum):
    """Why NME, OBS or IAM is refused, for the log; clients get a plain REJ."""

    ALREADY_JOINED = "already joined"
    TOO_MUCH = "too much joining and leaving in this game"
    UNUSABLE_NAME = "name too long, or with unprintable characters"
    NO_OPEN_SEAT = "game full"
    SEAT_TAKEN = "seat taken"
    NO_GAME = "no game"
    NAME_LEFT = "name taken: that player has left its seat, expected IAM"
    NOT_RUNNING = "game not running"
    WRONG_PASSCODE = "wrong passcode"
    PASSCODE_REFUSED = "passcode refused"
    """It is wrong, and a seat could have been had by the right one."""
    SEAT_OCCUPIED = "seat occupied"


class Send(Struct, frozen=True):
    """Send *messages*, in order, to each of *clients*: the same bytes to all."""

    clients: tuple[ClientId, ...]
    messages: tuple[ServerMessage, ...]


class Record(Struct, frozen=True):
    """Add *entry* to the record of the game."""

    entry: RecordEntry


class Admit(Struct, frozen=True):
    """Treat a client as joined: its NME, OBS or IAM was accepted.

    *role* is what it is to the game now, *power* that of its seat if it has one.
    """

    client: ClientId
    role: ClientRole
    power: Power | None


class Refuse(Struct, frozen=True):
    """Note why the NME, OBS or IAM of a client is refused; REJ does not say it."""

    client: ClientId
    reason: JoinRefusal


class CloseClient(Struct, frozen=True):
    """Close the connection, after what was sent before has gone out."""

    client: ClientId
    reason: str = ""
    """Why, for the log, if it is the client's fault."""


class ReportRecordFull(Struct, frozen=True):
    """Log that *power* was refused something that the record has no room for."""

    power: Power


Effect = Send | Record | Admit | Refuse | CloseClient | ReportRecordFull


class Request(Struct, Generic[Message_co], frozen=True):
    """A message with its sender, its time, and the tokens that YES and REJ quote."""

    client: ClientId
    message: Message_co
    as_sent: Tokens
    now: Seconds

    def answer(self, *messages: ServerMessage) -> list[Effect]:
        """Return the effect of answering with *messages*: none, if there are none."""
        return [Send((self.client,), messages)] if messages else []

    def accept(self, *more: ServerMessage) -> list[Effect]:
        """Return the effect of answering YES, and *more* after it."""
        return self.answer(Accepted(self.as_sent), *more)

    def reject(self) -> list[Effect]:
        """Return the effect of answering REJ."""
        return self.answer(Rejected(self.as_sent))

    def refuse(self, reason: JoinRefusal) -> list[Effect]:
        """Return the effects of answering NME, OBS or IAM by REJ, for *reason*."""
        return [*self.reject(), Refuse(self.client, reason)]
