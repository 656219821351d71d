"""One connection to a server, as a stream of messages instead of bytes."""

from collections import deque
from contextlib import suppress
from typing import Final, Generic, TypeVar

import trio

from daide_server.board.map import Map
from daide_server.board.orders import Order
from daide_server.language.messages import (
    ClientMessage,
    ServerMessage,
    SubmittedOrder,
)
from daide_server.language.tokens import Tokens
from daide_server.language.translation import LanguageError, Writer, shared_reader
from daide_server.language.vocabulary import Vocabulary
from daide_server.wire import frames

from .errors import ConnectionLostError, ProtocolFaultError
from .view import Unreadable

RECEIVE_SIZE: Final = 65536
"""The most bytes of one read."""


class Link:
    """Messages over one trio stream, for one task; call `open` first.

    `open` and `receive` raise `ConnectionLostError` after the last message of a
    closed connection, and `ProtocolFaultError` if one end violated the Client-Server
    Protocol.
    """

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._wire = frames.ClientConnection()
        self._arrived: deque[Tokens] = deque()
        self.vocabulary = Vocabulary.standard()

    @property
    def pending(self) -> bool:
        """Return whether `receive` has a message without waiting for the server."""
        return bool(self._arrived)

    async def open(self) -> None:
        """Send IM, and wait for RM, which names the tokens of powers and provinces."""
        await self._flush()
        while self._wire.representation is None:
            await self._fill()
        self._reader = shared_reader(self._wire.representation)
        self.vocabulary = self._reader.vocabulary
        self.writer = Writer(self.vocabulary)

    def use_map(self, board_map: Map) -> None:
        """From now on, read units and locations as the objects of *board_map*."""
        self._reader = self._reader.on(board_map)

    async def send(self, message: ClientMessage) -> Tokens:
        """Send *message*, and return the tokens that its answer will quote."""
        (tokens,) = await self.send_together(message)
        return tokens

    async def send_together(self, *messages: ClientMessage) -> list[Tokens]:
        """Send *messages* in one piece, and return the tokens of each."""
        written = [self.writer.write(message) for message in messages]
        await self.send_tokens(*written)
        return written

    async def send_tokens(self, *messages: Tokens) -> None:
        """Send *messages* as they are, in one piece."""
        await self._send_all(b"".join(map(frames.encode_tokens, messages)))

    async def receive(self) -> ServerMessage | Unreadable:
        """Wait for the next message of the server and return it."""
        return self.read(await self.receive_tokens())

    async def receive_tokens(self) -> Tokens:
        """Wait for the next message of the server and return its tokens."""
        await self.wait()
        return self._arrived.popleft()

    async def wait(self) -> None:
        """Wait until a message of the server is `pending`."""
        while not self._arrived:
            await self._fill()

    def take(self) -> ServerMessage | Unreadable:
        """Return the next message that is `pending`."""
        return self.read(self._arrived.popleft())

    def with_tokens(self, order: Order) -> SubmittedOrder:
        """Return *order* together with its tokens; raises `ValueError` as `Writer`."""
        return SubmittedOrder(order, self.writer.order(order))

    async def aclose(self) -> None:
        """Close the connection; it may be broken already."""
        await trio.aclose_forcefully(self._stream)

    def read(self, tokens: Tokens) -> ServerMessage | Unreadable:
        """Return the message that *tokens* encode."""
        try:
            return self._reader.read(tokens)
        except LanguageError:
            return Unreadable(tokens)

    async def _fill(self) -> None:
        """Wait for more bytes, and queue the messages that they complete."""
        closed = self._wire.state is frames.ConnectionState.CLOSED
        data = b"" if closed else await self._receive_some()
        if not data:
            said = self._wire.complaint
            by = "" if said is None else f" by {frames.error_text(said)}"
            message = f"the server closed the connection{by}"
            raise ConnectionLostError(message)
        self._arrived.extend(self._wire.receive(data))
        if self._wire.fault is not None:
            await self._flush()
            message = f"the server violated the protocol: {self._wire.fault.name}"
            raise ProtocolFaultError(message)

    async def _receive_some(self) -> bytes:
        try:
            return bytes(await self._stream.receive_some(RECEIVE_SIZE))
        except trio.BrokenResourceError as error:
            cause = error.__cause__
            reason = cause.strerror if isinstance(cause, OSError) else None
            raise ConnectionLostError(reason or str(error)) from error

    async def _flush(self) -> None:
        await self._send_all(self._wire.take_output())

    async def _send_all(self, data: bytes) -> None:
        # Reading reports a broken connection, after the last messages, such as OFF.
        with suppress(trio.BrokenResourceError):
            await self._stream.send_all(data)


# What waits to be written: put in at any time, taken by the task that writes

WaitingT = TypeVar("WaitingT")

MAX_WAITING: Final = 16 << 20
"""The limit for unsent output, in bytes of lines or in tokens."""


class OutflowFullError(Exception):
    """The other end does not read."""


class Outflow(Generic[WaitingT]):
    """Items in their order, for one task that writes."""

    def __init__(self, most: int = MAX_WAITING) -> None:
        self._most: Final = most
        self._items: list[WaitingT] = []
        self._size = 0
        self._closed = False
        self._changed = trio.Event()

    def put(self, item: WaitingT, size: int) -> None:
        """Add *item*, unless it is closed; raises `OutflowFullError`."""
        if self._closed:
            return
        if self._size + size > self._most:
            raise OutflowFullError
        self._items.append(item)
        self._size += size
        self._changed.set()

    def clear(self) -> None:
        """Drop what waits."""
        self._items, self._size = [], 0

    def close(self) -> None:
        """Let `take` return what waits, and then nothing any more."""
        self._closed = True
        self._changed.set()

    async def take(self) -> list[WaitingT]:
        """Wait for items and return all of them; none once it is closed and empty."""
        while not self._items and not self._closed:
            self._changed = trio.Event()
            await self._changed.wait()
        found = self._items
        self.clear()
        return found
