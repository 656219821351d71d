"""The bytes between a bot and the server, kept so that they can be read as text.

Turning them into text costs more than the game, so that is done only for games whose
conversations are kept.
"""

import struct
from collections import deque
from typing import Final

import trio
from attrs import frozen

from daide_server.language.text import to_text, without_passcodes
from daide_server.language.vocabulary import Vocabulary
from daide_server.wire.frames import (
    HEADER,
    HEADER_SIZE,
    FrameType,
    decode_tokens,
)

KEPT_TRAFFIC_BYTES: Final = 1 << 20
"""Of one seat; of more, the oldest are dropped."""
CHUNK_COST: Final = 128
"""Bytes that a chunk counts beside its own: a bot may send them one by one."""
FROM_BOT: Final = "<"
TO_BOT: Final = ">"
FRAME_TYPES: Final = frozenset(FrameType)


@frozen
class Chunk:
    """Bytes that were sent or received at once."""

    seconds: float
    direction: str
    data: bytes


class Traffic:
    """What one seat's connections have carried, up to a limit."""

    def __init__(self, kept_bytes: int = KEPT_TRAFFIC_BYTES) -> None:
        self._kept: Final = kept_bytes
        self.chunks: Final[deque[Chunk]] = deque()
        """What is kept, the oldest first."""
        self._bytes = 0
        self.is_cut = False
        """Whether the beginning was dropped."""

    def add(self, direction: str, data: bytes) -> None:
        """Note bytes that were carried now."""
        self.chunks.append(Chunk(trio.current_time(), direction, data))
        self._bytes += len(data) + CHUNK_COST
        while self._bytes > self._kept:
            self.is_cut = True
            self._bytes -= len(self.chunks.popleft().data) + CHUNK_COST


def conversation_text(traffic: Traffic, vocabulary: Vocabulary, *, since: float) -> str:
    """Return a line for each message: seconds from *since*, direction, DAIDE text.

    Passcodes are 0. Bytes that are no frames are shown in hexadecimal.
    """
    lines = ["the beginning was not kept\n"] if traffic.is_cut else []
    pending = {FROM_BOT: bytearray(), TO_BOT: bytearray()}
    for chunk in traffic.chunks:
        waiting = pending[chunk.direction]
        waiting += chunk.data
        prefix = f"{chunk.seconds - since:9.3f} {chunk.direction} "
        lines += [f"{prefix}{text}\n" for text in _taken(waiting, vocabulary)]
    return "".join(lines)


def _taken(data: bytearray, vocabulary: Vocabulary) -> list[str]:
    """Take the whole frames from the beginning of *data*; return them as texts."""
    texts: list[str] = []
    offset = 0
    while len(data) >= offset + HEADER_SIZE:
        kind, length = HEADER.unpack_from(data, offset)
        if kind not in FRAME_TYPES:
            texts.append(f"no frame: {data[offset:].hex(' ', 2)}")
            offset = len(data)
            break
        end = offset + HEADER_SIZE + length
        if len(data) < end:
            break
        body = bytes(data[offset + HEADER_SIZE : end])
        texts.append(_frame_text(kind, body, vocabulary))
        offset = end
    del data[:offset]
    return texts


def _frame_text(kind: int, body: bytes, vocabulary: Vocabulary) -> str:
    if kind != FrameType.DIPLOMACY:
        return f"{FrameType(kind).name.lower()} {body.hex(' ', 2)}".rstrip()
    try:
        return to_text(without_passcodes(decode_tokens(body)), vocabulary)
    except struct.error:
        return f"no tokens: {body.hex(' ', 2)}"
