"""Output to clients: collected in a pass, sent at its end, without ever waiting.

A pass is the block of a `with passes:` statement, opened by whoever handles events: the
poller for all readable clients, a game's clock for a tick, a session for a client that
has gone. During a pass outboxes only collect; at its end each outbox sends everything
in one call. Passes never wait; a nested `with` is part of the outer pass.
"""

import math
from collections.abc import Callable

import trio
from attrs import Factory, define, field

from .transport import Transport

MANY_UNREAD = 1_000_000
"""Bytes of unread output of a client above which its own messages wait, and it gets no
ADM. An answer to HST in a long game is a fifth of that."""

Release = Callable[[], None]
"""Sends the output of one pass."""

Commit = Callable[[Release], None]
"""Called at the end of each pass. Calls its argument once, in the order of the passes,
when the journals have the events of the pass."""


@define(eq=False)
class Passes:
    """The passes of one server; limits the size of all outboxes together."""

    _commit: Commit = lambda release: release()
    _limit: float = math.inf
    """Bytes of all outboxes together; above, the largest is dropped."""
    _depth: int = 0
    _outboxes: list["Outbox"] = Factory(list)
    _keeping: set["Outbox"] = Factory(set)
    moved_bytes: int = 0
    """All bytes ever put into outboxes or read from clients."""
    kept_bytes: int = 0

    def enlist(self, outbox: "Outbox") -> None:
        """Let *outbox* send when this pass ends; call it once per pass and outbox."""
        assert self._depth, "output was queued outside of a pass"
        self._outboxes.append(outbox)

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._end()

    def _end(self) -> None:
        taken = [(outbox, outbox.take()) for outbox in self._outboxes]
        self._outboxes.clear()

        def release() -> None:
            for outbox, data in taken:
                try:
                    outbox.send(data)
                except Exception as error:  # noqa: BLE001 (it costs this client only)
                    outbox.fail(error)

        self._commit(release)

    def keep(self, outbox: "Outbox", size: int) -> None:
        """Count *size* more bytes of *outbox*; above the limit, drop the largest."""
        self.kept_bytes += size
        self._keeping.add(outbox)
        while self.kept_bytes > self._limit:
            largest = max(self._keeping, key=lambda each: each.kept_bytes)
            largest.drop(f"all clients left more than {self._limit} bytes unread")

    def release(self, outbox: "Outbox", size: int) -> None:
        """Subtract *size* bytes; must be called before *outbox* is empty."""
        self.kept_bytes -= size
        if outbox.kept_bytes == size:
            self._keeping.discard(outbox)


@define(eq=False)
class Outbox:
    """The bytes on their way to one client.

    `put` collects until the pass ends; `send` then passes as much as possible to the
    kernel, and keeps the rest for the writer task, `drain`. A client that does not read
    its output is dropped.
    """

    _transport: Transport
    _limit: int
    """The maximum number of bytes that are kept because the kernel accepts no more."""
    _passes: Passes
    _on_drop: Callable[[str], None]
    """Called with the reason when the client is dropped."""
    _on_error: Callable[[Exception], None]
    _on_room: Callable[[], None]
    """Called once after each `await_room`."""
    _collected: list[bytes] = field(factory=list, init=False)
    unsent_bytes: int = field(default=0, init=False)
    """All bytes that the kernel has not accepted, including uncommitted ones."""
    _unsent: bytearray = field(factory=bytearray, init=False)
    """The committed part of these bytes."""
    _filled: trio.Event = field(factory=trio.Event, init=False)
    _emptied: trio.Event | None = field(default=None, init=False)
    _is_awaited: bool = field(default=False, init=False)
    _is_closed: bool = field(default=False, init=False)

    @property
    def kept_bytes(self) -> int:
        """Return how many bytes wait for the client to read."""
        return len(self._unsent)

    @property
    def is_full(self) -> bool:
        """Return whether the client must read before its messages are handled."""
        return self.unsent_bytes > MANY_UNREAD

    def await_room(self) -> None:
        """Call *on_room* when the outbox is no longer full."""
        self._is_awaited = True

    def put(self, data: bytes) -> None:
        """Send *data* at the end of this pass."""
        collected, passes, size = self._collected, self._passes, len(data)
        if not collected:
            passes.enlist(self)
        collected.append(data)
        self.unsent_bytes += size
        passes.moved_bytes += size

    def take(self) -> bytes:
        """Return the output of this pass as one object, once, to be sent."""
        collected = self._collected
        data = collected[0] if len(collected) == 1 else b"".join(collected)
        collected.clear()
        return data

    def send(self, data: bytes) -> None:
        """Send what was taken: now what the kernel accepts, by `drain` the rest."""
        sent = 0 if self._unsent or self._is_closed else self._send_now(data)
        if self._is_closed:
            return
        self._note_sent(sent)
        if sent < len(data):
            self._keep(memoryview(data)[sent:])

    def _send_now(self, data: bytes | memoryview) -> int:
        """Return how many bytes of *data* the kernel has accepted."""
        try:
            return self._transport.send_now(data)
        except OSError as error:
            self.drop(f"cannot be sent to: {error}")
            return 0

    def _note_sent(self, size: int) -> None:
        self.unsent_bytes -= size
        if self._emptied is not None and not self.unsent_bytes:
            self._emptied.set()
        if self._is_awaited and not self.is_full:
            self._is_awaited = False
            self._on_room()

    def _keep(self, data: memoryview) -> None:
        self._unsent += data
        self._passes.keep(self, len(data))
        if self._is_closed:
            return
        if len(self._unsent) > self._limit:
            self.drop(f"left more than {self._limit} bytes unread")
        else:
            self._filled.set()

    def drop(self, reason: str) -> None:
        """Send nothing more, and close the connection because of *reason*."""
        self.close()
        self._on_drop(reason)

    def fail(self, error: Exception) -> None:
        """Send nothing more, because of an unexpected *error*."""
        self.close()
        self._on_error(error)

    def close(self) -> None:
        """Send nothing more: the connection is closed."""
        self._is_closed = True
        self._passes.release(self, len(self._unsent))
        self._unsent = bytearray()
        if self._emptied is not None:
            self._emptied.set()

    async def drain(self) -> None:
        """Send the rest as fast as the kernel accepts it, until that fails."""
        while not self._is_closed:
            if not self._unsent:
                self._filled = trio.Event()
                await self._filled.wait()
            await self._transport.wait_writable()
            with memoryview(self._unsent) as unsent:
                sent = self._send_now(unsent)
            self._passes.release(self, sent)
            del self._unsent[:sent]
            self._note_sent(sent)

    async def flushed(self) -> None:
        """Wait until the kernel has all output, or the client has failed."""
        while self.unsent_bytes and not self._is_closed:
            self._emptied = trio.Event()
            await self._emptied.wait()
