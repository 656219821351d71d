"""Waiting for the end of a child: by a pidfd where there is one, else by asking."""

import os
import subprocess
from collections.abc import Callable
from typing import Final

import trio

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
