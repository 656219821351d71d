"""One task that watches the transports of all clients.

A server of small messages spends most of its time on waiting: a task that waits
for each socket costs about as much as reading and answering the message. So
transports are registered once, and all that are readable are handled in one pass,
between which every other task has its turn.
"""

import selectors
from collections.abc import Callable
from typing import Final, Protocol

import trio

from .passes import Passes
from .transport import Pollable

Work = Callable[[], None]
"""Handles what has come, without waiting. It must not raise."""


class Poller(Protocol):
    """Calls sessions back, in passes."""

    def watch(self, transport: Pollable, work: Work) -> None:
        """Call *work* in every pass in which *transport* is readable."""

    def forget(self, transport: Pollable) -> None:
        """Stop watching *transport*, if it is watched."""

    def later(self, work: Work) -> None:
        """Call *work* in the next pass."""


class SocketPoller:
    """A `Poller` of what the operating system can wait for (epoll, kqueue)."""

    def __init__(self, passes: Passes) -> None:
        self._passes: Final = passes
        self._selector: Final = selectors.DefaultSelector()
        self._watched: Final[set[int]] = set()
        self._later: list[Work] = []

    def watch(self, transport: Pollable, work: Work) -> None:
        """Call *work* in every pass in which *transport* is readable."""
        self._selector.register(transport, selectors.EVENT_READ, work)
        self._watched.add(transport.fileno())

    def forget(self, transport: Pollable) -> None:
        """Stop watching *transport*, if it is watched."""
        descriptor = transport.fileno()
        if descriptor in self._watched:
            self._watched.remove(descriptor)
            self._selector.unregister(transport)

    def later(self, work: Work) -> None:
        """Call *work* in the next pass."""
        self._later.append(work)

    async def run(self) -> None:
        """Handle readable transports, pass after pass, until cancelled."""
        try:
            while True:
                if self._later:
                    await trio.lowlevel.checkpoint()
                else:
                    await trio.lowlevel.wait_readable(self._selector.fileno())
                with self._passes:
                    self._handle_readable()
        finally:
            self._selector.close()
            self._watched.clear()

    def _handle_readable(self) -> None:
        later, self._later = self._later, []
        for work in later:
            work()
        for key, _ in self._selector.select(0):
            # The work of one transport may have stopped the watch of another.
            if key.fd in self._watched:
                key.data()
