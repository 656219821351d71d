"""Clock, network, disk and threads of memory, which one seed decides."""

import errno
import os
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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
from daide_server.server.outbox import READ_SIZE, Passes, ServerClock, Transport
from daide_server.server.poller import Work
from daide_server.storage import journal_file
from tests.support.fakes import FakePoller

ResultT = TypeVar("ResultT")
Action = Callable[[], None]

EPOCH: Final = 1_700_000_000.0
"""Wall time at which each run begins, in seconds since 1970."""
SHARE: Final = 0.05
MOST_READS: Final = 20_000
"""How often the time is read before it passes: a few hundred times in most runs, by
a task that does not sleep without end."""
LATENCY: Final = 0.02
"""The longest way of a packet, in seconds, when nothing delays it."""


class Agenda(trio.abc.Clock):
    """The clock, and what is to happen: it jumps when no task can run.

    What is due at the same time happens in the order in which it was planned.
    """

    def __init__(self) -> None:
        self.now = 0.0
        """Seconds since the run began."""
        self._heap: Final[list[tuple[float, int, Action]]] = []
        self._number: Final = count().__next__
        self.passing: Callable[[Seconds, bool], None] = lambda *_: None
        """Called before time passes: with the seconds, and whether a task has run
        since it passed last."""
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
        runnable, is_new = trio_run.GLOBAL_RUN_CONTEXT.runner.runq, True
        while True:
            is_planned = bool(self._heap) and self._heap[0][0] <= deadline
            due, _, action = heappop(self._heap) if is_planned else (deadline, 0, None)
            if due > self.now:
                self.passing(due - self.now, is_new)
                self._reads = 0
                self.now, is_new = due, False
            if action is not None:
                action()
            if runnable or self.now >= deadline or deadline == inf:
                return 0.0


# The network


class Link(Transport):
    """One connection of a client; its server's end is a `Transport`.

    Bytes arrive in order. A link that is cut is reset for both; one that is lost in
    the middle says nothing to either.
    """

    address = ""

    def __init__(self, network: "Network", address: str) -> None:
        self.address = address
        self.is_lost = False
        """Whether nothing arrives any more, in either direction."""
        self.outlives_server = False
        """Whether the server was killed or stopped."""
        self.may_end = False
        """Whether a fault ends it, or has made the server end it."""
        self.whole_since = network.agenda.now
        """Since when the client has taken what arrives."""
        self.on_bytes: Callable[[bytes], None] = lambda _data: None
        self.on_end: Action = lambda: None
        """Called once when the server's end is closed, or the connection is cut."""
        self.is_reading = True
        """Whether the client takes what has arrived; see `read_again`."""
        self._network: Final = network
        self._arrived: Final[deque[bytes]] = deque()
        self._is_broken = False
        self._is_closed = False
        self._is_dead = False
        self._room = network.room
        self._unread = bytearray()
        self._changed: trio.Event | None = None
        """Set when a task that waits for this link is to look again."""
        self._last = {"server": 0.0, "client": 0.0}
        self._lost_at: float | None = None

    # The client's end

    def say(self, data: bytes) -> None:
        """Let the client send *data*; it may arrive in pieces."""
        chance = self._network.chance
        while data:
            size = len(data)
            if self._network.is_splitting and chance.random() < 0.3:
                size = chance.randint(1, len(data))
            self._deliver("server", self._arrives, data[:size])
            data = data[size:]

    def hang_up(self) -> None:
        """Let the client close its end."""
        self.on_end = lambda: None
        self.on_bytes = lambda _data: None
        self._deliver("server", self._arrives, b"")

    def cut(self) -> None:
        """Reset the connection, now."""
        self._is_broken = self.may_end = True
        self._notify()
        self._end()

    def die(self) -> None:
        """Let the server's process be killed: what it sent arrives, then an end."""
        self._tell_end()
        self._is_closed = self._is_dead = True
        self.may_end = self.outlives_server = True

    def lose(self) -> None:
        """Let nothing arrive any more; nobody is told."""
        self.is_lost = self.may_end = True
        self._lost_at = self._network.agenda.now

    def read_again(self) -> None:
        """Take what has arrived meanwhile, and all that arrives from now on."""
        self.is_reading, self.whole_since = True, self._network.agenda.now
        data, self._unread = bytes(self._unread), bytearray()
        self._take(data)

    def _arrives(self, data: bytes) -> None:
        if not self._is_closed:
            self._arrived.append(data)
            self._notify()

    def _receives(self, data: bytes) -> None:
        if self.is_reading:
            self._take(data)
        else:
            self._unread += data

    def _take(self, data: bytes) -> None:
        self._room += len(data)
        self._tell()
        self.on_bytes(data)

    def _tell_end(self) -> None:
        self._deliver("client", lambda _data: self._end(), b"")

    def _end(self) -> None:
        on_end, self.on_end = self.on_end, lambda: None
        on_end()

    def _deliver(self, end: str, receive: Callable[[bytes], None], data: bytes) -> None:
        """Let *data* arrive at one *end*, behind what is under way to it."""
        if self.is_lost or self._is_broken:
            return
        agenda = self._network.agenda
        due = max(agenda.now + self._network.delay(), self._last[end])
        self._last[end] = due

        def arrive() -> None:
            if not (self.is_lost or self._is_broken):
                receive(data)

        agenda.at(due, arrive)

    # The server's end

    @property
    def is_unanswered(self) -> bool:
        """Return whether the peer has confirmed nothing for a minute."""
        return (
            self._lost_at is not None and self._network.agenda.now - self._lost_at > 60
        )

    @property
    def is_readable(self) -> bool:
        """Return whether bytes, the end or an error have come."""
        return bool(self._arrived) or self._is_broken

    def fileno(self) -> int:
        """Return a number that no other link has."""
        return id(self)

    def receive_now(self, size: int = READ_SIZE) -> bytes | None:
        """Return what has come, *size* bytes at most; `None`: nothing."""
        if self._is_broken:
            raise ConnectionResetError(errno.ECONNRESET, "reset")
        if not self._arrived:
            return None
        if not self._arrived[0]:
            return b""
        data = b"".join(self._arrived)
        is_ended = not self._arrived[-1]
        self._arrived.clear()
        if data[size:]:
            self._arrived.append(data[size:])
        if is_ended:
            self._arrived.append(b"")
        return data[:size]

    def send_now(self, data: bytes | memoryview) -> int:
        """Take as many bytes as the buffers have room for."""
        if self._is_broken:
            raise BrokenPipeError(errno.EPIPE, "broken")
        if self._is_dead:
            return len(data)
        size = min(self._room, len(data))
        self._room -= size
        if size:
            self._deliver("client", self._receives, bytes(data[:size]))
        return size

    def end(self) -> None:
        """Send an end."""
        self._tell_end()

    def close(self) -> None:
        """Close both halves; the client is told."""
        if not self._is_closed:
            self._is_closed = True
            self._tell_end()
            self._notify()

    def _tell(self) -> None:
        """Wake the tasks that wait for this link."""
        if self._changed is not None:
            self._changed.set()
            self._changed = None

    def _notify(self) -> None:
        """Wake the poller as well."""
        self._tell()
        self._network.changed()

    async def wait_readable(self) -> None:
        """Wait for bytes, the end or an error."""
        while not self.is_readable:
            await self._change()

    async def wait_writable(self) -> None:
        """Wait for room."""
        while not (self._room or self._is_broken):
            await self._change()

    async def _change(self) -> None:
        if self._is_closed:
            raise trio.ClosedResourceError
        self._changed = self._changed or trio.Event()
        await self._changed.wait()


class Network:
    """All links, and how long packets take."""

    def __init__(self, agenda: Agenda, chance: Random) -> None:
        self.agenda: Final = agenda
        self.chance: Final = chance
        self.is_splitting = False
        """Whether what is sent at once may arrive in pieces."""
        self.room = 65_536
        """Bytes that the kernel takes for a peer that does not read."""
        self.slowness = 1.0
        """A factor of all latencies."""
        self.fast_since = -inf
        """Since when packets are not slow."""
        self.changed: Action = lambda: None
        """Called when a link of the running server becomes readable."""
        self.accept: Callable[[Link], bool] | None = None
        """Takes a new connection, or says no; `None` while no server listens."""

    def slow_down(self, factor: float) -> None:
        """Let packets take longer, or with 1 as long as ever."""
        self.slowness = factor
        self.fast_since = self.agenda.now if factor == 1.0 else inf

    def delay(self) -> Seconds:
        """Return how long the next packet takes."""
        return self.chance.uniform(0.0, LATENCY) * self.slowness

    def connect(self, address: str) -> Link | None:
        """Return a new connection, or `None` if it is refused."""
        link = Link(self, address)
        is_taken = self.accept is not None and self.accept(link)
        return link if is_taken else None


class MemoryPoller(FakePoller):
    """A `Poller` of links."""

    def __init__(self, network: Network, passes: Passes, clock: ServerClock) -> None:
        super().__init__(passes, clock, SHARE)
        self._changed = trio.Event()
        network.changed = self.wake

    def watch(self, transport: Transport | socket.socket, work: Work) -> None:
        """Call *work* in every pass in which *transport* is readable."""
        super().watch(transport, work)
        self.wake()

    def wake(self) -> None:
        """Begin a pass soon."""
        self._changed.set()

    async def run(self) -> None:
        """Run a pass whenever something has changed."""
        while True:
            if self.turns.is_empty and not self._ready():
                await self._change()
                self._changed = trio.Event()
            else:
                await trio.lowlevel.checkpoint()
            while not self.clock.is_running:
                await self.clock.running()
            self.run_pass()

    async def _change(self) -> None:
        """Wait until something changes, or somebody is to be served."""
        seconds = self.turns.delay
        if seconds == inf:  # so it is nearly always, and a scope is dear
            await self._changed.wait()
        else:
            with trio.move_on_after(seconds):
                await self._changed.wait()

    def _ready(self) -> list[Work]:
        watched = self.watched.items()
        return [
            work
            for link, work in watched
            if link._arrived or link._is_broken  # type: ignore[union-attr]
        ]

    def _read(self) -> None:
        for work in self._ready():
            work()


# The disk


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
        self._synced: Final[dict[int, bytes]] = {}
        """By the number of a file (inode), what a power cut leaves of it."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever os has)
        """Return what `os` has."""
        return getattr(os, name)

    def open(self, path: Path | str, flags: int, mode: int = 0o777) -> int:
        """Open, unless the process is dead."""
        self._live()
        return os.open(path, flags, mode)

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
        self._live()
        if self.fails_sync:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        found = os.fstat(fd)
        if S_ISREG(found.st_mode):
            self._synced[found.st_ino] = os.pread(fd, found.st_size, 0)

    def _live(self) -> None:
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

    def restart(self) -> None:
        """Let the next process write."""
        self.is_dead = False


# All of it


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
        with ExitStack() as stack:
            stack.enter_context(
                patch.object(trio.to_thread, "run_sync", self.run_blocking)
            )
            stack.enter_context(patch.object(journal_file, "os", self.disk))
            yield
