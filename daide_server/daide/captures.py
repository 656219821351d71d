"""Captured byte streams: frames of a connection, or the binary log of a client.

`daide-server decode` and `daide-server trace` read both. The server keeps
conversations as such logs, without passcodes.
"""

import struct
from collections.abc import Iterator

from msgspec import Struct

from daide_server.errors import ReportedError

from .frames import HEADER, TOKEN_SIZE, FrameType, decode_tokens, encode_tokens
from .vocabulary import without_passcodes

_LOG_RECORD = struct.Struct("<IHI")
"""Record header in the binary logs of some clients: milliseconds, kind, length."""
_RECEIVED, _SENT = 5, 6
_LOG_KINDS = frozenset({_RECEIVED, _SENT})
"""The record kinds of frames: received and sent, as the client sees it."""


class CaptureRecord(Struct, frozen=True):
    """Whole frames in a log, and when they were sent."""

    milliseconds: int
    by_client: bool
    frames: bytes


class CaptureError(ReportedError, ValueError):
    """The data is not a sequence of frames; the message gives the byte offset."""


def frames_of(data: bytes) -> Iterator[tuple[FrameType, bytes]]:
    """Yield the type and the body of each frame in *data*; raises `CaptureError`."""
    offset = 0
    while offset < len(data):
        if len(data) < offset + HEADER.size:
            raise CaptureError(_error_text(offset, "an incomplete header"))
        kind, length = HEADER.unpack_from(data, offset)
        if kind not in list(FrameType):
            raise CaptureError(_error_text(offset, f"a frame of type {kind}"))
        body = data[offset + HEADER.size : offset + HEADER.size + length]
        if len(body) < length:
            raise CaptureError(_error_text(offset, f"{len(body)} of {length} bytes"))
        yield FrameType(kind), body
        offset += HEADER.size + length


def log_record(record: CaptureRecord) -> bytes:
    """Return *record* as the binary log of a client has it, without passcodes."""
    frames = b"".join(_masked(*frame) for frame in frames_of(record.frames))
    kind = _SENT if record.by_client else _RECEIVED
    return _LOG_RECORD.pack(record.milliseconds, kind, len(frames)) + frames


def _masked(kind: FrameType, body: bytes) -> bytes:
    """Return a frame with 0 in the place of each passcode, in HLO and IAM."""
    if kind is FrameType.DIPLOMACY:
        whole = len(body) // TOKEN_SIZE * TOKEN_SIZE
        tokens = without_passcodes(decode_tokens(body[:whole]))
        body = encode_tokens(tokens)[HEADER.size :] + body[whole:]
    return HEADER.pack(kind, len(body)) + body


def log_records(data: bytes) -> Iterator[CaptureRecord]:
    """Yield the records of frames in a log; raises `CaptureError` if it is not one."""
    if not is_log(data):
        found = repr(data[: _LOG_RECORD.size]).removeprefix("b") if data else "nothing"
        expected = "a conversation as `--trace` or the log of a client keeps it"
        raise CaptureError(_error_text(0, found, expected))
    offset = 0
    while offset < len(data):
        if len(data) < offset + _LOG_RECORD.size:
            raise CaptureError(_error_text(offset, "part of a record", "a record"))
        milliseconds, kind, length = _LOG_RECORD.unpack_from(data, offset)
        offset += _LOG_RECORD.size
        if kind not in _LOG_KINDS or len(data) < offset + length:
            found = f"a record of kind {kind} with {length} bytes"
            raise CaptureError(_error_text(offset, found, "a record of frames"))
        frames = data[offset : offset + length]
        yield CaptureRecord(milliseconds, kind == _SENT, frames)
        offset += length


def are_frames(data: bytes) -> bool:
    """Return whether *data* begins with a frame type; tokens alone do not."""
    return len(data) >= HEADER.size and data[0] in list(FrameType)


def is_log(data: bytes) -> bool:
    """Return whether *data* begins with a record of a client's binary log."""
    if len(data) < _LOG_RECORD.size:
        return False
    _, kind, length = _LOG_RECORD.unpack_from(data)
    return kind in _LOG_KINDS and len(data) >= _LOG_RECORD.size + length


def _error_text(offset: int, found: str, expected: str = "a whole frame") -> str:
    return f"at byte {offset}: found {found}, expected {expected}"
