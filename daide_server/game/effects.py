"""What must happen because of an event; the table carries it out."""

from attrs import frozen

from daide_server.language.messages import ServerMessage
from daide_server.records.entries import RecordEntry

from .events import ClientId


@frozen
class Tell:
    """Send *messages*, in order, to each of *clients*: the same bytes to all."""

    clients: tuple[ClientId, ...]
    messages: tuple[ServerMessage, ...]


@frozen
class Record:
    """Remember *entry*."""

    entry: RecordEntry


@frozen
class CloseClient:
    """Close the connection, after what was sent before has gone out."""

    client: ClientId


Effect = Tell | Record | CloseClient
