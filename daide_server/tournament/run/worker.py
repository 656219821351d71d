"""Workers: processes that play one game after another, on request of a run.

A run sends a `GameTask` through a pipe. A worker sends a heartbeat every few seconds
(`None`), the record so far of a watched game (bytes), and at the end its `GameReport`,
or why it failed (a text). All kinds of executors call `play_task`, here or on another
machine: bots must be started in a main thread, and a worker that is killed or hangs
costs only its game. The end of the pipe, which comes however the run ends, ends the
game and the worker.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Final

from .errors import RunningError
from .game_task import GameReport, GameTask
from .prctl import oom_kills

WORKER_SILENT_SECONDS = 30
"""Seconds without a message from a playing worker after which it is killed."""
WORKER_START_SECONDS = 300
"""The same before the first heartbeat: many workers start at the same time on slow
machines."""
STOP_SECONDS = 30.0
"""Seconds for a worker to end its game and exit."""
GRACE_SECONDS = 20.0
"""Grace period in seconds for a game to stop its bots after the run has exited."""
SIGNAL_SECONDS = 0.2
"""Seconds between two SIGINTs to a game that has to end."""
COMMAND = (sys.executable, "-m", __name__)

Show = Callable[[bytes], None]
Play = Callable[[GameTask, Show | None, Callable[[], None]], GameReport]


class WorkerError(Exception):
    """A worker could not play a game: it has ended, or its task failed."""


class WorkerDeathError(WorkerError):
    """A worker was killed by a foreign signal, or because it was silent."""


class Worker:
    """The run's connection to a worker process."""

    def __init__(self) -> None:
        """Start the process; raises `OSError`."""
        self._pipe, theirs = Pipe()
        with theirs:
            end = theirs.fileno()
            self._process: Final = subprocess.Popen(  # noqa: S603 (our own program)
                (*COMMAND, str(end)),
                stdin=subprocess.DEVNULL,
                # The output of libraries must not mix with that of the run.
                stdout=sys.__stderr__.fileno() if sys.__stderr__ else None,
                pass_fds=(end,),
                # Ctrl-C in the terminal is for the run, which decides what it means.
                start_new_session=True,
            )
        self._sending: Final = threading.Lock()
        self._is_released = False

    @property
    def is_alive(self) -> bool:
        """Whether its process is running."""
        return self._process.poll() is None

    def play(self, task: GameTask, show: Show | None = None) -> GameReport:
        """Return the report of *task*; *show* gets the record. Raises `WorkerError`."""
        before, seconds = oom_kills(), WORKER_START_SECONDS
        try:
            self._send((task, show is not None))
            while self._is_heard(seconds):
                seconds = WORKER_SILENT_SECONDS
                match self._pipe.recv():
                    case GameReport() as report:
                        return report
                    case str() as failure:
                        raise WorkerError(failure)
                    case bytes() as record if show is not None:
                        show(record)
        except (OSError, EOFError):
            raise self._death_error(before) from None
        self._process.kill()
        raise self._death_error(before, ", because it did not answer")

    def _is_heard(self, seconds: int) -> bool:
        """Return whether it sends within *seconds* in which this process can run."""
        return any(self._pipe.poll(1.0) for _ in range(seconds))

    def _send(self, message: tuple[GameTask, bool] | None) -> None:
        with self._sending:
            self._pipe.send(message)

    def release(self) -> None:
        """Abort its game, and send no more tasks, so that it ends."""
        self._is_released = True
        with suppress(OSError):
            self._send(None)

    def stop(self) -> None:
        """Stop it: send no more tasks, and kill it if it takes too long."""
        self.release()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _death_error(self, oom_kills_before: int, why: str = "") -> WorkerError:
        """Stop it, and return an error that says how it ended."""
        was_released = self._is_released
        self.stop()
        code = self._process.returncode
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        has_memory = oom_kills() == oom_kills_before
        is_death = code < 0 and has_memory and not was_released
        kind = WorkerDeathError if is_death else WorkerError
        return kind(f"worker {self._process.pid} ended with {how}{why}")


class Workers:
    """The workers of this process: one for each thread that plays games."""

    def __init__(self) -> None:
        self._is_interrupted = False
        self._by_thread: Final[dict[int, Worker]] = {}
        self._lock: Final = threading.Lock()

    def play(self, task: GameTask, show: Show | None = None) -> GameReport:
        """Play *task* in this thread's worker, or a new one; raises `WorkerError`."""
        return self._own(threading.get_ident()).play(task, show)

    def _own(self, thread: int) -> Worker:
        with self._lock:
            worker = self._by_thread.get(thread)
            if worker is not None and worker.is_alive:
                return worker
            try:
                worker = self._by_thread[thread] = Worker()
            except OSError as error:
                raise WorkerError(f"no worker could be started: {error}") from error
            if self._is_interrupted:
                worker.release()
            return worker

    def interrupt(self) -> None:
        """Abort the games of all workers, and new ones until `stop`."""
        with self._lock:
            self._is_interrupted = True
            for worker in self._by_thread.values():
                worker.release()

    def stop(self) -> None:
        """End all workers."""
        with self._lock:
            for worker in self._by_thread.values():
                worker.release()
            for worker in self._by_thread.values():
                worker.stop()
            self._by_thread.clear()
            self._is_interrupted = False


WORKERS = Workers()
"""The workers of this process, for executors that call `play_task` without a run."""


def play_task(task: GameTask, show: Show | None = None) -> GameReport:
    """Play *task* in a worker; what every executor runs. Raises `WorkerError`."""
    return WORKERS.play(task, show)


def play_once(task: GameTask) -> GameReport:
    """Play *task* here without storing anything; raises `RunningError`."""
    try:
        return WORKERS.play(task)
    except WorkerError as error:
        raise RunningError(f"game {task.attempt.game}: {error}") from error
    finally:
        WORKERS.stop()


# In the worker


def main() -> None:
    """Play the requested games until the pipe ends."""
    from .play_game import play_game, remove_left_folders  # noqa: PLC0415 - slow; a run needs neither

    remove_left_folders()
    # A signal between two games must not end the worker; a game listens itself.
    signal.signal(signal.SIGINT, lambda *_: None)
    work(Connection(int(sys.argv[1])), play_game)


def work(run: Connection, play: Play) -> None:
    """Play the tasks that *run* sends, and send their reports, until the pipe ends.

    The end aborts the game in progress. Meanwhile other threads send heartbeats, and
    the records so far of watched games.
    """
    tasks: SimpleQueue[tuple[GameTask, bool] | None] = SimpleQueue()
    is_done, lock = threading.Event(), threading.Lock()

    def send(message: GameReport | bytes | str | None) -> None:
        with lock, suppress(OSError):
            run.send(message)

    receiving = partial(_receive, run, tasks, is_done)
    threading.Thread(target=receiving, name="tasks", daemon=True).start()
    try:
        while (asked := tasks.get()) is not None:
            task, is_watched = asked
            show = send if is_watched else None
            send(_answer(partial(play, task, show, partial(send, None))))
    finally:
        is_done.set()


def _answer(play: Callable[[], GameReport]) -> GameReport | str:
    try:
        return play()
    except Exception as error:  # noqa: BLE001 - one game fails, not the worker
        return f"{type(error).__name__}: {error}"


def _receive(
    run: Connection,
    tasks: "SimpleQueue[tuple[GameTask, bool] | None]",
    is_done: threading.Event,
) -> None:
    """Receive tasks until the end; then abort the game in progress."""
    with suppress(EOFError, OSError):
        while (asked := run.recv()) is not None:
            tasks.put(asked)
    tasks.put(None)
    for _ in range(round(GRACE_SECONDS / SIGNAL_SECONDS)):
        # A game that has just begun may not listen yet, so the signal is repeated.
        if is_done.wait(SIGNAL_SECONDS):
            return
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(1)


if __name__ == "__main__":
    main()
