"""How the bytes of messages are cut on their way to the bot. Pure."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

Pace = Callable[[bytes], Iterable[bytes]]
"""Cuts bytes into the pieces that are sent one by one."""

SMALL_PIECE: Final = 1
SLOW_PIECES: Final = 400
"""So many bytes are sent one by one; the rest in odd pieces."""
ODD_PIECE: Final = 97


def whole(data: bytes) -> Iterable[bytes]:
    """Return all at once: many frames in one piece."""
    return (data,)


def bytewise(data: bytes) -> Iterator[bytes]:
    """Yield single bytes at first, then pieces that end in the middle of frames."""
    for place in range(0, min(len(data), SLOW_PIECES), SMALL_PIECE):
        yield data[place : place + SMALL_PIECE]
    for place in range(SLOW_PIECES, len(data), ODD_PIECE):
        yield data[place : place + ODD_PIECE]


def split_headers(data: bytes) -> Iterator[bytes]:
    """Yield three bytes, and then the rest: the first header is cut."""
    yield data[:3]
    if data[3:]:
        yield data[3:]
