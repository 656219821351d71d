"""The process of a bot: started so that it can always be ended again.

`start` is to be called in the main thread: on Linux a process is killed when the
thread that started it ends (`prctl`). It leads a process group; what it starts is
killed with the group, and with its box (`sandbox`).
"""

import errno
import os
import resource
import signal
import subprocess
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

import psutil
import trio
from attrs import frozen

from . import prctl
from .bot_settings import BWRAP
from .bot_usage import GONE, BoundedOutput

TERM_SECONDS: Final = 2.0
"""How long a bot has between SIGTERM and SIGKILL."""
ASK_SECONDS: Final = 0.02
"""How often a process is asked whether it has ended."""
DRAIN_SECONDS: Final = 0.5
"""How long to read on when all processes that are known have ended."""
OUTPUT_READ_BYTES: Final = 1 << 16
OPEN_FILES: Final = 1024
"""Python 2, for one, closes every number up to the limit when it starts a process."""
OOM_ADJUSTMENT: Final = "500"
"""Of a machine that has no memory left, bots are killed before others."""
SIGNAL_EXIT: Final = 128
"""What shells and boxes add to the number of a signal that has ended their program."""

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
    file_bytes: int = 0
    """Of the largest file that it may write; 0: no limit."""


class BotProcess:
    """A running bot, with all processes that it has started."""

    def __init__(self, process: "subprocess.Popen[bytes]", *, is_boxed: bool) -> None:
        self.output: Final = BoundedOutput()
        self.pid: Final = process.pid
        self._process: Final = process
        self._is_boxed: Final = is_boxed
        self._drained: Final = trio.Event()
        self._seen = {psutil.Process(process.pid): None}
        """Processes of the bot, the first one of all before the others."""

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
        return cls(process, is_boxed=launch.command[0] == BWRAP)

    @property
    def exit_code(self) -> int | None:
        """Return that of the first process, once it has ended; -N: by signal N."""
        code = self._process.poll()
        if self._is_boxed and code is not None and code > SIGNAL_EXIT:
            return SIGNAL_EXIT - code
        return code

    async def wait(self) -> int:
        """Wait until the first process has ended; return its exit code."""
        await exited(self._process)
        assert self.exit_code is not None
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

    def living(self) -> list[psutil.Process]:
        """Return the processes of the bot, without those of its box.

        One that has lost its parent is known if it was seen before.
        """
        tops, found = list(self._seen), set[psutil.Process]()
        for top in tops:
            if top not in found and _is_alive(top):
                with suppress(*GONE):
                    found |= {top, *top.children(recursive=True)}
        self._seen = {tops[0]: None} | dict.fromkeys(found)
        return [each for each in found if not _is_box(each)]

    async def stop(self) -> None:
        """End all processes of the bot: SIGTERM, then SIGKILL. Not cancelled."""
        with trio.CancelScope(shield=True):
            found = self.living()
            for process in found:
                with suppress(*GONE):
                    process.terminate()
            with trio.move_on_after(TERM_SECONDS):
                await self.wait()
            signal_group(self.pid, signal.SIGKILL)
            for process in found:
                with suppress(*GONE):
                    process.kill()
            await self.wait()
            # A process that is not known may still hold the other end.
            with trio.move_on_after(DRAIN_SECONDS):
                await self._drained.wait()


def _is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs: it may have ended, and still be in the table."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except GONE:
        return False


def _is_box(process: psutil.Process) -> bool:
    """Return whether a process only holds the box of others."""
    try:
        return process.name() == BWRAP
    except GONE:
        return True


async def exited(process: "subprocess.Popen[bytes]") -> None:
    """Wait until a child has ended."""
    while process.poll() is None:  # noqa: ASYNC110 - nothing tells
        await trio.sleep(ASK_SECONDS)


def signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; return whether there is anybody in it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


@frozen
class _Preparation:
    """Called in the new process, before its program is loaded."""

    parent: int
    file_bytes: int

    def __call__(self) -> None:
        prctl.die_with_parent(self.parent)
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
