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
from functools import partial
from queue import SimpleQueue
from typing import IO, Final

from .game_task import GameReport, GameTask
from .outcome_json import decode_task, encode_report
from .worker_frames import FrameKind, WorkerFrame, read_frame, write_frame

GRACE_SECONDS: Final = 20.0
"""That a game has to end its bots when the run is gone."""

SIGNAL_SECONDS: Final = 0.2

Show = Callable[[bytes], None]
Beat = Callable[[], None]
Play = Callable[[GameTask, Show | None, Beat], GameReport]


def main() -> None:
    """Play what is asked for until the input ends."""
    from .game_folder import remove_left_folders  # noqa: PLC0415
    from .play_game import play_game  # noqa: PLC0415 - slow, and the same

    remove_left_folders()
    reports = _own_output()
    # A signal between two games must not end the worker; a game listens itself.
    signal.signal(signal.SIGINT, lambda *_: None)
    work(sys.stdin.buffer, reports, play_game)


def work(tasks: IO[bytes], reports: IO[bytes], play: Play) -> None:
    """Play each of *tasks* and write its report, until there are none.

    The end of *tasks* breaks off the game that is being played. News of watched games
    and heartbeats may be written by other threads meanwhile.
    """
    lock = threading.Lock()
    is_done = threading.Event()

    def write(frame: WorkerFrame) -> None:
        with lock, suppress(BrokenPipeError):
            write_frame(reports, frame)

    def show(content: bytes) -> None:
        write(WorkerFrame(FrameKind.NEWS, content))

    def beat() -> None:
        write(WorkerFrame(FrameKind.HEARTBEAT, b""))

    def play_task(content: bytes, *, is_watched: bool) -> GameReport:
        return play(decode_task(content), show if is_watched else None, beat)

    try:
        for frame in _frames(tasks, is_done):
            is_watched = frame.kind is FrameKind.WATCHED_TASK
            write(_answer(partial(play_task, frame.content, is_watched=is_watched)))
    finally:
        is_done.set()


def _answer(play: Callable[[], GameReport]) -> WorkerFrame:
    try:
        report = play()
    except Exception as error:  # noqa: BLE001 - one game fails, not the worker
        reason = f"{type(error).__name__}: {error}"
        return WorkerFrame(FrameKind.FAILURE, reason.encode())
    return WorkerFrame(FrameKind.REPORT, encode_report(report))


def _frames(tasks: IO[bytes], is_done: threading.Event) -> Iterator[WorkerFrame]:
    """Yield the tasks; a thread reads them, so that the end is seen during a game."""
    queue: SimpleQueue[WorkerFrame | None] = SimpleQueue()
    is_over = threading.Event()

    def read() -> None:
        while (frame := read_frame(tasks)) is not None:
            queue.put(frame)
        is_over.set()
        queue.put(None)
        _end_game(is_done)

    threading.Thread(target=read, name="tasks", daemon=True).start()
    while (frame := queue.get()) is not None and not is_over.is_set():
        yield frame


def _end_game(is_done: threading.Event) -> None:
    """Break off whatever is played, and end the process if that takes too long."""
    for _ in range(round(GRACE_SECONDS / SIGNAL_SECONDS)):
        # A game that has only begun may not listen yet: the signal comes again.
        if is_done.wait(SIGNAL_SECONDS):
            return
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(1)


def _own_output() -> IO[bytes]:
    """Return standard output for reports alone; others get standard error for it."""
    descriptor = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(descriptor, "wb")


if __name__ == "__main__":
    main()
