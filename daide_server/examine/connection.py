"""One connection of a bot: frames in; messages out, cut and delayed as asked."""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from daide_server.language.tokens import COMMAND_CATEGORY, Tokens, category
from daide_server.storage.trace_files import TraceFile
from daide_server.wire.frames import (
    HEADER,
    HEADER_SIZE,
    Connection,
    ConnectionState,
    Entries,
    encode_tokens,
)

from .scene_setup import Pace, whole

PIECE_OF_BYTES: Final = 1 << 16
PIECE_SECONDS: Final = 0.0005
"""Between two pieces of a message, so that they arrive by themselves."""
GARBAGE: Final = 0x5A
"""The second byte of a frame, which means nothing."""
CLOSED: Final = (trio.BrokenResourceError, trio.ClosedResourceError)

Take = Callable[["BotConnection", Tokens], None]


class BotConnection:
    """Reads what the bot sends, and sends what is queued, until either end closes."""

    def __init__(self, number: int, stream: trio.abc.Stream, rm: Entries) -> None:
        self.number: Final = number
        self.is_open = True
        self.closed_by_bot = False
        self.pace: Pace = whole
        self.rm_delay = 0.0
        self.has_garbage = False
        self.trace: TraceFile | None = None
        self._stream: Final = stream
        self._wire: Final = Connection(rm)
        self._queue, self._queued = trio.open_memory_channel[tuple[bytes, float]](
            math.inf
        )

    @property
    def fault(self) -> str:
        """Return how the bot broke the Client-Server Protocol, if it did."""
        fault = self._wire.fault
        if fault is None:
            return ""
        header = self._wire.decoder.unparsed[:HEADER_SIZE].hex(" ")
        where = f", header {header}" if header else ""
        return f"{fault.name.lower().replace('_', ' ')} (EM {fault:02X}{where})"

    @property
    def unfinished(self) -> str:
        """Return what is there of a frame that is not complete, in words."""
        left = self._wire.decoder.unparsed
        if not left:
            return ""
        header = left[:HEADER_SIZE]
        if len(left) < HEADER_SIZE:
            return f"it sent {header.hex(' ')}, less than a header"
        _, length = HEADER.unpack_from(left)
        came = len(left) - HEADER_SIZE
        return f"header {header.hex(' ')} announces {length} bytes, {came} came"

    @property
    def has_im(self) -> bool:
        """Return whether the bot has sent its IM."""
        return self._wire.state is ConnectionState.OPEN

    async def read(self, take: Take) -> None:
        """Hand each message of the bot to *take*, until the connection is closed."""
        while self.is_open and self._wire.state is not ConnectionState.CLOSED:
            data = await self._receive()
            if not data:
                break
            tokens = self._wire.receive(data)
            self._keep(data, by_client=True)
            self.send(self._wire.take_output(), self.rm_delay)
            for each in tokens:
                take(self, each)
        self.closed_by_bot = self.closed_by_bot or self.is_open
        self.is_open = False

    async def write(self) -> None:
        """Send what is queued, until the connection is closed."""
        async for data, delay in self._queued:
            await trio.sleep(delay)
            for piece in self.pace(data):
                self._keep(piece, by_client=False)
                if not await self._send(piece):
                    return

    def say(self, *messages: Tokens, delay: float = 0.0) -> None:
        """Queue messages, in one piece, to be sent *delay* seconds later."""
        frames = map(encode_tokens, messages)
        if self.has_garbage:
            frames = map(_with_garbage, frames)
        self.send(b"".join(frames), delay)

    def send(self, data: bytes, delay: float = 0.0) -> None:
        """Queue bytes, to be sent *delay* seconds later."""
        if data and self.is_open:
            self._queue.send_nowait((data, delay))

    async def close(self) -> None:
        """Close the connection, without a word."""
        self.is_open = False
        self._queue.close()
        await trio.aclose_forcefully(self._stream)

    def _keep(self, data: bytes, *, by_client: bool) -> None:
        if self.trace is not None:
            self.trace.add(data, by_client=by_client)

    async def _receive(self) -> bytes:
        with suppress(*CLOSED):
            return bytes(await self._stream.receive_some(PIECE_OF_BYTES))
        return b""

    async def _send(self, data: bytes) -> bool:
        try:
            await self._stream.send_all(data)
        except (*CLOSED, trio.BusyResourceError):
            return False
        if self.pace is not whole:
            await trio.sleep(PIECE_SECONDS)
        return True


def has_swapped_bytes(tokens: Tokens) -> bool:
    """Return whether a message begins with a command, its bytes the other way round."""
    low = tokens[0] & 0xFF if tokens else 0
    return low == COMMAND_CATEGORY and category(tokens[0]) != COMMAND_CATEGORY


def _with_garbage(frame: bytes) -> bytes:
    return bytes((frame[0], GARBAGE)) + frame[2:]
