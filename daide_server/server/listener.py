"""Sockets in: listen on an address and serve whoever comes.

A connection that may not be accepted is closed at once; whatever goes wrong with
accepting slows it down, and ends nothing.
"""

import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Final

import structlog
import trio

from .limits import ConnectionLimits

BACKLOG = 256
RECOVERY = 0.1
"""Seconds until the next try when a connection cannot be accepted."""

Serve = Callable[[socket.socket], Awaitable[None]]


class ConnectionLimiter:
    """Counts connections and says who may come in."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._by_address: Counter[str] = Counter()
        self._total = 0

    def admit(self, address: str) -> bool:
        """Count a connection from *address* in, if it may come."""
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
        """Count a connection out."""
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
        self, listening: socket.socket, limiter: ConnectionLimiter, serve: Serve
    ) -> None:
        self.log: Final = structlog.get_logger()
        self._listening = listening
        self._limiter = limiter
        self._serve = serve

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
                    self.log.warning("accept.failed", reason=str(error))
                    await trio.sleep(RECOVERY)
                    continue
                self._receive(connection, peer[0], nursery)

    def _receive(
        self, connection: socket.socket, address: str, nursery: trio.Nursery
    ) -> None:
        if not self._limiter.admit(address):
            self.log.info("connection.refused", address=address)
            connection.close()
            return
        nursery.start_soon(self._attend, connection, address)

    async def _attend(self, connection: socket.socket, address: str) -> None:
        try:
            await self._serve(connection)
        except Exception:
            # Our own fault, whatever it is: it must cost this client only.
            self.log.exception("session.failed", address=address)
        finally:
            connection.close()
            self._limiter.release(address)
