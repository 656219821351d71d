"""What Linux does to processes: at a parent's death, and for want of memory."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def die_with_parent(parent: int) -> None:
    """Have this process killed when the thread of *parent* that started it ends.

    It concerns this process only, not its children. A process that has lost its parent
    already ends.
    """
    if sys.platform.startswith("linux"):
        _prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))
    if os.getppid() != parent:
        os._exit(1)


_prctl = getattr(ctypes.CDLL(None), "prctl", lambda *_: -1)
"""Found when this is imported: a new process may take no lock."""


def oom_kills() -> int:
    """Return how many since the machine was started; 0 where it is not known."""
    with suppress(OSError, ValueError, KeyError):
        lines = Path("/proc/vmstat").read_text("ascii").splitlines()
        return int(dict(line.split() for line in lines)["oom_kill"])
    return 0
