"""Sockets that listen: connections are accepted, within limits, and served.

A connection that is one too many is closed at once (`admission.py`). What goes wrong
with accepting delays the next accept, and ends nothing.
"""

import errno
import math
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from daide_server.game.directory import PortTarget
from daide_server.game.events import Seconds
from daide_server.host_port import address_text

from .admission import Admission, ConnectionLimiter
from .events import AcceptFailed, ConnectionFailed, ConnectionRefused, Events

BACKLOG: Final = 256
"""How many connections the kernel holds until they are accepted."""
RECOVERY_SECONDS: Final = 0.1
"""How long to wait when a connection cannot be accepted."""

REFUSALS_EVERY: Final = 1.0
"""How often refused connections are reported at most."""

Serve = Callable[[socket.socket, PortTarget, Admission], Awaitable[None]]


def why_not(error: OSError) -> str:
    """Return in words why an address could not be had."""
    words = error.strerror or str(error)
    # Python repeats the address behind the words.
    words, _, _ = words.partition(" (while attempting")
    is_taken = error.errno == errno.EADDRINUSE
    return f"{words}; port 0 takes a free one" if is_taken else words


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises `OSError` if the address is not free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listening.setblocking(False)
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address that a socket listens on, as HOST:PORT."""
    return address_text(listening.getsockname()[:2])


class Refusals:
    """Reports connections that were refused, one event a second at most."""

    def __init__(self, events: Events) -> None:
        self._emit: Final = events
        self._counts: Final[Counter[str]] = Counter()
        self._address = ""
        self._reported_at = -math.inf

    @property
    def due(self) -> Seconds:
        """Return when to `report` what there is; infinity if there is nothing."""
        return self._reported_at + REFUSALS_EVERY if self._counts else math.inf

    def note(self, address: str, reason: str) -> None:
        """Count a refusal, and report it if none was reported just now."""
        self._counts[reason] += 1
        self._address = address
        self.report()

    def report(self) -> None:
        """Report what was counted, if it is time."""
        now = trio.current_time()
        if now < self.due or not self._counts:
            return
        self._reported_at = now
        total = self._counts.total()
        reasons = ", ".join(
            reason if count == total else f"{reason}: {count}"
            for reason, count in self._counts.items()
        )
        self._counts.clear()
        self._emit(ConnectionRefused(self._address, reasons, total))


class Listener:
    """Accepts the connections of one server, and serves each in a task of its own."""

    def __init__(
        self, limiter: ConnectionLimiter, serve: Serve, events: Events
    ) -> None:
        self._limiter: Final = limiter
        self._refusals: Final = Refusals(events)
        self._serve: Final = serve
        self._emit: Final = events

    async def accept_at(
        self, listening: socket.socket, target: PortTarget, nursery: trio.Nursery
    ) -> None:
        """Accept clients for *target* until cancelled, and then close *listening*.

        They are served in *nursery*.
        """
        with listening:
            while True:
                await self._wait(listening)
                try:
                    connection, peer = listening.accept()
                except (BlockingIOError, ConnectionAbortedError):
                    continue
                except OSError as error:
                    # Out of files or memory, or a fault of the network.
                    self._emit(AcceptFailed(str(error)))
                    await trio.sleep(RECOVERY_SECONDS)
                    continue
                address = peer[0]
                admission = self._limiter.admit(address, trio.current_time())
                if admission.is_refused:
                    self._refusals.note(address, admission.value)
                    connection.close()
                else:
                    nursery.start_soon(
                        self._run, connection, address, target, admission
                    )

    async def _wait(self, listening: socket.socket) -> None:
        """Wait for a connection; report refusals meanwhile."""
        while True:
            with trio.move_on_at(self._refusals.due):
                await trio.lowlevel.wait_readable(listening)
                return
            self._refusals.report()

    async def _run(
        self,
        connection: socket.socket,
        address: str,
        target: PortTarget,
        admission: Admission,
    ) -> None:
        try:
            await self._serve(connection, target, admission)
        except Exception as error:  # noqa: BLE001 (whatever it is, it ends this one only)
            self._emit(ConnectionFailed(address, error))
        finally:
            connection.close()
            self._limiter.release(address)
