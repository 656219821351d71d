"""Linux's `prctl`: the signal at a parent's death, and the adoption of orphans.

Elsewhere, and where the C library has no `prctl`, nothing happens: what a killed worker
leaves is then found by `leftovers` at the next start.
"""

import ctypes
import signal
import sys
from collections.abc import Callable
from functools import cache
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36

Prctl = Callable[[int, int], int]


@cache
def find_prctl() -> Prctl | None:
    """Return the function of the C library; `None` where there is none."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        found = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return None
    found.argtypes = [ctypes.c_int, ctypes.c_ulong]
    return lambda option, argument: int(found(option, argument))


def die_with_parent() -> bool:
    """Have this process killed when the thread that started it ends.

    Return whether that is so. It concerns this process only, not its children.
    """
    prctl = find_prctl()
    return prctl is not None and prctl(PR_SET_PDEATHSIG, signal.SIGKILL) == 0


def adopt_orphans() -> bool:
    """Make this process the parent of descendants that lose theirs.

    Return whether that is so. A bot's processes that daemonize are found then.
    """
    prctl = find_prctl()
    return prctl is not None and prctl(PR_SET_CHILD_SUBREAPER, 1) == 0
