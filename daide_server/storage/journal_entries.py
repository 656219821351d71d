"""What the entries of a journal say: games as they were opened, events, positions.

An event begins with its seconds, its kind and its client; what follows is the
message, two bytes each token, or a text. All else is JSON.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Final, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.errors import ReportedError
from daide_server.game.events import ClientId
from daide_server.game.journal import JournalItem
from daide_server.game.journal_lines import (
    HEARD,
    SILENT,
    BrokenOffLine,
    ClientLeftLine,
    JournalLine,
    LoadedLine,
    MessageLine,
    RecoveredLine,
    SavedLine,
    SeatPortLine,
    SilenceLine,
    TickLine,
)
from daide_server.game.position_digest import PositionDigest
from daide_server.records.entries import TurnTallied

from .journal_frames import EntryKind, JournalEntry
from .save_format import SavedSettings

# Seconds, kind of line, client.
_LINE: Final = struct.Struct(">dBI")
_NOBODY: Final = 0


class _LineKind(IntEnum):
    MESSAGE = 1
    LEFT = 2
    TICK = 3
    SAVED = 4
    LOADED = 5
    RECOVERED = 6
    BROKEN_OFF = 7
    SEAT_PORT = 8
    SILENCE = 9


class JournalFormatError(ReportedError, ValueError):
    """An entry cannot be read; the message says which part."""


class OpenedGame(Struct, kw_only=True, frozen=True):
    """A game as it was opened."""

    version: str
    record: str
    """The id of its record."""
    opened: float
    """When it was opened, in seconds since 1970."""
    metadata: Mapping[str, str]
    """Of its record."""
    board: str
    start: str
    """The digest of the board's first position."""
    settings: SavedSettings
    seats: tuple[Power, ...]
    passcodes: Mapping[Power, int]


class ServerCount(Struct, kw_only=True, frozen=True):
    """What a server remembers of games that are over."""

    highest: int
    """The highest number of a game that has begun."""
    counted: int
    """How many games count for `--games`."""


class _Digest(Struct, array_like=True):
    turn: str
    digest: str
    version: str


def encode_json(value: OpenedGame | ServerCount | SavedSettings) -> bytes:
    """Return the payload of *value*."""
    return msgspec.json.encode(value)


def decode_opened(payload: bytes) -> OpenedGame:
    """Return how a game was opened; raises `JournalFormatError`."""
    try:
        return msgspec.json.decode(payload, type=OpenedGame)
    except (msgspec.DecodeError, RecursionError) as error:
        raise JournalFormatError(str(error)) from error


def decode_count(payload: bytes | None) -> ServerCount:
    """Return what the server remembered: nothing, if that cannot be read."""
    try:
        return msgspec.json.decode(payload or b"", type=ServerCount)
    except (msgspec.DecodeError, RecursionError):
        return ServerCount(highest=0, counted=0)


def encode_item(item: JournalItem) -> tuple[EntryKind, bytes]:
    """Return the kind and the payload of *item*."""
    if isinstance(item, MessageLine):
        head = _LINE.pack(item.seconds, _LineKind.MESSAGE, item.client)
        return EntryKind.EVENT, head + item.packed
    if isinstance(item, PositionDigest):
        values = _Digest(item.turn, item.digest, item.version)
        return EntryKind.DIGEST, msgspec.json.encode(values)
    if isinstance(item, TurnTallied):
        return EntryKind.TALLY, msgspec.json.encode(item)
    kind, client, text = _parts(item)
    return EntryKind.EVENT, _LINE.pack(item.seconds, kind, client) + text.encode()


def _parts(line: JournalLine) -> tuple[_LineKind, int, str]:
    """Return the kind, the client and the text of a line that is no message."""
    match line:
        case MessageLine():
            raise AssertionError
        case SeatPortLine(client=client, power=power):
            return _LineKind.SEAT_PORT, client, power
        case ClientLeftLine(client=client):
            return _LineKind.LEFT, client, ""
        case SilenceLine(client=client):
            return _LineKind.SILENCE, client, HEARD if line.is_over else SILENT
        case TickLine():
            return _LineKind.TICK, _NOBODY, ""
        case SavedLine(name=name):
            return _LineKind.SAVED, _NOBODY, name
        case LoadedLine(name=name):
            return _LineKind.LOADED, _NOBODY, name
        case RecoveredLine(wait=wait, grace=grace):
            return _LineKind.RECOVERED, _NOBODY, f"{wait} {grace}"
        case BrokenOffLine():
            return _LineKind.BROKEN_OFF, _NOBODY, ""
        case _:
            assert_never(line)


def decode_items(entries: Sequence[JournalEntry]) -> list[JournalItem]:
    """Return what the entries of one game say; raises `JournalFormatError`."""
    return [
        _READERS[entry.kind](entry.payload)
        for entry in entries
        if entry.kind in _READERS
    ]


def _tally(payload: bytes) -> TurnTallied:
    try:
        found = msgspec.json.decode(payload, type=TurnTallied)
    except msgspec.DecodeError as error:
        raise JournalFormatError(str(error)) from error
    # A turn keeps its hash, which msgspec does not compute.
    return replace(found, turn=Turn(found.turn.season, found.turn.year))


def _digest(payload: bytes) -> PositionDigest:
    try:
        found = msgspec.json.decode(payload, type=_Digest)
    except msgspec.DecodeError as error:
        raise JournalFormatError(str(error)) from error
    return PositionDigest(found.turn, found.digest, found.version)


def _line(payload: bytes) -> JournalLine:
    try:
        seconds, number, client = _LINE.unpack_from(payload)
        return _line_of(_LineKind(number), (seconds, client), payload[_LINE.size :])
    except (struct.error, ValueError) as error:
        message = f"found {payload[:40]!r}, expected an event"
        raise JournalFormatError(message) from error


def _line_of(kind: _LineKind, when: tuple[float, int], rest: bytes) -> JournalLine:
    seconds, client = when
    match kind:
        case _LineKind.MESSAGE:
            return MessageLine(seconds, ClientId(client), rest)
        case _LineKind.SEAT_PORT:
            return SeatPortLine(seconds, ClientId(client), Power(rest.decode()))
        case _LineKind.LEFT:
            return ClientLeftLine(seconds, ClientId(client))
        case _LineKind.SILENCE:
            return SilenceLine(seconds, ClientId(client), rest == HEARD.encode())
        case _LineKind.TICK:
            return TickLine(seconds)
        case _LineKind.SAVED:
            return SavedLine(seconds, rest.decode())
        case _LineKind.LOADED:
            return LoadedLine(seconds, rest.decode())
        case _LineKind.RECOVERED:
            wait, _, grace = rest.decode().partition(" ")
            return RecoveredLine(seconds, float(wait), float(grace))
        case _LineKind.BROKEN_OFF:
            return BrokenOffLine(seconds)


_READERS: Final[Mapping[EntryKind, Callable[[bytes], JournalItem]]] = {
    EntryKind.EVENT: _line,
    EntryKind.DIGEST: _digest,
    EntryKind.TALLY: _tally,
}
