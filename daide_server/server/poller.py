"""One task that watches the transports of all clients.

A server of small messages spends most of its time on waiting: a task that waits
for each socket costs about as much as reading and answering the message. So
transports are registered once, and all that are readable are read in one pass; then
clients are served in the order of the work queue. Between passes every other task has
its turn.
"""

import math
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import trio

from .passes import Passes
from .readable import BestSet, ReadableSet
from .server_clock import ServerClock
from .transport import Pollable
from .work_queue import WorkQueue

Work = Callable[[], None]
"""Handles what has come, without waiting. It must not raise."""


class Poller(Protocol):
    """Calls sessions back, in passes."""

    def watch(self, transport: Pollable, work: Work) -> None:
        """Call *work* in every pass in which *transport* is readable."""

    def forget(self, transport: Pollable) -> None:
        """Stop watching *transport*, if it is watched."""

    def wake(self) -> None:
        """Begin a pass soon: somebody was added to the work queue outside of one."""

    def catch_up(self) -> None:
        """Read once what has come, and handle what players of running games sent.

        To be called in a pass.
        """


class SocketPoller:
    """A `Poller` of what the operating system can wait for (epoll, kqueue)."""

    def __init__(
        self, passes: Passes, queue: WorkQueue, clock: ServerClock | None = None
    ) -> None:
        """Serve in each pass whom *queue* has, after what was readable is read.

        Nothing is read or served while *clock* stands still.
        """
        self._passes: Final = passes
        self._queue: Final = queue
        self._clock: Final = clock or ServerClock()
        self._readable: Final[ReadableSet] = BestSet()
        self._watched: Final[dict[int, Work]] = {}
        self._is_over = False
        self._awake, self._waker = socket.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)

    def watch(self, transport: Pollable, work: Work) -> None:
        """Call *work* in every pass in which *transport* is readable.

        After the last pass nothing is watched: a client may still connect while the
        server stops.
        """
        if self._is_over:
            return
        descriptor = transport.fileno()
        self._readable.add(descriptor)
        self._watched[descriptor] = work

    def forget(self, transport: Pollable) -> None:
        """Stop watching *transport*, if it is watched."""
        descriptor = transport.fileno()
        if descriptor in self._watched:
            del self._watched[descriptor]
            self._readable.remove(descriptor)

    def wake(self) -> None:
        """Begin a pass soon: somebody was added to the work queue outside of one."""
        with suppress(OSError):  # full of bytes that wake as well, or closed
            self._waker.send(b"x")

    def catch_up(self) -> None:
        """Read once what has come, and handle what players of running games sent.

        To be called in a pass.
        """
        self._read()
        self._queue.catch_up()

    async def run(self) -> None:
        """Handle readable transports, pass after pass, until cancelled."""
        self.watch(self._awake, self._clear_wake)
        try:
            while True:
                await self._wait()
                while not self._clock.is_running:
                    await self._clock.running()
                with self._passes:
                    self._read()
                    self._queue.run(self._read)
        finally:
            self._is_over = True
            self._readable.close()
            self._watched.clear()
            self._awake.close()
            self._waker.close()

    async def _wait(self) -> None:
        """Wait until somebody is to be read or served."""
        if not self._queue.is_empty:
            await trio.lowlevel.checkpoint()
        elif (delay := self._queue.delay) == math.inf:
            await trio.lowlevel.wait_readable(self._readable.fileno())
        else:
            with trio.move_on_after(delay):
                await trio.lowlevel.wait_readable(self._readable.fileno())

    def _clear_wake(self) -> None:
        self._awake.recv(4096)

    def _read(self) -> None:
        for descriptor in self._readable.readable():
            work = self._watched.get(descriptor)
            # The work of one transport may have stopped the watch of another.
            if work is not None:
                work()
