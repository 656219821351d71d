"""Which process it is: no later one is taken for it, whatever the clock is set to."""

from pathlib import Path
from typing import Final, Self

import psutil
from attrs import frozen

from .descendants import GONE, is_alive

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


@frozen
class ProcessIdentity:
    """A process of this machine since one of its starts; written PID-STARTED-BOOT."""

    pid: int
    started: str
    """Seconds after the start of the machine: the time of day may be set anew."""
    boot: str
    """Which start of the machine that was."""

    @classmethod
    def of(cls, pid: int) -> Self:
        """Return the identity of a process that is there; raises `psutil.Error`."""
        started = psutil.Process(pid).create_time() - psutil.boot_time()
        return cls(pid, f"{started:.2f}", _boot())

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the identity that is written *text*; raises `ValueError`."""
        pid, started, boot = text.split("-", 2)
        return cls(int(pid), started, boot)

    def __str__(self) -> str:
        return f"{self.pid}-{self.started}-{self.boot}"

    def find(self) -> psutil.Process | None:
        """Return the process, if it still runs."""
        try:
            process = psutil.Process(self.pid)
            is_same = type(self).of(self.pid) == self
        except (*GONE, ValueError):
            # No process ever has a number such as -1.
            return None
        return process if is_same and is_alive(process) else None


def _boot() -> str:
    try:
        return BOOT_ID.read_text("ascii").strip()
    except OSError:
        return str(int(psutil.boot_time()))
