"""The transport of a client: a TCP socket, and its trace.

Unreachable peers are found by TCP keep-alive. There is none while sent bytes are
unacknowledged, and retransmissions continue for a quarter of an hour; TCP_USER_TIMEOUT
would also disconnect a client whose window is closed while it computes. Therefore the
counts of unanswered retransmissions and window probes are read (TCP_INFO, Linux).
"""

import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio

from daide_server.game.events import ClientId
from daide_server.library.archive import SUFFIX_OF_TRACES, TraceFile

READ_SIZE = 1024
"""Bytes read in one call, and parsed before other clients are served."""
PROBES = 3
"""Unanswered keep-alive probes after which the kernel closes a connection."""
MAX_UNCONFIRMED = 8
"""Maximum retransmissions: doubling from 0.2 seconds, they take about a minute."""

IDLE_OPTION: int | None = getattr(
    socket, "TCP_KEEPIDLE", getattr(socket, "TCP_KEEPALIVE", None)
)
INTERVAL_OPTION: int | None = getattr(socket, "TCP_KEEPINTVL", None)
COUNT_OPTION: int | None = getattr(socket, "TCP_KEEPCNT", None)
INFO_OPTION: int | None = getattr(socket, "TCP_INFO", None)
INFO_BYTES = 5
"""The first bytes of `struct tcp_info`: state, ca_state, retransmits, probes, backoff;
one byte each."""


Trace = Callable[[bytes, bool], None]
"""Stores bytes; the second argument says whether the client sent them."""


class Transport:
    """A connected TCP socket with non-blocking receive and send."""

    def __init__(
        self,
        connection: socket.socket,
        silence: float = 60.0,
        trace: Trace | None = None,
    ) -> None:
        """Take over *connection*; close it after *silence* seconds without its peer.

        *trace* gets all bytes. Raises `OSError` if the connection is already broken.
        """
        connection.setblocking(False)
        keep_alive(connection, silence)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection: Final = connection
        self._trace: Final = trace

    @property
    def address(self) -> str:
        """Return the host of the peer; empty if the connection is broken."""
        try:
            return str(self.connection.getpeername()[0])
        except OSError:
            return ""

    @property
    def is_unanswered(self) -> bool:
        """Return whether the peer has acknowledged nothing for about a minute."""
        if INFO_OPTION is None:
            return False
        try:
            info = self.connection.getsockopt(
                socket.IPPROTO_TCP, INFO_OPTION, INFO_BYTES
            )
        except OSError:
            return False
        retransmits, probes = info[2:4]
        return max(retransmits, probes) >= MAX_UNCONFIRMED

    def fileno(self) -> int:
        """Return the file descriptor of the socket."""
        return self.connection.fileno()

    def receive_now(self, size: int = READ_SIZE) -> bytes | None:
        """Return received bytes; `None`: none yet; empty: the end. Raises `OSError`."""
        try:
            data = self.connection.recv(size)
        except BlockingIOError:
            return None
        if self._trace is not None and data:
            self._trace(data, True)
        return data

    def send_now(self, data: bytes | memoryview) -> int:
        """Return how many bytes of *data* the kernel has accepted; raises `OSError`."""
        try:
            size = self.connection.send(data)
        except BlockingIOError:
            return 0
        if self._trace is not None and size:
            self._trace(bytes(data[:size]), False)
        return size

    def end(self) -> None:
        """Send FIN, but continue to receive; raises `OSError`."""
        self.connection.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close the socket; waiting tasks get `trio.ClosedResourceError`."""
        trio.lowlevel.notify_closing(self.connection)
        self.connection.close()

    async def wait_readable(self) -> None:
        """Wait until there are bytes, or the end, to receive."""
        await trio.lowlevel.wait_readable(self.connection)

    async def wait_writable(self) -> None:
        """Wait until the kernel accepts bytes."""
        await trio.lowlevel.wait_writable(self.connection)


async def end_of(transport: Transport) -> None:
    """Half-close, and wait for the peer to close; drop what it still sends."""
    try:
        transport.end()
        await transport.wait_readable()
        while transport.receive_now() != b"":
            await transport.wait_readable()
    except OSError:
        return


def keep_alive(connection: socket.socket, seconds: float) -> None:
    """Let the kernel close *connection* if its peer is silent for about *seconds*.

    The first probe is sent after half of that time. Raises `OSError`.
    """
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (IDLE_OPTION, max(1, int(seconds / 2))),
        (INTERVAL_OPTION, max(1, int(seconds / 2 / PROBES))),
        (COUNT_OPTION, PROBES),
    ):
        if option is not None:
            connection.setsockopt(socket.IPPROTO_TCP, option, value)


def trace_file(folder: Path, client: ClientId, limit: int) -> Trace:
    """Return the trace of *client*, a new file in *folder*."""
    began = trio.current_time()
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
    path = folder / f"{stamp}-{client:06}{SUFFIX_OF_TRACES}"
    file = TraceFile(path, limit, lambda: int((trio.current_time() - began) * 1000))
    return lambda data, by_client: file.add(data, by_client=by_client)
