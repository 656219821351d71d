"""The view worker from outside: started, asked, and started again when it fails."""

import os
import pickle
import subprocess
import sys
from typing import Final

import trio

from .pipe_frames import LENGTH_BYTES, frame
from .view_jobs import Answer, Job, JobFailed

VIEW_WORKER: Final = (sys.executable, "-m", "daide_server.web.view_worker")
JOB_SECONDS: Final = 60.0
MAX_JOBS_WAITING: Final = 200
"""Further jobs fail at once."""
PIPE_BYTES: Final = 1 << 16


class ViewWorker:
    """One process, and the pipes to and from it."""

    def __init__(self) -> None:
        """Start the process. Raises `OSError`."""
        process = subprocess.Popen(  # noqa: S603 (our own module)
            VIEW_WORKER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C is for the server, also while the worker is still importing.
            process_group=0,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._process: Final = process
        with process.stdin, process.stdout:
            self._jobs: Final = trio.lowlevel.FdStream(os.dup(process.stdin.fileno()))
            self._answers: Final = trio.lowlevel.FdStream(
                os.dup(process.stdout.fileno())
            )

    @property
    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process at once, and leave no zombie behind."""
        self._process.kill()
        self._process.wait()
        for stream in (self._jobs, self._answers):
            stream.close()

    async def exchange(self, job: Job) -> Answer:
        """Return the answer to *job*.

        Raises one of `WORKER_ENDED` if the process ends.
        """
        data = await trio.to_thread.run_sync(pickle.dumps, job)
        await self._jobs.send_all(frame(data))
        found: Answer = pickle.loads(await self._read())  # noqa: S301 (our process)
        return found

    async def _read(self) -> bytes:
        found = bytearray()
        size = LENGTH_BYTES
        while len(found) < size:
            part = await self._answers.receive_some(PIPE_BYTES)
            if not part:
                message = "it has ended"
                raise EOFError(message)
            found += part
            if len(found) >= LENGTH_BYTES:
                size = LENGTH_BYTES + int.from_bytes(found[:LENGTH_BYTES], "big")
        return bytes(found[LENGTH_BYTES:])


WORKER_ENDED: Final = (
    *(OSError, EOFError, trio.BrokenResourceError, trio.ClosedResourceError),
)
"""What an exchange raises if the worker has died, or was ended."""


class ViewMaker:
    """Has jobs done by a worker, one after the other.

    A worker that dies, or takes longer than a job may take, is replaced.
    """

    def __init__(self, seconds: float = JOB_SECONDS) -> None:
        """Give the worker so many *seconds* for a job."""
        self._seconds: Final = seconds
        self._turn: Final = trio.Lock()
        self._worker: ViewWorker | None = None

    def start(self) -> None:
        """Start the worker, if there is none. Raises `OSError`."""
        if self._worker is not None and not self._worker.is_alive:
            self.close()
        if self._worker is None:
            self._worker = ViewWorker()

    def close(self) -> None:
        """End the worker at once; the next job starts another one."""
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    async def ask(self, job: Job) -> Answer:
        """Return the worker's answer."""
        if self._turn.statistics().tasks_waiting >= MAX_JOBS_WAITING:
            return JobFailed("too much is asked for at the moment")
        async with self._turn:
            answer = None
            try:
                with trio.move_on_after(self._seconds):
                    self.start()
                    assert self._worker is not None
                    answer = await self._worker.exchange(job)
            except WORKER_ENDED as error:
                return JobFailed(f"the view worker failed: {error}")
            finally:
                if answer is None:
                    # Its answer would be taken for that to another job.
                    self.close()
        return answer or JobFailed(f"not done in {self._seconds:g} s")
