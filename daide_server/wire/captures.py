"""Split captured byte streams into frames, for `daide-server decode`.

A capture is the bytes of one or both directions of a connection, or the binary log
of a client. The only error is data that is not a sequence of whole frames. Time
stamps and directions in a log are dropped.
"""

import struct
from collections.abc import Iterator
from typing import Final

from .frames import HEADER, HEADER_SIZE, FrameType

_LOG_RECORD: Final = struct.Struct("<IHI")
"""Record header in the binary logs of some clients: milliseconds, kind, length."""
_LOG_KINDS: Final = frozenset({5, 6})
"""The record kinds of frames: received and sent."""


class CaptureError(ValueError):
    """The data is not a sequence of frames; the message gives the byte offset."""


def frames_of(data: bytes) -> Iterator[tuple[FrameType, bytes]]:
    """Yield the type and the body of each frame in *data*.

    Raises `CaptureError` at the first data that is not a frame.
    """
    offset = 0
    while offset < len(data):
        if len(data) < offset + HEADER_SIZE:
            raise CaptureError(_error_text(offset, "an incomplete header"))
        kind, length = HEADER.unpack_from(data, offset)
        if kind not in list(FrameType):
            raise CaptureError(_error_text(offset, f"a frame of type {kind}"))
        body = data[offset + HEADER_SIZE : offset + HEADER_SIZE + length]
        if len(body) < length:
            raise CaptureError(_error_text(offset, f"{len(body)} of {length} bytes"))
        yield FrameType(kind), body
        offset += HEADER_SIZE + length


def are_frames(data: bytes) -> bool:
    """Return whether *data* begins with a frame type; tokens alone do not."""
    return len(data) >= HEADER_SIZE and data[0] in list(FrameType)


def strip_log_records(data: bytes) -> bytes:
    """Return the frames in a client's binary log; return other data unchanged."""
    found: list[bytes] = []
    offset = 0
    while offset < len(data):
        if len(data) < offset + _LOG_RECORD.size:
            return data
        _, kind, length = _LOG_RECORD.unpack_from(data, offset)
        offset += _LOG_RECORD.size + length
        if kind not in _LOG_KINDS or len(data) < offset:
            return data
        found.append(data[offset - length : offset])
    return b"".join(found)


def _error_text(offset: int, found: str) -> str:
    return f"at byte {offset}: found {found}, expected a whole frame"
