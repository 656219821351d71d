"""Which process is at the other end of a connection on this machine (Linux).

Elsewhere, and where /proc does not tell, the answer is that it is not known, and the
peer is let in: a port that only one bot knows is protection enough there.
"""

import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
from attrs import frozen

from .descendants import GONE

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
