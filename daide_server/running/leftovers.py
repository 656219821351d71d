"""Processes of bots that a killed worker has left, found and ended at the next start.

Each bot has a mark in its environment, which names its worker by process id and start
time; a file for each worker, in a folder of the user, lists the bots that it has
started in the same way. Nothing is ever ended by its name.
"""

import getpass
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import psutil

from .descendants import GONE, all_pids, is_alive, mark_of

_NUMBERS: Final = count(1)
CREATED_TOLERANCE: Final = 0.05
"""Seconds by which the start time of one process may seem to differ."""
SWEEPS: Final = 50
"""How often what is left is looked for: a process may start others meanwhile."""
SWEEP_SECONDS: Final = 2.0
"""How long to wait for processes that were killed."""


def new_mark() -> str:
    """Return the mark of a bot that this process is about to start."""
    return f"{_name(psutil.Process())}-{next(_NUMBERS)}"


def note_started(pid: int) -> None:
    """Note a process that this worker has started; a full disk prevents no game."""
    with suppress(*GONE):
        path = _folder() / _name(psutil.Process())
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("a", encoding="ascii") as file:
            file.write(f"{_name(psutil.Process(pid))}\n")


def forget_started() -> None:
    """Forget the processes of this worker: all have ended."""
    with suppress(*GONE):
        (_folder() / _name(psutil.Process())).unlink(missing_ok=True)


def end_leftovers() -> int:
    """End what workers that are dead have left running; return how many processes.

    The bots of workers that still run are left alone.
    """
    ended = 0
    for path in _notes():
        if _find(path.name) is None:
            ended += _end_all(path)
            with suppress(OSError):
                path.unlink()
    return ended


def _end_all(path: Path) -> int:
    """Kill the processes that a worker noted, those below, and those with its mark."""
    ended = set[psutil.Process]()
    for _ in range(SWEEPS):
        found = set(filter(is_alive, _left_by(path)))
        if not found:
            break
        for process in found:
            with suppress(*GONE):
                process.kill()
        psutil.wait_procs(found, SWEEP_SECONDS)
        ended |= found
    return len(ended)


def _left_by(path: Path) -> Iterator[psutil.Process]:
    yield from _noted(path)
    for pid in all_pids():
        mark = mark_of(pid)
        if mark is not None and mark.rpartition("-")[0] == path.name:
            with suppress(*GONE):
                yield psutil.Process(pid)


def _noted(path: Path) -> Iterator[psutil.Process]:
    with suppress(OSError, UnicodeDecodeError):
        for line in path.read_text("ascii").splitlines():
            process = _find(line)
            if process is not None:
                yield process
                with suppress(*GONE):
                    yield from process.children(recursive=True)


def _find(name: str) -> psutil.Process | None:
    """Return the process of that id and start time, if it still runs."""
    pid, _, created = name.partition("-")
    try:
        process = psutil.Process(int(pid))
        is_same = abs(process.create_time() - float(created)) < CREATED_TOLERANCE
    except (*GONE, ValueError):
        return None
    return process if is_same and is_alive(process) else None


def _name(process: psutil.Process) -> str:
    return f"{process.pid}-{process.create_time():.2f}"


def _notes() -> list[Path]:
    with suppress(OSError):
        return sorted(each for each in _folder().iterdir() if _is_own(each))
    return []


def _is_own(path: Path) -> bool:
    """Return whether nobody else has written a note, to have processes ended."""
    return not hasattr(os, "getuid") or path.lstat().st_uid == os.getuid()


def _folder() -> Path:
    """Return the folder of the notes, which only this user may write."""
    return Path(tempfile.gettempdir()) / f"daide-server-{_user()}" / "bots"


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()
