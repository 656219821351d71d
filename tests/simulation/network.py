"""Connections of memory: links between clients and the server, and its poller."""

from __future__ import annotations

import errno
import socket
from collections import deque
from collections.abc import Callable
from math import inf
from random import Random
from typing import TYPE_CHECKING, Final

import trio

from daide_server.game.events import Seconds
from daide_server.server.journal import ServerClock
from daide_server.server.outbox import Passes
from daide_server.server.poller import OnReadable
from daide_server.server.transport import READ_SIZE, Transport
from tests.support.fakes import FakePoller

if TYPE_CHECKING:
    from .world import Action, Agenda

SHARE = 0.05
"""The part of the processor that one client may use."""
LATENCY = 0.02
"""The longest way of a packet, in seconds, when nothing delays it."""

SEEN = LATENCY / 4
"""Seconds after which a task sees that there is room; a pass may be before it."""


class Link(Transport):
    """One connection of a client; its server's end is a `Transport`.

    Bytes arrive in order. A link that is cut is reset for both; one that is lost in
    the middle says nothing to either.
    """

    address = ""

    def __init__(self, network: Network, address: str) -> None:
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
        if not self._is_closed:
            self._network.readable.add(self)
        self._tell()
        self._end()
        self._network.arrived()

    def die(self) -> None:
        """Let the server's process be killed: what it sent arrives, then an end."""
        self._tell_end()
        self._network.readable.discard(self)
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
            self._network.readable.add(self)
            self._tell()
            self._network.arrived()

    def _receives(self, data: bytes) -> None:
        if self.is_reading:
            self._take(data)
        else:
            self._unread += data

    def _take(self, data: bytes) -> None:
        self._room += len(data)
        if self._changed is not None:
            self._network.agenda.after(SEEN, self._tell)
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
        if not self._arrived:
            self._network.readable.discard(self)
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
            self._network.readable.discard(self)
            self._tell_end()
            self._tell()

    def _tell(self) -> None:
        """Wake the tasks that wait for this link."""
        if self._changed is not None:
            self._changed.set()
            self._changed = None

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
        self.readable: Final[set[Link]] = set()
        """The links of which bytes, the end or an error have come to the server."""
        self.arrived: Action = lambda: None
        """Called when a link of the running server becomes readable."""
        self.accept: Callable[[Link], bool] | None = None
        """Takes a new connection, or says no; `None` while no server listens."""

    def slow_down(self, factor: float) -> None:
        """Let packets take longer, or with 1 as long as ever."""
        self.slowness = factor
        self.fast_since = self.agenda.now if factor == 1.0 else inf

    def delay(self) -> Seconds:
        """Return how long the next packet takes."""
        return LATENCY * self.chance.random() * self.slowness

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
        self._readable: Final = network.readable
        self._is_running = False
        network.arrived = self._serve

    def watch(self, transport: Transport | socket.socket, work: OnReadable) -> None:
        """Call *work* in every pass in which *transport* is readable."""
        super().watch(transport, work)
        self.wake()

    def wake(self) -> None:
        """Begin a pass soon."""
        self._changed.set()

    def _serve(self) -> None:
        """Run a pass for what has arrived: no task can run, and this one would wake.

        It leaves out a round of trio's loop for nearly every message.
        """
        if self._is_running and self.clock.is_running:
            self.run_pass()
        if self._readable or not self.queues.is_empty or self.queues.delay < inf:
            self.wake()

    async def run(self) -> None:
        """Run a pass whenever something has changed, but for what arrives."""
        self._is_running = True
        try:
            await self._run()
        finally:
            self._is_running = False

    async def _run(self) -> None:
        while True:
            if self.queues.is_empty and not self._ready():
                await self._change()
                self._changed = trio.Event()
            else:
                await trio.lowlevel.checkpoint()
            while not self.clock.is_running:
                await self.clock.running()
            self.run_pass()

    async def _change(self) -> None:
        """Wait until something changes, or somebody is to be served."""
        seconds = self.queues.delay
        if seconds == inf:  # so it is nearly always, and a scope is dear
            await self._changed.wait()
        else:
            with trio.move_on_after(seconds):
                await self._changed.wait()

    def _ready(self) -> list[OnReadable]:
        readable = self._readable
        if not readable:
            return []
        return [work for link, work in self.watched.items() if link in readable]

    def _read(self) -> None:
        for work in self._ready():
            work()
