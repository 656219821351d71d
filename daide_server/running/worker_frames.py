"""Frames on the pipes between a run and its worker: kind, length, content.

A worker gets tasks and sends reports; of a watched task it sends what is new as well.
While it plays, its game sends a heartbeat every few seconds.
"""

import struct
from enum import Enum
from typing import IO, Final

from attrs import frozen

FRAME_HEADER: Final = struct.Struct(">cI")


class FrameKind(Enum):
    """What a frame has in it."""

    TASK = b"T"
    WATCHED_TASK = b"W"
    REPORT = b"R"
    FAILURE = b"F"
    NEWS = b"N"
    HEARTBEAT = b"H"


@frozen
class WorkerFrame:
    """One frame."""

    kind: FrameKind
    content: bytes


def write_frame(pipe: IO[bytes], frame: WorkerFrame) -> None:
    """Write *frame*; raises `OSError` if nobody reads the pipe."""
    pipe.write(FRAME_HEADER.pack(frame.kind.value, len(frame.content)) + frame.content)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> WorkerFrame | None:
    """Return the next frame; `None` at the end of the pipe, also within a frame."""
    header = pipe.read(FRAME_HEADER.size)
    if len(header) < FRAME_HEADER.size:
        return None
    kind, length = FRAME_HEADER.unpack(header)
    content = pipe.read(length)
    return WorkerFrame(FrameKind(kind), content) if len(content) == length else None
