"""The workers of this process: one for each thread that plays.

Executors of all kinds run `play_encoded` in a thread of theirs, here or on another
machine. The game itself runs in a worker, a process of that thread which stays for the
next game: bots have to be started in a main thread, and a worker that is killed costs
its game only.
"""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from .bot_usage import oom_kills
from .worker_frames import FrameKind, WorkerFrame, read_frame, write_frame

WORKER_MODULE: Final = "daide_server.running.worker"
WORKER_SILENT_SECONDS: Final = 30
"""A worker that sends nothing for this long while it plays is killed."""
WORKER_START_SECONDS: Final = 300
"""The same before its first heartbeat: many start at the same time on slow machines."""
STOP_SECONDS: Final = 30.0
"""That a worker has to end its game and itself."""


class WorkerError(Exception):
    """A worker could not play a game: it has ended, or its task failed."""


class WorkerDeathError(WorkerError):
    """A signal has ended a worker, or it had to be killed because it was silent.

    The run did not ask for it, and the machine had memory.
    """


class WorkerProcess:
    """A worker, fed through pipes."""

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        """Start it; raises `OSError`."""
        self._process: Final = subprocess.Popen(  # noqa: S603 (our own program)
            command or (sys.executable, "-m", WORKER_MODULE),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C in the terminal is for the run, which decides what it means.
            start_new_session=True,
        )
        self.is_playing = False
        self._is_released = False
        self._oom_kills = 0
        self._silence = 0

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def play(self, task: bytes, show: Callable[[bytes], None] | None = None) -> bytes:
        """Return the encoded report of an encoded *task*; *show* gets what is new.

        A worker that is silent for too long is killed. Raises `WorkerError`.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.is_playing = True
        is_over = self._begin_watch()
        try:
            kind = FrameKind.TASK if show is None else FrameKind.WATCHED_TASK
            write_frame(self._process.stdin, WorkerFrame(kind, task))
            while (frame := read_frame(self._process.stdout)) is not None:
                self._silence = 0
                if frame.kind is FrameKind.REPORT:
                    return frame.content
                if frame.kind is FrameKind.FAILURE:
                    raise WorkerError(frame.content.decode())
                if frame.kind is FrameKind.NEWS and show is not None:
                    show(frame.content)
        except (OSError, ValueError) as error:
            # The pipe is broken, or was closed.
            raise self._epitaph() from error
        finally:
            is_over.set()
            self.is_playing = False
        raise self._epitaph()

    def _begin_watch(self) -> threading.Event:
        """Watch the worker in a thread; return the event that ends it."""
        self._oom_kills = oom_kills()
        self._silence = WORKER_SILENT_SECONDS - WORKER_START_SECONDS
        is_over = threading.Event()
        watch = partial(self._kill_when_silent, is_over)
        threading.Thread(target=watch, name="watch", daemon=True).start()
        return is_over

    def _kill_when_silent(self, is_over: threading.Event) -> None:
        """Kill the worker if it is silent for too long.

        Seconds are counted one by one, because the run may be stopped as well.
        """
        while not is_over.wait(1.0):
            self._silence += 1
            if self._silence > WORKER_SILENT_SECONDS:
                self._process.kill()
                return

    def interrupt(self) -> None:
        """Break off the game that it plays, whose report will say so, and end."""
        self.release()

    def release(self) -> None:
        """Give it no more tasks, so that it ends."""
        self._is_released = True
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def stop(self) -> None:
        """End it: no more tasks, and SIGKILL if it takes too long."""
        self.release()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None and not self.is_playing:
            self._process.stdout.close()

    def _epitaph(self) -> WorkerError:
        """Return how it ended."""
        was_released = self._is_released
        self.stop()
        code = self._process.returncode
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if self._silence > WORKER_SILENT_SECONDS:
            how += ", because it did not answer"
        is_death = code < 0 and not was_released and oom_kills() == self._oom_kills
        kind = WorkerDeathError if is_death else WorkerError
        return kind(f"worker {self.pid} ended with {how}")


class ThreadWorkers:
    """A worker for each thread that asks for one, as long as it lives."""

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        """Have *command* start workers, unless it is empty."""
        self._command: Final = command
        self._is_interrupted = False
        self._own: Final = threading.local()
        self._all: Final[set[WorkerProcess]] = set()
        self._lock: Final = threading.Lock()

    def own(self) -> WorkerProcess:
        """Return the worker of the current thread, a new one if that has ended."""
        worker: WorkerProcess | None = getattr(self._own, "worker", None)
        if worker is None or not worker.is_alive:
            fresh = WorkerProcess(self._command)
            self._own.worker = fresh
            with self._lock:
                self._all.add(fresh)
                if self._is_interrupted:
                    fresh.interrupt()
                if worker is not None:
                    self._all.discard(worker)
            return fresh
        return worker

    def interrupt(self) -> None:
        """Break off the games of all workers, and those that come until `stop`."""
        with self._lock:
            self._is_interrupted = True
            for worker in self._all:
                worker.interrupt()

    def stop(self) -> None:
        """End all workers."""
        with self._lock:
            for worker in self._all:
                worker.release()
            for worker in self._all:
                worker.stop()
            self._all.clear()
            self._is_interrupted = False


WORKERS: Final = ThreadWorkers()
"""Of this process; remote engines call `play_encoded` without anything to hold them."""


def play_encoded(task: bytes, show: Callable[[bytes], None] | None = None) -> bytes:
    """Return the encoded report of an encoded *task*, played in a worker.

    What every executor runs. *show* is called meanwhile with the record so far.
    Raises `WorkerError`.
    """
    try:
        worker = WORKERS.own()
    except OSError as error:
        message = f"no worker could be started: {error}"
        raise WorkerError(message) from error
    return worker.play(task, show)
