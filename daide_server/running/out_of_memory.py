"""How often the kernel has killed a process because the machine had no memory left."""

from contextlib import suppress
from pathlib import Path
from typing import Final

COUNTERS: Final = Path("/proc/vmstat")
OOM_COUNTER: Final = "oom_kill"


def oom_kills() -> int:
    """Return the count since the machine was started; 0 where it is not known."""
    with suppress(OSError, ValueError):
        for line in COUNTERS.read_text("ascii").splitlines():
            name, _, count = line.partition(" ")
            if name == OOM_COUNTER:
                return int(count)
    return 0
