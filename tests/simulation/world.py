"""Clock, network, disk and threads of memory, which one seed decides."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from stat import S_ISREG
from typing import Any, Final, TypeVar
from unittest.mock import patch

import trio
from trio._core import _run as trio_run

from daide_server.game.events import Seconds
from daide_server.library import archive, journal_file
from daide_server.library.archive import ArchiveError
from daide_server.records.record import GameRecord
from daide_server.server import written_games

from .network import Network

ResultT = TypeVar("ResultT")
Action = Callable[[], None]

EPOCH = 1_700_000_000.0
"""Wall time at which each run begins, in seconds since 1970."""
MOST_READS = 20_000
"""How often the time is read before it passes: a few hundred times in most runs, by
a task that does not sleep without end."""


class Agenda(trio.abc.Clock):
    """The clock, and what is to happen: it jumps when no task can run.

    What is due at the same time happens in the order in which it was planned.
    """

    def __init__(self) -> None:
        self.now = 0.0
        """Seconds since the run began."""
        self._heap: Final[list[tuple[float, int, Action]]] = []
        self._number: Final = count().__next__
        self.passing: Callable[[Seconds], None] = lambda _seconds: None
        """Called with the seconds before they pass."""
        self.stand_still: Action = lambda: None
        """Called when the time was read too often without passing."""
        self._reads = 0

    def after(self, seconds: Seconds, action: Action) -> None:
        """Call *action* in *seconds*."""
        self.at(self.now + seconds, action)

    def at(self, time: Seconds, action: Action) -> None:
        """Call *action* at *time*."""
        heappush(self._heap, (time, self._number(), action))

    def start_clock(self) -> None:
        """Do nothing: the clock moves by its jumps alone."""

    def current_time(self) -> float:
        """Return the seconds since the run began."""
        self._reads += 1
        if self._reads == MOST_READS:
            self.stand_still()
        return self.now

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Do what is due, until a task of trio can run or it is *deadline*.

        trio calls this when none can. What wakes none takes no round of its loop, but
        at the end (nothing has a deadline then), which comes by one of its sockets.
        """
        runner = trio_run.GLOBAL_RUN_CONTEXT.runner
        while True:
            is_planned = bool(self._heap) and self._heap[0][0] <= deadline
            due, _, action = heappop(self._heap) if is_planned else (deadline, 0, None)
            if due > self.now:
                self.passing(due - self.now)
                self._reads, self.now = 0, due
            if action is not None:
                action()
                deadline = runner.deadlines.next_deadline()  # it may have moved it
            if runner.runq or self.now >= deadline or deadline == inf:
                return 0.0


class Disk:
    """A folder of the machine, whose writes fail when told, and that forgets.

    It stands in for `os` in the module that writes journals.
    """

    def __init__(self, chance: Random) -> None:
        self._chance: Final = chance
        self.is_dead = False
        """Whether the process that writes has been killed: nothing is done any more."""
        self.is_full = False
        self.fails_sync = False
        self.changed: Action = lambda: None
        """Called when a file is to be changed."""
        self._synced: Final[dict[int, bytes]] = {}
        """By the number of a file (inode), what a power cut leaves of it."""
        self._failed: Final[set[int]] = set()
        """Files of which a sync failed: later ones succeed, and keep nothing more."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever os has)
        """Return what `os` has."""
        return getattr(os, name)

    def open(self, path: Path | str, flags: int, mode: int = 0o777) -> int:
        """Open, unless the process is dead."""
        self._live()
        fd = os.open(path, flags, mode)
        # A new file may have the number of one that is gone.
        if not os.fstat(fd).st_size:
            self._failed.discard(os.fstat(fd).st_ino)
        return fd

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write, but on a full disk a part or nothing."""
        self._live()
        if self.is_full:
            size = self._chance.randrange(len(data)) if len(data) > 1 else 0
            if size and self._chance.random() < 0.5:
                return os.write(fd, data[:size])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        """Let a power cut keep what was written."""
        self._expect_alive()
        found = os.fstat(fd)
        if self.fails_sync:
            self.changed()
            self._failed.add(found.st_ino)
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if S_ISREG(found.st_mode) and found.st_ino not in self._failed:
            self._synced[found.st_ino] = os.pread(fd, found.st_size, 0)

    def write_record(self, record: GameRecord, folder: Path) -> Path:
        """Write a record, unless the disk is full or fails."""
        if self.is_full or self.fails_sync:
            raise ArchiveError("the disk is full, or fails")
        return archive.write_record(record, folder)

    def _live(self) -> None:
        self._expect_alive()
        self.changed()

    def _expect_alive(self) -> None:
        if self.is_dead:
            raise OSError(errno.EIO, "the process was killed")

    def cut_power(self, folder: Path) -> None:
        """Forget what was not synced, but for a part of it, torn or of zeros."""
        for path in sorted(folder.glob("*.jsonl")):
            now = path.read_bytes()
            kept = self._synced.get(path.stat().st_ino, b"")
            if not now.startswith(kept):
                kept = b""
            rest = now[len(kept) :]
            tail = rest[: self._chance.randint(0, len(rest))]
            if self._chance.random() < 0.3:
                tail = bytes(len(tail))
            path.write_bytes(kept + tail)
        self._failed.clear()


class World:
    """What one run of a simulation stands on."""

    def __init__(self, seed: int) -> None:
        self.chance: Final = Random(seed)
        self.agenda: Final = Agenda()
        self.network: Final = Network(self.agenda, Random(self.chance.random()))
        self.disk: Final = Disk(Random(self.chance.random()))
        self.wall_offset = 0.0
        """Seconds by which the wall clock was set forward or back."""
        self._threads: Final = Random(self.chance.random())

    def wall(self) -> float:
        """Return the wall time, in seconds since 1970."""
        return EPOCH + self.agenda.now + self.wall_offset

    async def run_blocking(
        self, work: Callable[..., ResultT], *words: object, **_: object
    ) -> ResultT:
        """Do *work* here, after the time that a thread would take."""
        is_done = trio.Event()
        self.agenda.after(self._threads.uniform(0.0, 0.01), is_done.set)
        await is_done.wait()
        return work(*words)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Stand in for threads and the disk of journals."""
        with (
            patch.object(trio.to_thread, "run_sync", self.run_blocking),
            patch.object(journal_file, "os", self.disk),
            patch.object(written_games, "write_record", self.disk.write_record),
        ):
            yield
