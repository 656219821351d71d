"""Waiting for what other processes, threads and tasks do."""

import time
from collections.abc import Callable

import psutil
import trio

PATIENCE = 60.0


def comes_true(condition: Callable[[], object]) -> bool:
    """Return whether *condition* holds before patience ends."""
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return bool(condition())


async def until(condition: Callable[[], object]) -> None:
    """Let other tasks run until *condition* holds; fail when patience ends.

    The clock of a test that jumps when all tasks wait stands still meanwhile.
    """
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await trio.lowlevel.checkpoint()
        time.sleep(0.001)  # noqa: ASYNC251 - no task is in a hurry


def is_gone(pid: int) -> bool:
    """Return whether a process has ended; who has to fetch its code may be slow."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
