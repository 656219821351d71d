"""`daide-server upgrade`: renew the program of a running server."""

import os
import signal
import time
from typing import Final

import click

from daide_server.app.renewal_report import RenewalReport, report_of

from .failures import CommandError
from .option_types import WholeNumber
from .printing import print_line

POLL_SECONDS: Final = 0.05
PATIENCE: Final = 180.0
"""Seconds for a rehearsal, and the renewal after it."""


@click.command()
@click.argument("pid", type=WholeNumber(2))
def command(pid: int) -> None:
    """Renew the program of the server whose process id is PID, and wait for it.

    The server first lets the program that is installed now replay its games. If that
    works the new program goes on with all connections open, under the same process
    id and with the same command line; if not, the old one goes on.

    Exit code: 0 if the server is renewed, 1 if not.
    """
    before = _report(pid)
    try:
        os.kill(pid, signal.SIGUSR2)
    except OSError as error:
        message = f"process {pid}: {error.strerror or error}"
        raise CommandError(message) from error
    after = _await_end(pid, before)
    if not after.is_renewed:
        message = f"process {pid} is not renewed: {after.text}"
        raise CommandError(message)
    print_line(f"process {pid} is renewed: {after.text}")


def _report(pid: int) -> RenewalReport:
    """Return the report of a server. Raises `CommandError` if it has none."""
    try:
        report = report_of(pid)
    except FileNotFoundError as error:
        message = f"there is no process {pid}, or no /proc"
        raise CommandError(message) from error
    except PermissionError as error:
        message = f"process {pid} belongs to another user"
        raise CommandError(message) from error
    if report is None:
        message = f"process {pid} is no server that can be renewed"
        raise CommandError(message)
    return report


def _await_end(pid: int, before: RenewalReport) -> RenewalReport:
    """Return the report of the renewal that ends next."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        time.sleep(POLL_SECONDS)
        try:
            report = report_of(pid)
        except (FileNotFoundError, PermissionError) as error:
            message = f"process {pid} has ended"
            raise CommandError(message) from error
        if report is not None and report.attempts > before.attempts:
            return report
    message = f"process {pid} has not answered within {PATIENCE:g} s"
    raise CommandError(message)
