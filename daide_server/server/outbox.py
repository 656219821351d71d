"""What one client has yet to be sent: in order, bounded in bytes, never waited for.

`put` collects until the pass ends; `send` then hands the kernel what it takes, and
keeps the rest for the writer task, `drain`. A client that does not read what it is
sent is dropped. All that is unsent is kept here, and goes when the kernel has taken
it, so that a writer that is cancelled loses nothing.
"""

from collections import deque
from itertools import groupby
from operator import itemgetter
from typing import Final, Protocol

import trio

from .outbox_pool import OutboxPool
from .sender_account import SenderAccount
from .transport import Transport


class OutboxOwner(Protocol):
    """Whose connection it is; called at most once, and sent nothing after that."""

    sender: SenderAccount
    """What the client itself sends to others."""

    def drop(self, reason: str) -> None:
        """Close the connection: the client does not take what it is sent."""

    def fail(self, error: Exception) -> None:
        """Close the connection: the server failed at sending."""


_Caused = tuple[SenderAccount, int, int]
"""Bytes at the will of a client: whose, how many, where they end in all bytes put."""
_SENDER: Final = itemgetter(0)


class Outbox:
    """The bytes on their way to one client."""

    def __init__(
        self,
        transport: Transport,
        limit: int,
        pool: OutboxPool,
        owner: OutboxOwner,
    ) -> None:
        """Send by *transport*; hold at most *limit* bytes that it did not take."""
        self._transport: Final = transport
        self._limit: Final = limit
        self._pool: Final = pool
        self._owner: Final = owner
        self._sender: Final = owner.sender
        self._put_bytes = 0
        self._sent_bytes = 0
        self._caused: Final[list[_Caused]] = []
        """What is not charged: the kernel may take it at once."""
        self._charged: Final[deque[_Caused]] = deque()
        """What is charged until the kernel has taken it."""
        self.unread_of_others = 0
        self._collected: list[bytes] = []
        self._uncommitted = 0
        """Of how many passes the bytes were taken and not yet sent."""
        self._unsent = bytearray()
        self._filled = trio.Event()
        self._emptied: trio.Event | None = None
        """Set when all is sent; `None` as long as nobody waits for that."""
        self._is_closed = False

    def put(self, data: bytes, sender: SenderAccount | None = None) -> None:
        """Send *data* at the end of this pass, after all that was put before.

        What the kernel does not take counts as unread to *sender*, at whose will it
        is, until it does. The client's own answers count only if it has left others
        unread.
        """
        collected, pool, size = self._collected, self._pool, len(data)
        if not collected:
            pool.passes.enlist(self)
        collected.append(data)
        self._put_bytes += size
        pool.put_bytes += size
        if sender is not None:
            pool.charged_bytes += size
            if sender is not self._sender or self._unsent:
                self._caused.append((sender, size, self._put_bytes))

    def _charge(self) -> None:
        """Count to its senders what is in `_caused`, as far as it is not sent."""
        caused = () if self._is_closed else self._caused
        for sender, run in groupby(caused, _SENDER):
            pieces = [each for each in run if each[2] > self._sent_bytes]
            if pieces:
                size = sum(each[1] for each in pieces)
                self._charged.append((sender, size, pieces[-1][2]))
                self.unread_of_others += 0 if sender is self._sender else size
                sender.charge(self._sender, size)
        self._caused.clear()

    def take(self) -> bytes:
        """Return what was put in this pass as one object, once, to be sent."""
        collected = self._collected
        data = collected[0] if len(collected) == 1 else b"".join(collected)
        collected.clear()
        if self._uncommitted:
            # The kernel does not get it before what is not committed yet.
            self._charge()
        self._uncommitted += 1
        return data

    def send(self, data: bytes) -> None:
        """Send what was taken: at once what the kernel takes, then by `drain`."""
        self._uncommitted -= 1
        if self._is_closed:
            self._caused.clear()
            return
        sent = 0 if self._unsent else self._send_now(data)
        if self._is_closed:
            return
        self._sent_bytes += sent
        if self._charged:
            self._release_sent()
        if sent < len(data):
            self._charge()
            self._keep(memoryview(data)[sent:])
            return
        self._caused.clear()
        if self._emptied is not None and not self._uncommitted:
            self._emptied.set()

    def _send_now(self, data: bytes | memoryview) -> int:
        """Return how many bytes of *data* the kernel has taken."""
        try:
            return self._transport.send_now(data)
        except OSError as error:
            self.drop(f"cannot be sent to: {error}")
            return 0

    def _release_sent(self) -> None:
        """Let senders go on whose messages the kernel has taken."""
        while self._charged and self._charged[0][2] <= self._sent_bytes:
            self._release()

    def _release(self) -> None:
        sender, size, _ = self._charged.popleft()
        if sender is not self._sender:
            self.unread_of_others -= size
        sender.release(self._sender, size)

    @property
    def unsent_bytes(self) -> int:
        """Return how many bytes the kernel has not taken."""
        return len(self._unsent)

    def _keep(self, data: memoryview) -> None:
        self._unsent += data
        self._pool.keep(self, len(data))
        if self._is_closed:
            return
        if len(self._unsent) > self._limit:
            self.drop(f"left more than {self._limit} bytes unread")
        else:
            self._filled.set()

    def drop(self, reason: str) -> None:
        """Send nothing more, and close the connection for *reason*."""
        self.close()
        self._owner.drop(reason)

    def fail(self, error: Exception) -> None:
        """Send nothing more, because of an unexpected *error*."""
        self.close()
        self._owner.fail(error)

    def close(self) -> None:
        """Send nothing more: the connection is closed."""
        self._is_closed = True
        self._pool.release(self, len(self._unsent))
        self._unsent = bytearray()
        self._caused.clear()
        while self._charged:
            self._release()
        self._report_emptied()

    def _report_emptied(self) -> None:
        if self._emptied is not None:
            self._emptied.set()

    async def drain(self) -> None:
        """Send the rest as fast as the kernel takes it, until that fails."""
        while not self._is_closed:
            if not self._unsent:
                self._report_emptied()
                self._filled = trio.Event()
                await self._filled.wait()
            await self._transport.wait_writable()
            with memoryview(self._unsent) as unsent:
                sent = self._send_now(unsent)
            self._pool.release(self, sent)
            del self._unsent[:sent]
            self._sent_bytes += sent
            self._release_sent()

    async def flushed(self) -> None:
        """Wait until the kernel has all that was put, or the client has failed."""
        while (self._uncommitted or self._unsent) and not self._is_closed:
            self._emptied = trio.Event()
            await self._emptied.wait()
