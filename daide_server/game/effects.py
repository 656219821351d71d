"""Effects of an event, which the game runner carries out."""

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.language.messages import ServerMessage
from daide_server.records.entries import RecordEntry

from .events import ClientId
from .permissions import ClientRole
from .refusals import JoinRefusal


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
