"""Frames between the server and the view worker: a length, and so many bytes."""

from typing import BinaryIO, Final

LENGTH_BYTES: Final = 8


def frame(data: bytes) -> bytes:
    """Return *data* with its length before it."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def read_frame(stream: BinaryIO) -> bytes:
    """Return the next frame; nothing at the end of *stream*."""
    head = stream.read(LENGTH_BYTES)
    return stream.read(int.from_bytes(head, "big")) if head else b""
