"""Lines as bytes: UTF-8, one JSON object each, at most 1 MiB."""

from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from daide_server.classes import frozen

from .from_bot import FromBot
from .to_bot import LineId, ToBot

MAX_LINE_BYTES: Final = 1 << 20

_READER: Final[msgspec.json.Decoder[FromBot]] = msgspec.json.Decoder(FromBot)
_WRITER: Final = msgspec.json.Encoder()


class _Marked(msgspec.Struct):
    """What may be read of a line that says nothing."""

    id: LineId | None = None


_MARK: Final = msgspec.json.Decoder(_Marked)
_FAULTS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


@frozen
class Fault:
    """A line that says nothing: why, and its id if that could be read."""

    message: str
    id: LineId | UnsetType = UNSET


def write_line(message: ToBot) -> bytes:
    """Return *message* as a line, its end included."""
    return _WRITER.encode(message) + b"\n"


def read_line(line: bytes) -> FromBot | Fault:
    """Return what a bot says with *line*."""
    if len(line) > MAX_LINE_BYTES:
        return Fault(f"found a line of more than {MAX_LINE_BYTES} bytes")
    try:
        return _READER.decode(line)
    except RecursionError:
        return Fault("found too many brackets in brackets")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Fault(str(error), _id_of(line))


def _id_of(line: bytes) -> LineId | UnsetType:
    try:
        found = _MARK.decode(line).id
    except _FAULTS:
        return UNSET
    return UNSET if found is None else found
