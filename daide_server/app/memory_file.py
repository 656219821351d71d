"""Files without a name, in memory where the system has such, for a new program."""

import os
import tempfile
from typing import Final

memfd_create = getattr(os, "memfd_create", None)
"""`None` where the system has none."""


def memory_file(name: str, data: bytes) -> int:
    """Return the descriptor of a new file that holds *data*, to be read from its start.

    Raises `OSError`.
    """
    fd = _new(name)
    try:
        rewrite(fd, data)
        os.lseek(fd, 0, os.SEEK_SET)
    except BaseException:
        os.close(fd)
        raise
    return fd


def _new(name: str) -> int:
    if memfd_create is not None:
        return int(memfd_create(name))
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def rewrite(fd: int, data: bytes) -> None:
    """Let the file hold *data*. Raises `OSError`."""
    at = 0
    while at < len(data):
        at += os.pwrite(fd, data[at:], at)
    os.ftruncate(fd, len(data))


def read_all(fd: int) -> bytes:
    """Return what is in the file, from its start. Raises `OSError`."""
    parts: list[bytes] = []
    at = 0
    while part := os.pread(fd, PART_SIZE, at):
        parts.append(part)
        at += len(part)
    return b"".join(parts)


PART_SIZE: Final = 1 << 20
