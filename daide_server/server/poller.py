"""The switchboard: one task that watches the sockets of all clients.

A server of small messages spends most of its time on waiting: a task that waits
for each socket costs about as much as reading and answering the message. So
sockets are registered once, and what is readable is worked on in passes, between
which every other task has its turn.
"""

import selectors
import socket
from collections.abc import Callable

import trio

Work = Callable[[], None]


class SocketPoller:
    """Calls back when a socket is readable; nothing here waits for one of them."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._later: list[Work] = []

    def watch(self, connection: socket.socket, work: Work) -> None:
        """Call *work* in every pass in which *connection* is readable."""
        self._selector.register(connection, selectors.EVENT_READ, work)

    def forget(self, connection: socket.socket) -> None:
        """Stop watching *connection*, if it is watched."""
        if connection in self._selector.get_map():
            self._selector.unregister(connection)

    def later(self, work: Work) -> None:
        """Call *work* in the next pass."""
        self._later.append(work)

    async def run(self) -> None:
        """Work on what is readable, pass after pass, until cancelled."""
        with self._selector:
            while True:
                if self._later:
                    await trio.lowlevel.checkpoint()
                else:
                    await trio.lowlevel.wait_readable(self._selector.fileno())
                self._work()

    def _work(self) -> None:
        later, self._later = self._later, []
        for work in later:
            work()
        for key, _ in self._selector.select(0):
            # One of those before may have stopped this one's being watched.
            if key.fd in self._selector.get_map():
                key.data()
