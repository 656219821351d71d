"""The Unix socket of a server's control, found by its journal folder.

It is `control.sock` in that folder. If that is impossible (the path is too long, the
file system has no sockets), it is in a private folder for files of running programs,
and `control.path` has its path. The holder of the journal folder's lock may replace the
files of a killed server. All functions block.
"""

import os
import socket
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from .archive import replace

SOCKET = "control.sock"
POINTER = "control.path"
BACKLOG = 8
RECEIVE_BYTES = 65536
PRIVATE = 0o077
"""Permissions of other users, which a private folder does not grant."""


def listen(folder: Path) -> socket.socket:
    """Return the socket of the server with journals in *folder*; raises `OSError`."""
    folder = folder.absolute()
    remove(folder)
    try:
        return _listen_at(folder / SOCKET)
    except OSError:
        return _listen_elsewhere(folder)


def _listen_elsewhere(folder: Path) -> socket.socket:
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    is_there = Path(base).is_absolute() and Path(base).is_dir()
    private = tempfile.mkdtemp(prefix="daide-server-", dir=base if is_there else None)
    path = Path(private) / SOCKET
    # Written first, so that `remove` always finds the private folder.
    replace(folder / POINTER, os.fsencode(path), mode=0o600)
    try:
        return _listen_at(path)
    except OSError:
        remove(folder)
        raise


def _listen_at(path: Path) -> socket.socket:
    """Return a socket at *path* that only its owner can use; raises `OSError`."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(os.fspath(path))
        path.chmod(0o600)
        # Nobody can connect before.
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def remove(folder: Path) -> None:
    """Remove the socket of *folder*, wherever it is; raises `OSError`."""
    place = _place_elsewhere(folder)
    if place is not None:
        with suppress(OSError):
            place.unlink(missing_ok=True)
            place.parent.rmdir()
    for name in (SOCKET, POINTER):
        (folder / name).unlink(missing_ok=True)


def is_in(folder: Path) -> bool:
    """Return whether *folder* has a socket; its server may have been killed."""
    return (folder / SOCKET).exists() or (folder / POINTER).exists()


def connect(folder: Path, seconds: float) -> socket.socket:
    """Return a connection whose operations take *seconds* at most; raises `OSError`."""
    path = _place_elsewhere(folder) or folder / SOCKET
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(seconds)
    try:
        connection.connect(os.fspath(path))
    except OSError:
        connection.close()
        raise
    return connection


def ask(folder: Path, request: bytes, seconds: float) -> bytes:
    """Return the line that the server of *folder* answers to the line *request*.

    Raises `OSError`.
    """
    answer = bytearray()
    with connect(folder, seconds) as connection:
        connection.sendall(request)
        while not answer.endswith(b"\n"):
            part = connection.recv(RECEIVE_BYTES)
            if not part:
                raise ConnectionError("it closed the connection")
            answer += part
    return bytes(answer)


def _place_elsewhere(folder: Path) -> Path | None:
    """Return the path in the pointer of *folder*, unless another user may own it."""
    try:
        path = Path(os.fsdecode((folder / POINTER).read_bytes()))
        found = path.parent.lstat()
        owner = folder.stat().st_uid
    except (OSError, ValueError):
        return None
    is_private = stat.S_ISDIR(found.st_mode) and not found.st_mode & PRIVATE
    return path if is_private and found.st_uid == owner else None
