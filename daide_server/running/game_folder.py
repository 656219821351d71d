"""The folder of one game for its bots' own files; a lock tells that its worker lives.

A worker that is killed leaves the folder, as large as its bots were allowed to make it.
The next worker removes it.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

FOLDER_PREFIX: Final = "daide-game-"
YOUNG_SECONDS: Final = 10.0
"""A folder that was made just now may have no lock yet."""


@contextmanager
def game_folder() -> Iterator[Path]:
    """Make a folder, and remove it in the end; raises `OSError`."""
    with tempfile.TemporaryDirectory(
        prefix=FOLDER_PREFIX, ignore_cleanup_errors=True
    ) as name:
        held = _locked(Path(name))
        try:
            yield Path(name)
        finally:
            if held is not None:
                os.close(held)


def remove_left_folders() -> int:
    """Remove the folders of games whose workers are gone; return how many."""
    removed = 0
    for path in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*"):
        with suppress(OSError):
            removed += _remove_left(path)
    return removed


def _remove_left(path: Path) -> bool:
    state = path.lstat()
    if state.st_uid != os.getuid() or time.time() < state.st_mtime + YOUNG_SECONDS:
        return False
    held = _locked(path)
    if held is None:
        return False
    try:
        shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(held)
    return True


def _locked(path: Path) -> int | None:
    """Return the descriptor that holds the lock on a folder; `None` if another does."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        # Held, or a file system without locks: then nothing is ever removed.
        os.close(descriptor)
        return None
    return descriptor
