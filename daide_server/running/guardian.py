"""A small process that ends the bots of its starter when that was killed.

`python -m daide_server.running.guardian` reads its standard input. A byte says that
its starter has ended its bots itself. The end of the input without one says that it is
gone: all that it has noted (`leftovers`) is ended now, and not at the next start.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from .leftovers import end_leftovers, forget_started

DONE: Final = b"."
GONE_SECONDS: Final = 5.0
"""A process closes its files a moment before it is gone."""
PARENT_LOOK_SECONDS: Final = 0.02
OWN_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""Of a terminal or a supervisor: the starter ends first."""


@contextmanager
def guarded() -> Iterator[None]:
    """End bots that are noted, also if this process is killed meanwhile."""
    process = subprocess.Popen(  # noqa: S603 (our own module)
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        forget_started()
        with suppress(OSError):
            process.communicate(DONE)


def main() -> None:
    """Wait for the starter, and end what it leaves."""
    starter = os.getppid()
    for name in OWN_SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if sys.stdin.buffer.read(1) == DONE:
        return
    end = time.monotonic() + GONE_SECONDS
    while os.getppid() == starter and time.monotonic() < end:
        time.sleep(PARENT_LOOK_SECONDS)
    end_leftovers()


if __name__ == "__main__":
    main()
