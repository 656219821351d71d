"""What clients are sent: collected in a pass, sent at its end, and never waited for.

A pass is the block of a `with passes:` statement. Whoever handles events opens one:
the poller for all clients that are readable, a game's clock for a tick, a session
for a client that is gone. In a pass outboxes only collect; at its end each of them
sends all that it has collected as one object. Passes never wait; a `with` inside of a
pass is part of it.
"""

import math
from collections.abc import Callable
from typing import Final

import trio

from daide_server.game.events import Seconds

from .transport import Transport

MANY_UNREAD: Final = 1_000_000
"""Bytes that a client has not read: then its messages wait, and ADM of others passes
it over. An answer to HST in a long game is a fifth of that."""

Release = Callable[[], None]
"""Sends the output of one pass."""

Commit = Callable[[Release], None]
"""Called at the end of each pass: calls its argument once, when the journals have the
events of the pass, in the order of the passes."""


class ServerClock:
    """Stands still while nothing can be committed, so that no deadline passes."""

    def __init__(self) -> None:
        self.stood: Seconds = 0.0
        self._stopped_at: float | None = None
        self._running = trio.Event()
        self._running.set()

    @property
    def is_running(self) -> bool:
        """Return whether time goes on."""
        return self._stopped_at is None

    def now(self) -> Seconds:
        """Return the time that has gone on."""
        stopped_at = self._stopped_at
        time = trio.current_time() if stopped_at is None else stopped_at
        return time - self.stood

    def stop(self) -> None:
        """Stand still, unless it does."""
        if self._stopped_at is None:
            self._stopped_at = trio.current_time()
            self._running = trio.Event()

    def resume(self) -> Seconds:
        """Go on, and return how long it stood still."""
        if self._stopped_at is None:
            return 0.0
        stood = trio.current_time() - self._stopped_at
        self.stood += stood
        self._stopped_at = None
        self._running.set()
        return stood

    async def running(self) -> None:
        """Wait until time goes on."""
        await self._running.wait()


class Passes:
    """The passes of one server; bounds what all outboxes hold together."""

    def __init__(
        self, commit: Commit = lambda release: release(), limit: float = math.inf
    ) -> None:
        """Let all outboxes hold *limit* bytes together; the largest is closed first."""
        self._commit: Final = commit
        self._limit: Final = limit
        self._depth = 0
        self._outboxes: list[Outbox] = []
        self._keeping: Final[set[Outbox]] = set()
        self.moved_bytes = 0
        """How many bytes were ever put into an outbox, or read of a client."""
        self.kept_bytes = 0

    def enlist(self, outbox: "Outbox") -> None:
        """Let *outbox* send when this pass ends; once per pass and outbox."""
        assert self._depth, "something was said outside of a pass"
        self._outboxes.append(outbox)

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._end()

    def _end(self) -> None:
        said = [(outbox, outbox.take()) for outbox in self._outboxes]
        self._outboxes.clear()

        def release() -> None:
            for outbox, data in said:
                try:
                    outbox.send(data)
                except Exception as error:  # noqa: BLE001 (it costs this client only)
                    outbox.fail(error)

        self._commit(release)

    def keep(self, outbox: "Outbox", size: int) -> None:
        """Count *size* bytes more that *outbox* keeps; if need be, drop the largest."""
        self.kept_bytes += size
        self._keeping.add(outbox)
        while self.kept_bytes > self._limit:
            largest = max(self._keeping, key=lambda each: each.kept_bytes)
            largest.drop(f"all clients left more than {self._limit} bytes unread")

    def release(self, outbox: "Outbox", size: int) -> None:
        """Count *size* bytes less; to be called before *outbox* keeps none."""
        self.kept_bytes -= size
        if outbox.kept_bytes == size:
            self._keeping.discard(outbox)


class Outbox:
    """The bytes on their way to one client.

    `put` collects until the pass ends; `send` then hands the kernel what it takes, and
    keeps the rest for the writer task, `drain`. A client that does not read what it is
    sent is dropped.
    """

    def __init__(  # noqa: PLR0913 (three are what a session does)
        self,
        transport: Transport,
        limit: int,
        passes: Passes,
        *,
        on_drop: Callable[[str], None],
        on_error: Callable[[Exception], None],
        on_room: Callable[[], None],
    ) -> None:
        """Keep at most *limit* bytes that *transport* did not take.

        Call *on_drop* with the reason, or *on_error*, when the client is given up, and
        *on_room* once after each `await_room`.
        """
        self._transport: Final = transport
        self._limit: Final = limit
        self._passes: Final = passes
        self._on_drop: Final = on_drop
        self._on_error: Final = on_error
        self._on_room: Final = on_room
        self._collected: list[bytes] = []
        self.unsent_bytes = 0
        """All that was put and the kernel has not taken, also what is not committed."""
        self._unsent = bytearray()
        """What is committed of that."""
        self._filled = trio.Event()
        self._emptied: trio.Event | None = None
        self._is_awaited = False
        self._is_closed = False

    @property
    def kept_bytes(self) -> int:
        """Return how many bytes wait for the client to read."""
        return len(self._unsent)

    @property
    def is_full(self) -> bool:
        """Return whether the client has to read before it is heard again."""
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
        """Return what was put in this pass as one object, once, to be sent."""
        collected = self._collected
        data = collected[0] if len(collected) == 1 else b"".join(collected)
        collected.clear()
        return data

    def send(self, data: bytes) -> None:
        """Send what was taken: what the kernel takes now, the rest by `drain`."""
        sent = 0 if self._unsent or self._is_closed else self._send_now(data)
        if self._is_closed:
            return
        self._note_sent(sent)
        if sent < len(data):
            self._keep(memoryview(data)[sent:])

    def _send_now(self, data: bytes | memoryview) -> int:
        """Return how many bytes of *data* the kernel has taken."""
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
        """Send nothing more, and close the connection for *reason*."""
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
        """Send the rest as fast as the kernel takes it, until that fails."""
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
        """Wait until the kernel has all that was put, or the client has failed."""
        while self.unsent_bytes and not self._is_closed:
            self._emptied = trio.Event()
            await self._emptied.wait()
