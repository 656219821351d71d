"""Listening sockets: accept connections, within limits, and serve each in a task.

A connection that is one too many is closed at once. What goes wrong with accepting
delays the next accept, and ends nothing.
"""

import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Final

import trio

from .event_sink import EventSink
from .limits import ConnectionLimits

BACKLOG: Final = 256
"""How many connections the kernel holds until they are accepted."""
RECOVERY_SECONDS: Final = 0.1
"""How long to wait when a connection cannot be accepted."""

Serve = Callable[[socket.socket], Awaitable[None]]


class ConnectionLimiter:
    """Counts connections, in all and by address."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits: Final = limits
        self._by_address: Final[Counter[str]] = Counter()
        self._total = 0

    def admit(self, address: str) -> bool:
        """Return whether a connection from *address* is within the limits; count it."""
        limits = self._limits
        exempt = limits.loopback_exempt and ip_address(address).is_loopback
        if self._total >= limits.total:
            return False
        if not exempt and self._by_address[address] >= limits.per_address:
            return False
        self._total += 1
        self._by_address[address] += 1
        return True

    def release(self, address: str) -> None:
        """Stop counting a connection that has ended."""
        self._total -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises `OSError` if the address is not free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listening.setblocking(False)
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address that a socket listens on, as HOST:PORT."""
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class Listener:
    """Accepts connections on one socket, and serves each in a task of its own."""

    def __init__(
        self,
        listening: socket.socket,
        limiter: ConnectionLimiter,
        serve: Serve,
        events: EventSink,
    ) -> None:
        """Accept from *listening*, and close it in the end; *serve* each connection."""
        self._listening: Final = listening
        self._limiter: Final = limiter
        self._serve: Final = serve
        self._events: Final = events

    async def run(self, nursery: trio.Nursery) -> None:
        """Accept until cancelled; sessions run in *nursery*."""
        with self._listening:
            while True:
                await trio.lowlevel.wait_readable(self._listening)
                try:
                    connection, peer = self._listening.accept()
                except (BlockingIOError, ConnectionAbortedError):
                    continue
                except OSError as error:
                    # Out of files or memory, or a fault of the network.
                    self._events.accepting_failed(str(error))
                    await trio.sleep(RECOVERY_SECONDS)
                    continue
                self._admit(connection, peer[0], nursery)

    def _admit(
        self, connection: socket.socket, address: str, nursery: trio.Nursery
    ) -> None:
        if not self._limiter.admit(address):
            self._events.connection_refused(address)
            connection.close()
            return
        nursery.start_soon(self._run, connection, address)

    async def _run(self, connection: socket.socket, address: str) -> None:
        try:
            await self._serve(connection)
        except Exception as error:  # noqa: BLE001 (whatever it is, it ends this one only)
            self._events.connection_failed(address, error)
        finally:
            connection.close()
            self._limiter.release(address)
