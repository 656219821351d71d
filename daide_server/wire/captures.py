"""Captures: bytes that once were on a wire, as the frames they are.

For people who look at a conversation afterwards. Nothing is refused but what
cannot be cut into frames; clocks and directions, where a capture has them, are
left out.
"""

import struct
from collections.abc import Iterator
from typing import Final

from .frames import HEADER, HEADER_SIZE, FrameType

_LOG_RECORD: Final = struct.Struct("<IHI")
"""In the binary logs of one family of clients: milliseconds, kind, length."""
_LOG_KINDS: Final = frozenset({5, 6})
"""Received and sent."""


class CaptureError(ValueError):
    """The bytes are no frames; the message says from where on."""


def frames_of(data: bytes) -> Iterator[tuple[FrameType, bytes]]:
    """Yield the type and the body of each frame.

    Raises `CaptureError` at the first that is none, after those before it.
    """
    place = 0
    while place < len(data):
        if len(data) < place + HEADER_SIZE:
            raise CaptureError(_wrong(place, "a header that is cut off"))
        kind, length = HEADER.unpack_from(data, place)
        if kind not in list(FrameType):
            raise CaptureError(_wrong(place, f"a frame of type {kind}"))
        body = data[place + HEADER_SIZE : place + HEADER_SIZE + length]
        if len(body) < length:
            raise CaptureError(_wrong(place, f"{len(body)} of {length} bytes"))
        yield FrameType(kind), body
        place += HEADER_SIZE + length


def are_frames(data: bytes) -> bool:
    """Return whether *data* begins as a frame does; tokens alone do not."""
    return len(data) >= HEADER_SIZE and data[0] in list(FrameType)


def unlogged(data: bytes) -> bytes:
    """Return the frames in a client's binary log; other bytes as they are."""
    found: list[bytes] = []
    place = 0
    while place < len(data):
        if len(data) < place + _LOG_RECORD.size:
            return data
        _, kind, length = _LOG_RECORD.unpack_from(data, place)
        place += _LOG_RECORD.size + length
        if kind not in _LOG_KINDS or len(data) < place:
            return data
        found.append(data[place - length : place])
    return b"".join(found)


def _wrong(place: int, found: str) -> str:
    return f"at byte {place}: found {found}, expected a whole frame"
