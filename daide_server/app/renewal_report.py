"""What `daide-server upgrade` can read of a server: whether it renews, and how it went.

A server keeps the report in a file without a name that only its own user, and root,
can find among its open files (`/proc`, Linux). So the command knows as well that a
process is a server: SIGUSR2 ends most others.
"""

import os
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from .memory_file import memory_file, read_all, rewrite

REPORT_NAME: Final = "daide-server-renewal"
PROCESSES: Final = Path("/proc")


class RenewalReport(Struct, kw_only=True, frozen=True):
    """How often a server was asked to renew itself, and how the last time ended."""

    attempts: int = 0
    """How many renewals have ended, well or not."""
    is_renewed: bool = False
    """Whether the last one did."""
    text: str = ""
    """What the last one came to."""


class ReportFile:
    """The report of this process."""

    def __init__(self, fd: int | None = None) -> None:
        """Begin a report, or go on with that of the descriptor *fd*."""
        self.fd: Final = (
            memory_file(REPORT_NAME, _encode(RenewalReport())) if fd is None else fd
        )
        os.set_inheritable(self.fd, False)

    def note(self, text: str, *, is_renewed: bool) -> None:
        """Report how a renewal has ended."""
        attempts = decode(read_all(self.fd)).attempts + 1
        report = RenewalReport(attempts=attempts, is_renewed=is_renewed, text=text)
        rewrite(self.fd, _encode(report))


def new_report() -> ReportFile | None:
    """Return a report for `daide-server upgrade`; a server can do without."""
    try:
        return ReportFile()
    except OSError:
        return None


def report_from(fd: int | None) -> ReportFile | None:
    """Return the report that another program has begun."""
    return None if fd is None else ReportFile(fd)


def _encode(report: RenewalReport) -> bytes:
    return msgspec.json.encode(report)


def decode(data: bytes) -> RenewalReport:
    """Return a report; raises `ValueError` while it is being written."""
    return msgspec.json.decode(data, type=RenewalReport)


def report_of(process: int) -> RenewalReport | None:
    """Return the report of another process; `None` if it has none to read.

    Raises `PermissionError` for a process of another user, `FileNotFoundError` if
    there is no such process.
    """
    folder = PROCESSES / str(process) / "fd"
    for link in folder.iterdir():
        try:
            if REPORT_NAME in str(link.readlink()):
                return decode(link.read_bytes())
        except (FileNotFoundError, ValueError):
            # Closed, or written, at this moment.
            continue
    return None
