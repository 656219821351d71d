"""What carries the bytes of one client: an interface, and the TCP socket behind it.

A transport sends and receives without waiting; only `wait_readable` and
`wait_writable` wait. TLS or a WebSocket is another class with these methods.
"""

import socket
from typing import Final, Protocol

import trio

from .keep_alive import is_unanswered, keep_alive

READ_SIZE: Final = 1024
"""How many bytes are read at once, and taken apart before others have a turn."""


class Pollable(Protocol):
    """What a poller watches."""

    def fileno(self) -> int:
        """Return the file descriptor that is readable when bytes have come."""


class Transport(Pollable, Protocol):
    """A bidirectional stream of bytes to one client, with a half-close."""

    @property
    def address(self) -> str:
        """Return the address of the peer; empty if it is not known."""

    @property
    def is_unanswered(self) -> bool:
        """Return whether the peer is sent bytes, and gone without a word."""

    def receive_now(self, size: int = READ_SIZE) -> bytes | None:
        """Return bytes that have come, *size* at most.

        `None` if there are none, empty at the end.

        A transport must leave the others on its descriptor: what it keeps back does
        not make the descriptor readable again.
        Raises `OSError` if the connection is broken.
        """

    def send_now(self, data: bytes | memoryview) -> int:
        """Send what can be sent without waiting; return how many bytes that was.

        Raises `OSError` if the connection is broken.
        """

    def end(self) -> None:
        """Close the sending half; the peer reads an end and may still send.

        Raises `OSError` if the connection is broken.
        """

    def close(self) -> None:
        """Close both halves; whoever waits gets `trio.ClosedResourceError`."""

    async def wait_readable(self) -> None:
        """Wait until `receive_now` returns something."""

    async def wait_writable(self) -> None:
        """Wait until `send_now` takes some bytes."""


class SocketTransport:
    """A connected TCP socket as a `Transport`."""

    def __init__(self, connection: socket.socket, silence: float = 60.0) -> None:
        """Take over *connection*, with keep-alive and without Nagle's algorithm.

        A peer that is unreachable for about *silence* seconds is given up.

        Raises `OSError` if the connection is broken already.
        """
        connection.setblocking(False)
        keep_alive(connection, silence)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection: Final = connection

    @property
    def address(self) -> str:
        """Return the host of the peer; a broken connection has none."""
        try:
            return str(self._connection.getpeername()[0])
        except OSError:
            return ""

    @property
    def is_unanswered(self) -> bool:
        """Return whether the peer has confirmed nothing for about a minute."""
        return is_unanswered(self._connection)

    def fileno(self) -> int:
        """Return the descriptor of the socket."""
        return self._connection.fileno()

    def receive_now(self, size: int = READ_SIZE) -> bytes | None:
        """Return bytes that have come, *size* at most.

        `None` if there are none, empty at the end.

        Raises `OSError` if the connection is broken.
        """
        try:
            return self._connection.recv(size)
        except BlockingIOError:
            return None

    def send_now(self, data: bytes | memoryview) -> int:
        """Send what the kernel takes; return how many bytes that was.

        Raises `OSError` if the connection is broken.
        """
        try:
            return self._connection.send(data)
        except BlockingIOError:
            return 0

    def end(self) -> None:
        """Send FIN.

        Raises `OSError` if the connection is broken.
        """
        self._connection.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close the socket."""
        trio.lowlevel.notify_closing(self._connection)
        self._connection.close()

    async def wait_readable(self) -> None:
        """Wait until bytes, or the end, have come."""
        await trio.lowlevel.wait_readable(self._connection)

    async def wait_writable(self) -> None:
        """Wait until the kernel takes some bytes."""
        await trio.lowlevel.wait_writable(self._connection)


async def end_of(transport: Transport) -> None:
    """Send an end, and wait for that of the peer; what it still sends is dropped."""
    try:
        transport.end()
        await transport.wait_readable()
        while transport.receive_now() != b"":
            await transport.wait_readable()
    except OSError:
        return
