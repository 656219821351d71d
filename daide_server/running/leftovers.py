"""Processes of bots that a killed worker has left, found and ended at the next start.

Each bot has a mark in its environment, which names its worker (`ProcessIdentity`); a
file for each worker, in a folder of the user, lists the bots that it has started in
the same way. Nothing is ever ended by its name.
"""

import getpass
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import psutil

from .descendants import GONE, all_pids, kill_all, mark_of
from .process_identity import ProcessIdentity

_NUMBERS: Final = count(1)


def new_mark() -> str:
    """Return the mark of a bot that this process is about to start."""
    return f"{ProcessIdentity.of(os.getpid())}-{next(_NUMBERS)}"


def note_started(pid: int) -> None:
    """Note a process that this worker has started; a full disk prevents no game."""
    with suppress(*GONE):
        path = _own_note()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("a", encoding="ascii") as file:
            file.write(f"{ProcessIdentity.of(pid)}\n")


def forget_started() -> None:
    """Forget the processes of this worker: all have ended."""
    with suppress(*GONE):
        _own_note().unlink(missing_ok=True)


def end_leftovers() -> int:
    """End what workers that are dead have left running; return how many processes.

    The bots of workers that still run are left alone.
    """
    ended = 0
    for path, worker in _notes():
        if worker.find() is None:
            ended += kill_all(partial(_left_by, path))
            with suppress(OSError):
                path.unlink()
    return ended


def _left_by(path: Path) -> Iterator[psutil.Process]:
    """Yield the processes that a worker noted, those below, and those with its mark."""
    yield from _noted(path)
    for pid in all_pids():
        mark = mark_of(pid)
        if mark is not None and mark.rpartition("-")[0] == path.name:
            with suppress(*GONE):
                yield psutil.Process(pid)


def _noted(path: Path) -> Iterator[psutil.Process]:
    with suppress(OSError, UnicodeDecodeError):
        for line in path.read_text("ascii").splitlines():
            bot = _identity(line)
            process = None if bot is None else bot.find()
            if process is not None:
                yield process
                with suppress(*GONE):
                    yield from process.children(recursive=True)


def _identity(text: str) -> ProcessIdentity | None:
    """Return what *text* says, or `None`: another version may have written it."""
    try:
        return ProcessIdentity.parse(text)
    except ValueError:
        return None


def _own_note() -> Path:
    return _folder() / str(ProcessIdentity.of(os.getpid()))


def _notes() -> Iterator[tuple[Path, ProcessIdentity]]:
    """Yield the notes of workers, each with its worker."""
    with suppress(OSError):
        for path in sorted(_folder().iterdir()):
            worker = _identity(path.name)
            if worker is not None and _is_own(path):
                yield path, worker


def _is_own(path: Path) -> bool:
    """Return whether nobody else has written a note, to have processes ended."""
    return not hasattr(os, "getuid") or path.lstat().st_uid == os.getuid()


def _folder() -> Path:
    """Return the folder of the notes, which only this user may write."""
    return Path(tempfile.gettempdir()) / f"daide-server-{_user()}" / "bots"


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()
