"""What one client has yet to be sent: in order, bounded in bytes, never waited for.

`put` collects until the pass ends; `send` then hands the kernel what it takes, and
keeps the rest for the writer task, `drain`. A client that does not read what it is
sent is dropped. All that is unsent is kept here, and goes when the kernel has taken
it, so that a writer that is cancelled loses nothing.
"""

from typing import Final, Protocol

import trio

from .passes import Passes
from .transport import Transport


class OutboxOwner(Protocol):
    """Whose connection it is; called at most once, and sent nothing after that."""

    def drop(self, reason: str) -> None:
        """Close the connection: the client does not take what it is sent."""

    def fail(self, error: Exception) -> None:
        """Close the connection: the server failed at sending."""


class Outbox:
    """The bytes on their way to one client."""

    def __init__(
        self,
        transport: Transport,
        limit: int,
        passes: Passes,
        owner: OutboxOwner,
    ) -> None:
        """Send by *transport*; hold at most *limit* bytes that it did not take."""
        self._transport: Final = transport
        self._limit: Final = limit
        self._passes: Final = passes
        self._owner: Final = owner
        self._collected: list[bytes] = []
        self._uncommitted = 0
        """Of how many passes the bytes were taken and not yet sent."""
        self._unsent = bytearray()
        self._filled = trio.Event()
        self._emptied = trio.Event()
        self._is_closed = False

    def put(self, data: bytes) -> None:
        """Send *data* at the end of this pass, after all that was put before."""
        if not self._collected:
            self._passes.enlist(self)
        self._collected.append(data)

    def take(self) -> bytes:
        """Return what was put in this pass as one object, once, to be sent."""
        collected = self._collected
        data = collected[0] if len(collected) == 1 else b"".join(collected)
        collected.clear()
        self._uncommitted += 1
        return data

    def send(self, data: bytes) -> None:
        """Send what was taken: at once what the kernel takes, then by `drain`."""
        self._uncommitted -= 1
        if self._is_closed:
            return
        sent = 0 if self._unsent else self._send_now(data)
        if self._is_closed:
            return
        if sent < len(data):
            self._keep(memoryview(data)[sent:])
        elif not self._uncommitted:
            self._emptied.set()

    def _send_now(self, data: bytes | memoryview) -> int:
        """Return how many bytes of *data* the kernel has taken."""
        try:
            return self._transport.send_now(data)
        except OSError as error:
            self._drop(f"cannot be sent to: {error}")
            return 0

    def _keep(self, data: memoryview) -> None:
        self._unsent += data
        if len(self._unsent) > self._limit:
            self._drop(f"left more than {self._limit} bytes unread")
        else:
            self._filled.set()

    def _drop(self, reason: str) -> None:
        self.close()
        self._owner.drop(reason)

    def fail(self, error: Exception) -> None:
        """Send nothing more, because of an unexpected *error*."""
        self.close()
        self._owner.fail(error)

    def close(self) -> None:
        """Send nothing more: the connection is closed."""
        self._is_closed = True
        self._emptied.set()

    async def drain(self) -> None:
        """Send the rest as fast as the kernel takes it, until that fails."""
        while not self._is_closed:
            if not self._unsent:
                self._emptied.set()
                self._filled = trio.Event()
                await self._filled.wait()
            await self._transport.wait_writable()
            with memoryview(self._unsent) as unsent:
                sent = self._send_now(unsent)
            del self._unsent[:sent]

    async def flushed(self) -> None:
        """Wait until the kernel has all that was put, or the client has failed."""
        while (self._uncommitted or self._unsent) and not self._is_closed:
            self._emptied = trio.Event()
            await self._emptied.wait()
