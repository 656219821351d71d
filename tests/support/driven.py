"""A server with a journal that a test without a loop drives, step by step."""

import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Final, TypeVar

import trio
import trio.testing
from attrs import frozen

from daide_server.board.map import Variant

from .journalled import JournalledServer, journalled

STEP: Final = 0.5
"""Seconds by which the clock is moved at once; all that is due then happens."""
PATIENCE: Final = 60.0

ResultT = TypeVar("ResultT")
Work = Callable[[JournalledServer], Awaitable[None]]


@frozen(eq=False)
class _Job:
    """What to do in the loop; without *work* the server is killed."""

    work: Work | None
    meanwhile: Callable[[], None]
    done: Future[None]


class DrivenServer:
    """Runs of a server on one journal, in a thread; its clock moves when told."""

    def __init__(self, variant: Variant, path: Path) -> None:
        """Start the first run."""
        self._variant: Final = variant
        self._path: Final = path
        self._clock: Final = trio.testing.MockClock()
        self._started: Future[trio.lowlevel.TrioToken] = Future()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._token = self._started.result(PATIENCE)

    def do(self, work: Callable[[JournalledServer], ResultT]) -> ResultT:
        """Return what *work* returns, when nothing is going on any more."""
        found: list[ResultT] = []

        async def job(server: JournalledServer) -> None:
            found.append(work(server))

        self._submit(job)
        return found[0]

    def wait(self, seconds: float) -> None:
        """Let time go by."""

        async def job(_: JournalledServer) -> None:
            for _step in range(round(seconds / STEP)):
                self._clock.jump(STEP)
                await trio.testing.wait_all_tasks_blocked()

        self._submit(job)

    def restart(self, meanwhile: Callable[[], None]) -> None:
        """Kill the server, call *meanwhile*, and start it again."""
        self._submit(None, meanwhile)

    def close(self) -> None:
        """Kill the server for good."""
        trio.from_thread.run_sync(self._jobs.close, trio_token=self._token)
        self._thread.join(PATIENCE)

    def _submit(
        self, work: Work | None, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        done: Future[None] = Future()
        trio.from_thread.run_sync(
            self._jobs.send_nowait,
            _Job(work, meanwhile, done),
            trio_token=self._token,
        )
        done.result(PATIENCE)

    def _run(self) -> None:
        try:
            trio.run(self._serve, clock=self._clock)
        except BaseException as error:
            if not self._started.done():
                self._started.set_exception(error)
            raise

    async def _serve(self) -> None:
        self._jobs, jobs = trio.open_memory_channel[_Job](1)
        restarted: Future[None] | None = None
        while True:
            async with journalled(self._variant, self._path) as server:
                if restarted is None:
                    self._started.set_result(trio.lowlevel.current_trio_token())
                else:
                    restarted.set_result(None)
                async for job in jobs:
                    if job.work is None:
                        break
                    try:
                        await job.work(server)
                        await trio.testing.wait_all_tasks_blocked()
                    except Exception as error:  # noqa: BLE001 (for who has asked)
                        job.done.set_exception(error)
                    else:
                        job.done.set_result(None)
                else:
                    return
            job.meanwhile()
            restarted = job.done
