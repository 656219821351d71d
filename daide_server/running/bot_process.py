"""The process of a bot: started so that it can always be ended again.

`start` is to be called in the main thread: on Linux a process is killed when the
thread that started it ends (`prctl`).
"""

import errno
import math
import os
import resource
import signal
import subprocess
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final, Self

import psutil
import trio
from attrs import frozen

from . import prctl
from .bot_usage import BoundedOutput
from .descendants import GONE, BotRoot, recent_table
from .process_identity import ASKING_SECONDS, ask_until, wait_for_exit

TERM_SECONDS: Final = 2.0
"""How long a bot has between SIGTERM and SIGKILL."""
KILL_ROUNDS: Final = 100
KILL_SECONDS: Final = 0.02
"""Between two rounds of SIGKILL: a process may start others meanwhile."""
DRAIN_SECONDS: Final = 0.5
"""How long to read on when all processes that are known have ended."""
OUTPUT_READ_BYTES: Final = 1 << 16
OPEN_FILES: Final = 1024
"""Python 2, for one, closes every number up to the limit when it starts a process."""
OOM_ADJUSTMENT: Final = "500"
"""Of a machine that has no memory left, bots are killed before others."""

MACHINE_ERRORS: Final = frozenset(
    {errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOSPC}
)
"""Why a program cannot be started through no fault of its own."""


@frozen
class Launch:
    """All that a bot's process is started with."""

    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    mark: str
    file_bytes: int
    """Of the largest file that it may write; 0: no limit."""


class BotProcess:
    """A running bot, with all processes that it has started."""

    def __init__(self, process: "subprocess.Popen[bytes]", mark: str) -> None:
        self.root: Final = BotRoot(process.pid, mark)
        self.output: Final = BoundedOutput()
        self.exit_code: int | None = None
        """Of the first process, once it has ended; -N: by signal N."""
        self._process: Final = process
        self._drained: Final = trio.Event()
        self._is_gone = False
        self._ended_at: float | None = None
        """When the first process was found to have ended."""
        self._seen_at = -math.inf
        """When some process was last found to be there."""

    @classmethod
    def start(cls, launch: Launch) -> Self:
        """Start a bot in a session of its own; raises `OSError`."""
        with _quiet_fork():
            process = subprocess.Popen(  # noqa: S603 (bots are others' programs)
                launch.command,
                cwd=launch.folder,
                env=dict(launch.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # Safe with threads: it takes no lock, and imports nothing.
                preexec_fn=_Preparation(  # noqa: PLW1509
                    os.getpid(), launch.file_bytes
                ),
            )
        _prefer_to_kill(process.pid)
        return cls(process, launch.mark)

    async def wait(self) -> int:
        """Wait until the first process has ended; return its exit code."""
        self.exit_code = await wait_for_exit(self._process)
        return self.exit_code

    async def drain(self) -> None:
        """Read what the bot prints until nobody can print any more."""
        assert self._process.stdout is not None
        descriptor = os.dup(self._process.stdout.fileno())
        self._process.stdout.close()
        async with trio.lowlevel.FdStream(descriptor) as stream:
            with suppress(OSError, trio.BrokenResourceError):
                while data := await stream.receive_some(OUTPUT_READ_BYTES):
                    self.output.add(bytes(data))
        self._drained.set()

    def first(self) -> list[psutil.Process]:
        """Return the first process of the bot, unless it has ended."""
        try:
            return [psutil.Process(self.root.pid)]
        except GONE:
            return []

    def living(self) -> list[psutil.Process]:
        """Return the processes of the bot that have not ended."""
        if self._is_gone:
            return []
        if self._process.poll() is not None and self._ended_at is None:
            self._ended_at = monotonic()
        found = self._found(self._ended_at)
        if not found and self._ended_at is not None:
            # Those of the table have ended; they may have started others since.
            found = self._found(max(self._ended_at, self._seen_at))
            self._is_gone = not found
        if found:
            self._seen_at = monotonic()
        return found

    def _found(self, since: float | None) -> list[psutil.Process]:
        """Return the processes that a table has which was made after *since*."""
        return list(recent_table(self.root, since).of(self.root))

    async def stop(self) -> None:
        """End all processes of the bot: SIGTERM, then SIGKILL. Not cancelled."""
        with trio.CancelScope(shield=True):
            if self._signal(signal.SIGTERM):
                await self._await_end(TERM_SECONDS)
            await self._kill()
            # A process that is not known may still hold the other end.
            with trio.move_on_after(DRAIN_SECONDS):
                await self._drained.wait()

    async def gone(self, seconds: float) -> bool:
        """Wait until all processes have ended by themselves; return whether."""
        await self._await_end(seconds)
        return not self.living()

    async def _await_end(self, seconds: float) -> None:
        with trio.move_on_after(seconds):
            await self.wait()
            await ask_until(lambda: not self.living(), ASKING_SECONDS)

    async def _kill(self) -> None:
        for _ in range(KILL_ROUNDS):
            if not self._signal(signal.SIGKILL):
                break
            await trio.sleep(KILL_SECONDS)
        with trio.move_on_after(TERM_SECONDS):
            await self.wait()

    def _signal(self, number: signal.Signals) -> bool:
        """Send a signal to all processes of the bot; return whether there are any."""
        with suppress(OSError):
            # The processes may be more in the next moment; the group has them all.
            if self._process.poll() is None:
                os.killpg(self.root.pid, number)
        found = self.living()
        for process in found:
            with suppress(*GONE):
                process.send_signal(number)
        return bool(found)


@frozen
class _Preparation:
    """Called in the new process, before its program is loaded."""

    parent: int
    file_bytes: int

    def __call__(self) -> None:
        prctl.die_with_parent()
        if os.getppid() != self.parent:
            os._exit(1)
        if self.file_bytes:
            _limit(resource.RLIMIT_FSIZE, self.file_bytes)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_NOFILE, OPEN_FILES)


def _limit(kind: int, most: int) -> None:
    """Lower a limit; the bot may not raise it again, except that of open files."""
    _, hard = resource.getrlimit(kind)
    within = most if hard == resource.RLIM_INFINITY else min(most, hard)
    is_files = kind == resource.RLIMIT_NOFILE
    resource.setrlimit(kind, (within, hard if is_files else within))


def _prefer_to_kill(pid: int) -> None:
    with suppress(OSError):
        Path(f"/proc/{pid}/oom_score_adj").write_text(OOM_ADJUSTMENT, "ascii")


@contextmanager
def _quiet_fork() -> Iterator[None]:
    """Python 3.12 warns of threads: what runs after the fork takes no lock."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
