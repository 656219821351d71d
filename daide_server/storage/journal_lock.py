"""The right to write one journal: a lock file that names its process."""

import fcntl
import os
from pathlib import Path

from .journal_disk import JournalError


class JournalLock:
    """The right to write one journal; it ends with the process that holds it."""

    def __init__(self, path: Path) -> None:
        """Take the lock file *path*.

        Raises `JournalError` if another process holds it, with the id of that process.
        """
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._fd, 32, 0).decode("ascii", "replace").strip()
            os.close(self._fd)
            message = f"{path}: process {holder or 'unknown'} uses this journal"
            raise JournalError(message) from None
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Give the lock back."""
        os.close(self._fd)
