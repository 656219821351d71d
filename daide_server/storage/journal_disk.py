"""What a journal does with files: all bytes or an error, and names that last.

Tests put a disk that fails in place of these functions.
"""

import os
from pathlib import Path
from stat import S_ISREG

from daide_server.errors import ReportedError


class JournalError(ReportedError):
    """The journal cannot be used; the message says which, what was found, and why."""


def read_all(fd: int) -> bytes:
    """Return all bytes of the file; raises `OSError`."""
    with os.fdopen(os.dup(fd), "rb") as file:
        file.seek(0)
        return file.read()


def read_file(path: Path) -> bytes:
    """Return all bytes of *path*; raises `JournalError`, and `OSError`."""
    # To open a pipe must not wait for who writes to it.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        expect_file(fd, path)
        return read_all(fd)
    finally:
        os.close(fd)


def expect_file(fd: int, path: Path) -> None:
    """Raise `JournalError` for what may have no end, such as a device or a pipe."""
    if not S_ISREG(os.fstat(fd).st_mode):
        message = f"{path}: found no regular file, expected a journal"
        raise JournalError(message)


def write_all(fd: int, data: bytes) -> None:
    """Write *data* where the file is; raises `OSError` when some may be written."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def copy_aside(path: Path, data: bytes) -> Path:
    """Write *data* beside *path* under a name that is free, and return that."""
    number = 1
    while True:
        copy = path.with_name(f"{path.name}.damaged-{number}")
        try:
            fd = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            number += 1
            continue
        try:
            write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        return copy


def sync_folder(folder: Path) -> None:
    """Wait until the names in *folder* are on the disk; raises `OSError`."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
