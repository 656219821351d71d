"""A worker: `python -m daide_server.running.worker` plays one game after the other.

Tasks come on standard input, reports leave on what was standard output; what a library
prints goes to standard error. The end of the input, which comes when the run has ended
in whatever way, ends the game and the worker.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Final

from .game_task import GameReport, GameTask
from .task_json import decode_task, encode_report
from .worker_frames import FrameKind, WorkerFrame, read_frame, write_frame

GRACE_SECONDS: Final = 20.0
"""That a game has to end its bots when the run is gone."""

Play = Callable[[GameTask], GameReport]


def main() -> None:
    """Play what is asked for until the input ends."""
    from .play_game import play_game  # noqa: PLC0415 - slow; tests play otherwise

    reports = _own_output()
    # A signal between two games must not end the worker; a game listens itself.
    signal.signal(signal.SIGINT, lambda *_: None)
    work(sys.stdin.buffer, reports, play_game)


def work(tasks: IO[bytes], reports: IO[bytes], play: Play) -> None:
    """Play each of *tasks* and write its report, until there are none."""
    for frame in _frames(tasks):
        with suppress(BrokenPipeError):
            write_frame(reports, _answer(frame, play))


def _answer(frame: WorkerFrame, play: Play) -> WorkerFrame:
    try:
        report = play(decode_task(frame.content))
    except Exception as error:  # noqa: BLE001 - one game fails, not the worker
        reason = f"{type(error).__name__}: {error}"
        return WorkerFrame(FrameKind.FAILURE, reason.encode())
    return WorkerFrame(FrameKind.REPORT, encode_report(report))


def _frames(tasks: IO[bytes]) -> Iterator[WorkerFrame]:
    """Yield the tasks; a thread reads them, so that the end is seen during a game."""
    queue: SimpleQueue[WorkerFrame | None] = SimpleQueue()

    def read() -> None:
        while (frame := read_frame(tasks)) is not None:
            queue.put(frame)
        queue.put(None)
        if is_playing.is_set():
            _end_game()

    is_playing = threading.Event()
    threading.Thread(target=read, name="tasks", daemon=True).start()
    while (frame := queue.get()) is not None:
        is_playing.set()
        yield frame
        is_playing.clear()


def _end_game() -> None:
    """Break off the game, and end the process if it does not end."""
    os.kill(os.getpid(), signal.SIGINT)
    threading.Timer(GRACE_SECONDS, os._exit, (1,)).start()


def _own_output() -> IO[bytes]:
    """Return standard output for reports alone; others get standard error for it."""
    descriptor = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(descriptor, "wb")


if __name__ == "__main__":
    main()
