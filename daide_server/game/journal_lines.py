"""The lines of a game's journal, in memory and in a save file.

A line in a file is a JSON array of three: the seconds, who, and what.

    [12.5, 3, "GOF"]            client 3 sent GOF
    [12.5, "port", "3 FRA"]     client 3 came by the port of the seat of FRA
    [12.5, 3, null]             client 3 left
    [12.5, "silent", 3]         client 3 was silent; IAM takes its seat next
    [12.5, "heard", 3]          client 3 was late, and sent what changed nothing else
    [12.5, null, null]          the clock ticked
    [12.5, "saved", "name"]     the game was saved under a name
    [12.5, "loaded", "name"]    it was loaded
    [12.5, "recovered", "60 10"]  the server was started again; wait and grace
    [12.5, "broken off", null]  the server ended the game
"""

import re
import struct
from array import array
from typing import Final, assert_never

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import MANY_TOKENS, Token, Tokens
from daide_server.language.vocabulary import Vocabulary

from .events import ClientId, Seconds

SILENT: Final = "silent"
HEARD: Final = "heard"
_TWO_BYTES: Final = "H"
_PACKERS: Final = tuple(
    struct.Struct(f"{count}{_TWO_BYTES}").pack for count in range(MANY_TOKENS)
)
"""Pack fewer tokens, by their number: `struct.pack` looks up its format each time."""
_SEAT_PORT: Final = re.compile(r"([1-9][0-9]{0,18}) (\w+)", re.ASCII)


def pack(tokens: Tokens) -> bytes:
    """Return *tokens* in two bytes each, as the journal keeps them in memory."""
    count = len(tokens)
    if count < MANY_TOKENS:
        return _PACKERS[count](*tokens)
    # An array from a tuple takes twice as long.
    return struct.pack(f"{count}{_TWO_BYTES}", *tokens)


class MessageLine(Struct, frozen=True):
    """A client sent a message; its tokens are packed, two bytes each."""

    seconds: Seconds
    client: ClientId
    packed: bytes

    @property
    def tokens(self) -> Tokens:
        """Return the message as it was sent."""
        return tuple(map(Token, array(_TWO_BYTES, self.packed)))


class SeatPortLine(Struct, frozen=True):
    """A client came by the port of a seat."""

    seconds: Seconds
    client: ClientId
    power: Power


class ClientLeftLine(Struct, frozen=True):
    """The connection of a client was closed."""

    seconds: Seconds
    client: ClientId


class SilenceLine(Struct, frozen=True):
    """A client was silent for so long that IAM takes its seat, or that is over."""

    seconds: Seconds
    client: ClientId
    is_over: bool


class TickLine(Struct, frozen=True):
    """The clock ticked."""

    seconds: Seconds


class SavedLine(Struct, frozen=True):
    """The game was saved under a name."""

    seconds: Seconds
    name: str


class LoadedLine(Struct, frozen=True):
    """The game was loaded, and went on with new connections."""

    seconds: Seconds
    name: str


class RecoveredLine(Struct, frozen=True):
    """The server was started again, and the game waited for its clients."""

    seconds: Seconds
    wait: Seconds
    grace: Seconds


class BrokenOffLine(Struct, frozen=True):
    """The server ended the game without a result."""

    seconds: Seconds


JournalLine = (
    MessageLine
    | SeatPortLine
    | ClientLeftLine
    | SilenceLine
    | TickLine
    | SavedLine
    | LoadedLine
    | RecoveredLine
    | BrokenOffLine
)


def encode(line: JournalLine, vocabulary: Vocabulary) -> list[object]:
    """Return *line* as it is written to a file, its message as DAIDE text."""
    match line:
        case MessageLine(client=client):
            return [line.seconds, client, to_text(line.tokens, vocabulary)]
        case SeatPortLine(client=client, power=power):
            return [line.seconds, "port", f"{client} {power}"]
        case ClientLeftLine(client=client):
            return [line.seconds, client, None]
        case SilenceLine(client=client):
            return [line.seconds, HEARD if line.is_over else SILENT, client]
        case TickLine():
            return [line.seconds, None, None]
        case SavedLine(name=name):
            return [line.seconds, "saved", name]
        case LoadedLine(name=name):
            return [line.seconds, "loaded", name]
        case RecoveredLine(wait=wait, grace=grace):
            return [line.seconds, "recovered", f"{wait} {grace}"]
        case BrokenOffLine():
            return [line.seconds, "broken off", None]
        case _:
            assert_never(line)


def decode(row: object, vocabulary: Vocabulary) -> JournalLine:
    """Return the line that `encode` made *row* of.

    Raises `ValueError` if there is none, and if the text of a message is not DAIDE's.
    """
    match row:
        case [int() | float() as seconds, None, None]:
            return TickLine(seconds)
        case [int() | float() as seconds, "port", str() as text] if (
            port := _SEAT_PORT.fullmatch(text)
        ) and port[2] in vocabulary.power_tokens:
            return SeatPortLine(seconds, ClientId(int(port[1])), Power(port[2]))
        case [
            int() | float() as seconds,
            ("silent" | "heard") as what,
            int() as number,
        ]:
            return SilenceLine(seconds, ClientId(number), what == HEARD)
        case [int() | float() as seconds, "saved", str() as name]:
            return SavedLine(seconds, name)
        case [int() | float() as seconds, "loaded", str() as name]:
            return LoadedLine(seconds, name)
        case [int() | float() as seconds, "recovered", str() as times]:
            wait, _, grace = times.partition(" ")
            return RecoveredLine(seconds, float(wait), float(grace))
        case [int() | float() as seconds, "broken off", None]:
            return BrokenOffLine(seconds)
        case [int() | float() as seconds, int() as number, None]:
            return ClientLeftLine(seconds, ClientId(number))
        case [int() | float() as seconds, int() as number, str() as text]:
            packed = pack(from_text(text, vocabulary))
            return MessageLine(seconds, ClientId(number), packed)
        case _:
            message = f"found {row!r}, expected seconds, a client, and what it sent"
            raise ValueError(message)
