"""The right to play a tournament: a lock on a file, which ends with its process.

Workers never inherit the lock, so a run that was killed alone can be started again at
once.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .errors import RunLockedError

LOCK_FILE: Final = "run.lock"
TRIES: Final = 10
"""Who only looks whether a run plays holds the lock for a moment."""
PAUSE: Final = 0.02


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold the right to play the tournament in *folder*; raises `RunLockedError`."""
    file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not any(_is_taken(file, pause) for pause in (*[PAUSE] * TRIES, 0.0)):
            owner = os.read(file, 20).decode(errors="replace") or "unknown"
            message = f"{folder}: found a run in process {owner}, expected none"
            raise RunLockedError(message)
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        yield
    finally:
        os.close(file)


def is_played(folder: Path) -> bool:
    """Tell whether a run plays the tournament in *folder* now."""
    try:
        file = os.open(folder / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _is_taken(file, shared=True)
    finally:
        os.close(file)


def _is_taken(file: int, pause: float = 0.0, *, shared: bool = False) -> bool:
    """Take the lock and return whether that worked; else wait for *pause* seconds."""
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        time.sleep(pause)
        return False
    return True
