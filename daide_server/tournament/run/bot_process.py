"""The process of a bot: started so that it can be ended, and measured.

`start` must be called in the main thread: on Linux a process is killed when the thread
that started it ends (`prctl`). The bot leads a process group; its children are killed
with the group, and with its sandbox. Memory is the resident size of the bot's
processes, with shared pages counted once where the system supports it. Disk use is the
size of its seat's folder, and the growth of its working folder if its own processes
have written as much.
"""

import errno
import os
import resource
import signal
import subprocess
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, Self

import psutil
import trio
from attrs import define, field

from . import prctl
from .bot_settings import BWRAP, MEBIBYTE, BotSettings

TERM_SECONDS = 2.0
"""Seconds between SIGTERM and SIGKILL."""
ASK_SECONDS = 0.02
"""Seconds between two checks whether a process has ended."""
DRAIN_SECONDS = 0.5
"""Seconds to continue reading after all known processes have ended."""
OPEN_FILES = 1024
"""Maximum open files: Python 2, for one, closes every descriptor up to the limit when
it starts a process."""
SIGNAL_EXIT = 128
"""Shells and sandboxes add this to the number of a signal that ended their program."""

MACHINE_ERRORS = frozenset(
    {errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOSPC}
)
"""Errors in starting a program that are not the program's fault."""


class BotProcess:
    """A running bot, with all processes that it has started."""

    def __init__(self, process: subprocess.Popen[bytes], *, in_sandbox: bool) -> None:
        self.output: Final = BoundedOutput()
        self.pid: Final = process.pid
        self._process: Final = process
        self._in_sandbox: Final = in_sandbox
        self._drained: Final = trio.Event()
        self._seen = {psutil.Process(process.pid): None}
        """Processes of the bot, with the first process at the beginning."""

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        file_bytes: int = 0,
    ) -> Self:
        """Start a bot; *file_bytes* limits its files, if not 0. Raises `OSError`."""
        # Python 3.12 warns of threads; `_prepare` takes no lock, and imports nothing.
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            process = subprocess.Popen(  # noqa: S603 (bots are others' programs)
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=partial(  # noqa: PLW1509
                    _prepare, os.getpid(), file_bytes
                ),
            )
        # If the machine runs out of memory, bots are killed before other processes.
        with suppress(OSError):
            Path(f"/proc/{process.pid}/oom_score_adj").write_text("500", "ascii")
        return cls(process, in_sandbox=command[0] == BWRAP)

    @property
    def exit_code(self) -> int | None:
        """Return the exit code of the first process (-N: signal N); `None`: it runs."""
        code = self._process.poll()
        if self._in_sandbox and code is not None and code > SIGNAL_EXIT:
            return SIGNAL_EXIT - code
        return code

    async def wait(self) -> int:
        """Wait until the first process has ended; return its exit code."""
        await exited(self._process)
        assert self.exit_code is not None
        return self.exit_code

    async def drain(self) -> None:
        """Read the output of the bot until no process can write any more."""
        assert self._process.stdout is not None
        descriptor = os.dup(self._process.stdout.fileno())
        self._process.stdout.close()
        async with trio.lowlevel.FdStream(descriptor) as stream:
            with suppress(OSError, trio.BrokenResourceError):
                while data := await stream.receive_some(1 << 16):
                    self.output.add(bytes(data))
        self._drained.set()

    def living(self) -> list[psutil.Process]:
        """Return its processes, including orphans, without those of its sandbox."""
        tops, found = list(self._seen), set[psutil.Process]()
        for top in tops:
            if top not in found and _is_alive(top):
                with suppress(*GONE):
                    found |= {top, *top.children(recursive=True)}
        self._seen = {tops[0]: None} | dict.fromkeys(found)
        return [each for each in found if not _is_sandbox(each)]

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
            # An unknown process may still hold the other end.
            with trio.move_on_after(DRAIN_SECONDS):
                await self._drained.wait()


def _is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs: an ended process may still be in the table."""
    with suppress(*GONE):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def _is_sandbox(process: psutil.Process) -> bool:
    """Return whether a process only runs the sandbox of others."""
    with suppress(*GONE):
        return process.name() == BWRAP
    return True


async def exited(process: "subprocess.Popen[bytes]") -> None:
    """Wait until a child process has ended."""
    while process.poll() is None:  # noqa: ASYNC110 - nothing tells
        await trio.sleep(ASK_SECONDS)


def signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; return whether it has any process."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False


def exit_text(code: int) -> str:
    """Return how a process ended, from the exit code of its `Popen`."""
    if code >= 0:
        return f"exited with code {code}"
    with suppress(ValueError):
        return f"killed by {signal.Signals(-code).name}"
    return f"killed by signal {-code}"


def _prepare(parent: int, file_bytes: int) -> None:
    """Set limits in the new process, before its program is loaded."""
    prctl.die_with_parent(parent)
    if file_bytes:
        _limit(resource.RLIMIT_FSIZE, file_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)


def _limit(kind: int, most: int) -> None:
    """Lower a limit; the bot cannot raise it again, except that of open files."""
    _, hard = resource.getrlimit(kind)
    within = most if hard == resource.RLIM_INFINITY else min(most, hard)
    is_files = kind == resource.RLIMIT_NOFILE
    resource.setrlimit(kind, (within, hard if is_files else within))


GONE = (psutil.NoSuchProcess, psutil.AccessDenied, OSError)
"""Exceptions from a process that has ended, or belongs to another user."""
MODEST_SHARE = 0.5
"""The share of its memory limit below which a bot did not exhaust the machine."""
MEASURED_FROM = 0.5
"""The share of the disk limit up to which a bot's writing is not examined."""
MAX_FOLDER_ENTRIES = 2000
"""A folder with more files is not measured, because that would take too long."""
MAX_OWN_ENTRIES = 5000
"""Maximum files and folders in a folder that is made for one game."""
MAX_PROCESSES = 512
"""Maximum processes of a bot."""


@define
class BotUsage:
    """The resources that one bot uses, when last measured."""

    program: BotSettings
    folder: Path
    processes: list[psutil.Process] = field(factory=list, init=False)
    most_memory: int = field(default=0, init=False)
    """The largest resident size in bytes."""
    _working_bytes: int | None = field(default=None, init=False)
    """Bytes of the working folder without what the bot had written when measured."""

    def memory_excess(self) -> str | None:
        """Return a message if the bot uses more memory than it may."""
        limit = self.program.memory
        resident = sum(map(resident_bytes, self.processes))
        self.most_memory = max(self.most_memory, resident)
        # Shared pages are counted for each process, so measure precisely.
        if not limit or resident <= limit:
            return None
        used = sum(map(proportional_bytes, self.processes))
        return None if used <= limit else excess_text("memory", used, limit)

    def process_excess(self) -> str | None:
        """Return a message if the bot has more processes than any bot needs."""
        count = len(self.processes)
        if count <= MAX_PROCESSES:
            return None
        return f"had {count} processes, allowed {MAX_PROCESSES}"

    @property
    def is_modest(self) -> bool:
        """Return whether the bot used far less memory than it may."""
        limit = self.program.memory
        return not limit or self.most_memory < limit * MODEST_SHARE

    def disk_excess(self) -> str | None:
        """Return a message if the bot uses more disk than it may."""
        limit = self.program.disk
        if not limit:
            return None
        own = folder_bytes(self.folder, MAX_OWN_ENTRIES)
        if own is None:
            return f"had more than {MAX_OWN_ENTRIES} files in its folder for the game"
        used = own + self._grown(limit)
        return None if used <= limit else excess_text("disk", used, limit)

    def _grown(self, limit: int) -> int:
        """Return the growth of the working folder, if this bot's writes may explain it.

        Others may write there too: copies of the bot, or the tournament. The folder may
        be large, so it is not measured before the bot has written a lot.
        """
        written = sum(map(written_bytes, self.processes))
        if written <= limit * MEASURED_FROM:
            return 0
        size = folder_bytes(Path(self.program.folder))
        if size is None:
            return 0
        if self._working_bytes is None:
            self._working_bytes = size - min(size, written)
        return size - self._working_bytes if written > limit else 0


def excess_text(what: str, used: int, limit: int) -> str:
    """Return what was used and what is allowed, in MiB."""
    return f"used {used // MEBIBYTE} MiB of {what}, allowed {limit // MEBIBYTE}"


def resident_bytes(process: psutil.Process) -> int:
    """Return the resident size of a process; 0 if it has ended."""
    with suppress(*GONE):
        return process.memory_info().rss
    return 0


def proportional_bytes(process: psutil.Process) -> int:
    """Return its resident size, with shared pages divided where that is possible."""
    with suppress(*GONE, AttributeError):
        return int(process.memory_full_info().pss)
    return resident_bytes(process)


def written_bytes(process: psutil.Process) -> int:
    """Return the bytes that a process has written to files, sockets and pipes."""
    with suppress(*GONE, AttributeError):
        return int(process.io_counters().write_chars)
    return 0


def folder_bytes(folder: Path, most: int = MAX_FOLDER_ENTRIES) -> int | None:
    """Return the size of all files below *folder*; `None` if there are too many."""
    sizes = list(islice(_sizes(folder), most + 1))
    return sum(sizes) if len(sizes) <= most else None


def _sizes(folder: Path) -> Iterator[int]:
    """Yield the bytes on disk of each file; 0 for a file that is removed meanwhile."""
    for inside, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with suppress(OSError):
                yield os.lstat(Path(inside, name)).st_blocks * 512


KEPT_BYTES = 256 << 10
"""Bytes that are kept of the beginning, and as many of the end."""


class BoundedOutput:
    """The beginning and end of a stream of any length; the rest is only counted."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        """Keep *kept_bytes* of the beginning, and as many of the end."""
        self.total_bytes = 0
        """The number of all bytes, kept or not."""
        self._kept: Final = kept_bytes
        self._first: Final = bytearray()
        self._last: Final = bytearray()

    def add(self, data: bytes) -> None:
        """Add *data* to the end."""
        self.total_bytes += len(data)
        room = self._kept - len(self._first)
        self._first.extend(data[:room])
        self._last.extend(data[room:])
        del self._last[: -self._kept]

    @property
    def content(self) -> bytes:
        """Return what is kept, with a line in place of the rest."""
        dropped = self.total_bytes - len(self._first) - len(self._last)
        gap = b"\n[... %d bytes were not kept ...]\n" % dropped if dropped else b""
        return bytes(self._first + gap + self._last)

    def last_lines(self, lines: int = 20, characters: int = 2000) -> str:
        """Return the last lines as text, limited in lines and characters."""
        end = self._last or self._first
        text = end[-4 * characters :].decode(errors="replace")
        return "\n".join(text.splitlines()[-lines:])[-characters:]
