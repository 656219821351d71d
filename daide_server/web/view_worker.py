"""The process that does jobs for the page: `python -m daide_server.web.view_worker`.

Jobs come on standard input, answers go to standard output, each after its length. It
ends when its input ends, so it never outlives the server.
"""

import os
import pickle
import signal
import sys
from contextlib import suppress
from typing import Final

# A package that is replaced while this process runs may leave nothing to import.
from daide_server.formats.phase_json import reading as _reading  # noqa: F401

from .pipe_frames import frame, read_frame
from .view_jobs import JobFailed
from .view_making import ViewMaking

NICENESS: Final = 10
"""Games come before the page."""


def main() -> None:
    """Do jobs until there are no more."""
    # The server decides when it ends, not who presses Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    making = ViewMaking()
    # What prints anything must not print into the answers.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while data := read_frame(sys.stdin.buffer):
        job = pickle.loads(data)  # noqa: S301 (from the process that started this one)
        try:
            answer = making.answer(job)
        except Exception as error:  # noqa: BLE001 (whatever it is, it costs this answer)
            answer = JobFailed(f"{type(error).__name__}: {error}")
        with suppress(BrokenPipeError):
            output.write(frame(pickle.dumps(answer)))
            output.flush()


if __name__ == "__main__":
    main()
