"""Which process it is, and when it ends; no later one is taken for it."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

import psutil
import trio
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


ASKING_SECONDS: Final = 0.05
"""How often a child is asked for, where there is no pidfd."""


async def wait_for_exit(process: "subprocess.Popen[bytes]") -> int:
    """Wait until a child has ended, and return its exit code, as `Popen` has it."""
    descriptor = _open(process.pid)
    if descriptor is not None:
        try:
            await trio.lowlevel.wait_readable(descriptor)
        finally:
            os.close(descriptor)
    await ask_until(lambda: process.poll() is not None, ASKING_SECONDS)
    return process.wait()


async def ask_until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait until *condition* holds, of which nothing tells: ask every *seconds*."""
    while True:
        if condition():
            return
        await trio.sleep(seconds)


def _open(pid: int) -> int | None:
    """Return a descriptor that is readable when the process ends (Linux 5.3)."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
