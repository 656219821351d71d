"""What bots use, sampled: one that has too much memory, disk, or processes is stopped.

Memory is the resident pages of a bot's processes, those that several share counted
once where the system tells. Disk is what lies in the folder of its seat and, if its
own processes have written as much, by how much its working folder has grown.
"""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
from attrs import define, field

from .bot_settings import MEBIBYTE, BotSettings

GONE: Final = (psutil.NoSuchProcess, psutil.AccessDenied, OSError)
"""What looking at a process of others may raise."""
MODEST_SHARE: Final = 0.5
MEASURED_FROM: Final = 0.5
"""Of the limit on disk: a bot that has written less is not looked at closely."""
MAX_FOLDER_ENTRIES: Final = 2000
"""A folder with more files is not measured: it would take too long."""
MAX_OWN_ENTRIES: Final = 5000
"""Files and folders in what is made for one game; it is always measured."""
MAX_PROCESSES: Final = 512
"""A bot that starts others without end would take them from the machine."""


@define
class BotUsage:
    """What one bot uses, as last seen."""

    program: BotSettings
    folder: Path
    processes: list[psutil.Process] = field(factory=list, init=False)
    most_memory: int = field(default=0, init=False)
    """Resident bytes, the most that were seen."""
    _working_bytes: int | None = field(default=None, init=False)
    """Size of the working folder when the bot had written a lot."""

    def memory_excess(self) -> str | None:
        """Return that the bot uses more memory than it may, if it does."""
        limit = self.program.memory
        resident = sum(map(resident_bytes, self.processes))
        self.most_memory = max(self.most_memory, resident)
        # Pages that processes share are counted for each, so look again.
        if not limit or resident <= limit:
            return None
        used = sum(map(proportional_bytes, self.processes))
        return None if used <= limit else excess_text("memory", used, limit)

    def process_excess(self) -> str | None:
        """Return that the bot has more processes than any needs, if it has."""
        count = len(self.processes)
        if count <= MAX_PROCESSES:
            return None
        return f"had {count} processes, allowed {MAX_PROCESSES}"

    @property
    def is_modest(self) -> bool:
        """Return whether the bot was far from using all the memory that it may."""
        limit = self.program.memory
        return not limit or self.most_memory < limit * MODEST_SHARE

    def disk_excess(self) -> str | None:
        """Return that the bot uses more disk than it may, if it does."""
        limit = self.program.disk
        if not limit:
            return None
        own = folder_bytes(self.folder, MAX_OWN_ENTRIES)
        if own is None:
            return f"had more than {MAX_OWN_ENTRIES} files in its folder for the game"
        used = own + self._grown(limit)
        return None if used <= limit else excess_text("disk", used, limit)

    def _grown(self, limit: int) -> int:
        """Return by how much the working folder grew, if by this bot's writing.

        Others may write there too: copies of the bot, or the tournament. The folder
        may be large, so it is not measured before the bot has written a lot.
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
    """Return what was used and what was allowed, in MiB."""
    return f"used {used // MEBIBYTE} MiB of {what}, allowed {limit // MEBIBYTE}"


def resident_bytes(process: psutil.Process) -> int:
    """Return the memory that a process has; 0 if it is gone."""
    try:
        return process.memory_info().rss
    except GONE:
        return 0


def proportional_bytes(process: psutil.Process) -> int:
    """Return the same with shared pages divided up, where the system tells."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text("ascii")
        pss = next(line for line in lines.splitlines() if line.startswith("Pss:"))
        return int(pss.split()[1]) << 10
    return resident_bytes(process)


def written_bytes(process: psutil.Process) -> int:
    """Return how much a process has written to files, sockets and pipes."""
    with suppress(*GONE, AttributeError):
        return int(process.io_counters().write_chars)
    return 0


def folder_bytes(folder: Path, most: int = MAX_FOLDER_ENTRIES) -> int | None:
    """Return the size of all files below *folder*; `None` if they are over *most*."""
    total = 0
    for number, size in enumerate(_sizes(folder)):
        if number >= most:
            return None
        total += size
    return total


def _sizes(folder: Path) -> Iterator[int]:
    """Yield the bytes on disk of each file; what vanishes meanwhile has none."""
    waiting = [folder]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                yield entry.stat(follow_symlinks=False).st_blocks * 512


COUNTERS: Final = Path("/proc/vmstat")
OOM_COUNTER: Final = "oom_kill"


def oom_kills() -> int:
    """Return the count since the machine was started; 0 where it is not known."""
    with suppress(OSError, ValueError):
        for line in COUNTERS.read_text("ascii").splitlines():
            name, _, count = line.partition(" ")
            if name == OOM_COUNTER:
                return int(count)
    return 0


KEPT_BYTES: Final = 256 << 10
"""Of the beginning, and as much of the end."""


class BoundedOutput:
    """The beginning and the end of a stream of any length; the rest is counted."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        """Keep *kept_bytes* of the beginning, and as much of the end."""
        self.dropped_bytes = 0
        self._kept: Final = kept_bytes
        self._first: Final = bytearray()
        self._last: Final[deque[bytes]] = deque()
        self._last_bytes = 0

    def add(self, data: bytes) -> None:
        """Add *data* to the end."""
        room = self._kept - len(self._first)
        if room > 0:
            self._first.extend(data[:room])
            data = data[room:]
        if not data:
            return
        self._last.append(data)
        self._last_bytes += len(data)
        while self._last_bytes > self._kept:
            self._drop(self._last_bytes - self._kept)

    @property
    def total_bytes(self) -> int:
        """Return how much was added, kept or not."""
        return len(self._first) + self._last_bytes + self.dropped_bytes

    def _drop(self, surplus: int) -> None:
        oldest = self._last.popleft()
        rest = oldest[surplus:]
        if rest:
            self._last.appendleft(rest)
        dropped = len(oldest) - len(rest)
        self._last_bytes -= dropped
        self.dropped_bytes += dropped

    @property
    def content(self) -> bytes:
        """Return what is kept, with a line where the rest was."""
        gap = b""
        if self.dropped_bytes:
            gap = b"\n[... %d bytes were not kept ...]\n" % self.dropped_bytes
        return bytes(self._first) + gap + b"".join(self._last)

    def last_lines(self, lines: int = 20, characters: int = 2000) -> str:
        """Return the end as text: so many lines, and characters, at most."""
        end = b"".join(self._last) if self._last else bytes(self._first)
        text = end[-4 * characters :].decode(errors="replace")
        return "\n".join(text.splitlines()[-lines:])[-characters:]
