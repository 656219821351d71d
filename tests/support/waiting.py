"""Waiting for what other processes do."""

import time
from collections.abc import Callable

import psutil

PATIENCE = 60.0


def comes_true(condition: Callable[[], object]) -> bool:
    """Return whether *condition* holds before patience ends."""
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return bool(condition())


def is_gone(pid: int) -> bool:
    """Return whether a process has ended; who has to fetch its code may be slow."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
