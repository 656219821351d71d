"""The port of one seat: known from the start, open only while its bot may join."""

import socket
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from .bot_program import HOST

BACKLOG_OF_SEAT: Final = 16
RETRY_SECONDS_OF_SEAT: Final = 0.1
"""How long to wait when a connection cannot be accepted."""

AcceptSeat = Callable[[socket.socket], Awaitable[None]]
"""Takes a connection over."""


class SeatPort:
    """A port of this machine that the system chose; connections to it are refused.

    A socket that is bound and does not listen keeps the number from being given to
    others. To be closed in the end.
    """

    def __init__(self) -> None:
        """Reserve a port; raises `OSError` if the system has none."""
        self._reserved: Final = _bound(0)
        self.number: Final[int] = self._reserved.getsockname()[1]

    def close(self) -> None:
        """Give the port back."""
        self._reserved.close()

    def open(self) -> socket.socket:
        """Return a socket that listens: what connects waits for `accept`."""
        listening = _bound(self.number)
        listening.listen(BACKLOG_OF_SEAT)
        return listening

    async def accept(self, listening: socket.socket, take: AcceptSeat) -> None:
        """Hand each connection to *take* until cancelled; then close the port."""
        with listening:
            while True:
                await trio.lowlevel.wait_readable(listening)
                try:
                    connection, _ = listening.accept()
                except (BlockingIOError, ConnectionAbortedError):
                    continue
                except OSError:
                    await trio.sleep(RETRY_SECONDS_OF_SEAT)
                    continue
                await take(connection)


def _bound(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setblocking(False)
        # Two sockets share the number: the one that reserves it, and the one that
        # listens. BSD asks for the other option.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if not hasattr(socket, "SO_BINDTODEVICE") and hasattr(socket, "SO_REUSEPORT"):
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind((HOST, port))
    except BaseException:
        bound.close()
        raise
    return bound


def connected_pair() -> tuple[socket.socket, socket.socket]:
    """Return a client's and a server's end of a TCP connection inside this process.

    Raises `OSError`. No other process can get in between: the port takes only the
    connection whose address is known.
    """
    with socket.create_server((HOST, 0), backlog=1) as listening:
        client = socket.create_connection(listening.getsockname())
        try:
            for _ in range(BACKLOG_OF_SEAT):
                server, address = listening.accept()
                if address == client.getsockname():
                    server.setblocking(False)
                    return client, server
                server.close()
        except BaseException:
            client.close()
            raise
        client.close()
        message = "cannot connect to itself: others were faster"
        raise OSError(message)
