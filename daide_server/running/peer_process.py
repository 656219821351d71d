"""The port of one seat, and which process is at the other end of it (Linux).

A port is known from the start, and open only while its bot may join. Where /proc does
not tell who connects, the peer is let in: a port that only one bot knows is protection
enough there.
"""

import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
import trio
from attrs import frozen

from .descendants import GONE
from .executable import HOST

SOCKET_TABLES: Final = ("/proc/net/tcp", "/proc/net/tcp6")
"""A Java program connects to IPv4 addresses by IPv6 sockets."""
LOCAL, REMOTE, USER, INODE = 1, 2, 7, 9
"""Columns of these tables."""


@frozen
class PeerSocket:
    """The socket at the other end: its number in the system, and whose it is."""

    inode: int
    user: int


NO_SOCKET: Final = PeerSocket(0, -1)


def peer_socket(connection: socket.socket) -> PeerSocket | None:
    """Return the other end of a connection; `None` where that is not known.

    If it is gone already, it is a socket that nobody holds.
    """
    if not Path(SOCKET_TABLES[0]).exists():
        return None
    try:
        peer, own = connection.getpeername()[1], connection.getsockname()[1]
    except OSError:
        return NO_SOCKET
    for row in _rows(f":{peer:04X} "):
        if _port(row[LOCAL]) == peer and _port(row[REMOTE]) == own:
            return PeerSocket(int(row[INODE]), int(row[USER]))
    return NO_SOCKET


def is_held_by(peer: PeerSocket, processes: Iterable[psutil.Process]) -> bool:
    """Return whether one of *processes* has the socket.

    What another user's process has cannot be seen (`wrapper = ["sudo", ...]`): then
    the user decides.
    """
    for process in processes:
        try:
            if peer.inode in _sockets(process.pid):
                return True
        except PermissionError:
            with suppress(*GONE):
                if peer.user in {process.uids().effective, process.uids().real}:
                    return True
        except OSError:
            continue
    return False


def holder_of(peer: PeerSocket) -> psutil.Process | None:
    """Return the process that has the socket, to name it."""
    for process in psutil.process_iter():
        with suppress(OSError):
            if peer.inode in _sockets(process.pid):
                return process
    return None


def described(process: psutil.Process | None) -> str:
    """Return a process for people: its number and its command."""
    if process is None:
        return "an unknown process"
    words = ""
    with suppress(*GONE):
        words = " ".join(process.cmdline())[:200] or process.name()
    return f"process {process.pid} ({words})"


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the rows of the tables that contain *text*."""
    for table in SOCKET_TABLES:
        with suppress(OSError):
            lines = Path(table).read_text("ascii").splitlines()
            yield from (line.split() for line in lines if text in line)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _sockets(pid: int) -> Iterator[int]:
    """Yield the numbers of the sockets that a process has; raises `OSError`."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            kind, _, inode = str(entry.readlink()).partition(":[")
            if kind == "socket":
                yield int(inode.removesuffix("]"))


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
