"""Linux: the parent-death signal (prctl), out-of-memory kills, and processors."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
VMSTAT = Path("/proc/vmstat")


def die_with_parent(parent: int) -> None:
    """Let Linux kill this process when the thread of *parent* that started it ends.

    This applies to this process only, not to its children. If the parent has already
    gone, the process ends now.
    """
    if sys.platform.startswith("linux"):
        _prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))
    if os.getppid() != parent:
        os._exit(1)


_prctl = getattr(ctypes.CDLL(None), "prctl", lambda *_: -1)
"""Looked up on import, because a new process must not take a lock."""


def oom_kills() -> int:
    """Return the number of out-of-memory kills since boot; 0 if unknown."""
    with suppress(OSError, ValueError, KeyError):
        lines = VMSTAT.read_text("ascii").splitlines()
        return int(dict(line.split() for line in lines)["oom_kill"])
    return 0


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
