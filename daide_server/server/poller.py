"""One task that watches the transports of all clients.

A server of small messages spends most of its time on waiting: a task that waits
for each socket costs about as much as reading and answering the message. So
transports are registered once; all that are readable get in line, and then clients are
served, in one pass (`fairness.py`). Between passes every other task has its turn.
"""

import math
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import trio

from .fairness import Turns
from .outbox import Outboxes
from .server_clock import ServerClock
from .transport import Pollable

Work = Callable[[], None]
"""Lets somebody get in line. It must not raise."""


class Poller(Protocol):
    """Calls sessions back, in passes."""

    @property
    def outboxes(self) -> Outboxes:
        """Return what is sent when a pass ends."""

    @property
    def turns(self) -> Turns:
        """Return who is served next."""

    @property
    def clock(self) -> ServerClock:
        """Return the time; nobody is read while it stands still."""

    def watch(self, transport: Pollable, work: Work) -> None:
        """Call *work* in every pass in which *transport* is readable."""

    def forget(self, transport: Pollable) -> None:
        """Stop watching *transport*, if it is watched."""

    def wake(self) -> None:
        """Begin a pass soon: somebody got in line outside of one."""

    def catch_up(self) -> None:
        """Read once what has come, and handle what players of running games sent.

        To be called in a pass.
        """

    async def run(self) -> None:
        """Call for what is readable, pass after pass, until cancelled."""


class SocketPoller:
    """A `Poller` of what the operating system can wait for (epoll, kqueue)."""

    def __init__(self, outboxes: Outboxes, clock: ServerClock) -> None:
        """Read and serve nothing while *clock* stands still."""
        self.outboxes: Final = outboxes
        self.turns: Final = Turns(outboxes)
        self.clock: Final = clock
        self._selector: Final = selectors.DefaultSelector()
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
        if not self._is_over:
            descriptor = transport.fileno()
            self._selector.register(descriptor, selectors.EVENT_READ)
            self._watched[descriptor] = work

    def forget(self, transport: Pollable) -> None:
        """Stop watching *transport*, if it is watched."""
        descriptor = transport.fileno()
        if self._watched.pop(descriptor, None) is not None:
            self._selector.unregister(descriptor)

    def wake(self) -> None:
        """Begin a pass soon: somebody got in line outside of one."""
        with suppress(OSError):  # full of bytes that wake as well, or closed
            self._waker.send(b"x")

    def catch_up(self) -> None:
        """Read once what has come, and handle what players of running games sent.

        To be called in a pass.
        """
        self._look()
        self.turns.catch_up()

    async def run(self) -> None:
        """Handle readable transports, pass after pass, until cancelled."""
        self.watch(self._awake, self._clear_wake)
        try:
            while True:
                await self._wait()
                while not self.clock.is_running:
                    await self.clock.running()
                with self.outboxes.passes:
                    self._look()
                    self.turns.run()
        finally:
            self._is_over = True
            self._selector.close()
            self._watched.clear()
            self._awake.close()
            self._waker.close()

    async def _wait(self) -> None:
        """Wait until somebody is to be read or served."""
        if not self.turns.is_empty:
            await trio.lowlevel.checkpoint()
        elif (delay := self.turns.delay) == math.inf:
            await trio.lowlevel.wait_readable(self._selector.fileno())
        else:
            with trio.move_on_after(delay):
                await trio.lowlevel.wait_readable(self._selector.fileno())

    def _clear_wake(self) -> None:
        self._awake.recv(4096)

    def _look(self) -> None:
        for key, _ in self._selector.select(0):
            work = self._watched.get(key.fd)
            # The work of one transport may have stopped the watch of another.
            if work is not None:
                work()
