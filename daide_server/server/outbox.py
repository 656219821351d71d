"""What one client has yet to be sent: bounded in bytes, never waited for.

`put` sends at once what the kernel takes; the rest is queued for the writer
task. A client that does not read what it is sent is closed instead.
"""

from collections import deque
from collections.abc import Callable

import trio


class Outbox:
    """The bytes on their way to one client, in order."""

    def __init__(
        self,
        send_now: Callable[[bytes], int],
        limit: int,
        on_failure: Callable[[str], None],
    ) -> None:
        """Make an outbox that holds at most *limit* bytes.

        `send_now` sends what can be sent without waiting, and returns how many
        bytes that was. `on_failure` is told why the client must be closed.
        """
        self._send_now = send_now
        self._limit = limit
        self._on_failure = on_failure
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._writing = False
        self._filled = trio.Event()
        self._emptied = trio.Event()
        self._failed = False

    def put(self, data: bytes) -> None:
        """Send *data* after all that was put before."""
        if self._failed:
            return
        if not self._writing:
            try:
                sent = self._send_now(data)
            except OSError as error:
                self._fail(f"cannot be sent to: {error}")
                return
            if sent == len(data):
                return
            data = data[sent:]
        self._queue_up(data)

    def _queue_up(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > self._limit:
            self._fail(f"left more than {self._limit} bytes unread")
            return
        self._queue.append(data)
        self._writing = True
        self._filled.set()

    def _fail(self, reason: str) -> None:
        self._failed = True
        self._queue.clear()
        self._on_failure(reason)

    async def drain_to(self, stream: trio.abc.SendStream) -> None:
        """Send what is queued, for as long as the client is there."""
        while True:
            await self._filled.wait()
            self._filled = trio.Event()
            while self._queue:
                data = b"".join(self._queue)
                self._queue.clear()
                await stream.send_all(data)
                self._size -= len(data)
            self._writing = False
            self._emptied.set()
            self._emptied = trio.Event()

    async def flushed(self) -> None:
        """Wait until nothing is queued any more."""
        while self._writing and not self._failed:
            await self._emptied.wait()
