"""Transports without sockets, a poller without a kernel, events that are remembered."""

import json
import re
import socket
from collections import deque
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from msgspec.structs import astuple

from daide_server.daide.frames import FrameDecoder, decode_tokens, encode_tokens
from daide_server.daide.tokens import Tokens
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.game.events import ClientId
from daide_server.server.events import EntryRecorded, Events, Notice, ServerEvent
from daide_server.server.journal import ServerClock
from daide_server.server.limits import SessionLimits
from daide_server.server.log import LogReader, line_writer
from daide_server.server.outbox import Passes
from daide_server.server.poller import OnReadable, Poller, ServiceQueues
from daide_server.server.session import Handler, Session
from daide_server.server.transport import READ_SIZE, Transport

IM = bytes.fromhex("0000 0004 0001 DA10")
RM = bytes.fromhex("0100 0000")
FM = bytes.fromhex("0300 0000")
WORDS = Vocabulary.standard()

LIMITS = SessionLimits(
    outbox_bytes=10**9,
    outboxes_bytes=10**12,
    rm_delay=0.0,
    im_seconds=1e9,
    join_seconds=1e9,
    map_seconds=1e9,
    close_seconds=0.0,
)

UNLIMITED = 1e9
"""A share of the processor that nobody exceeds."""


def _run_jumping(
    test: Any,  # noqa: ANN401 (of pytest-trio)
    *,
    clock: trio.abc.Clock | None,
    instruments: Any,  # noqa: ANN401
) -> None:
    """Run a test of pytest-trio, which has no other clock."""
    jumping = trio.testing.MockClock(autojump_threshold=0)
    trio.run(test, clock=clock or jumping, instruments=instruments)


jumping_clock = pytest.mark.trio(run=_run_jumping)
"""For tests in which time passes only while all tasks wait, and then at once."""


class FakeTransport(Transport):
    """A `Transport` whose peer is the test."""

    address = "192.0.2.1"
    is_unanswered = False

    def __init__(self, room: int = 10**9) -> None:
        """Take *room* bytes before the sender must wait."""
        self.sent: list[bytes] = []
        self.room = room
        self.is_broken = False
        self.is_ended = False
        self.is_closed = False
        self._arrived: deque[bytes] = deque()
        self._changed = trio.Event()

    @property
    def data(self) -> bytes:
        return b"".join(self.sent)

    def heard(self) -> list[str]:
        """Return the messages that were sent, once; FM is `FM`."""
        decoder = FrameDecoder(lambda _kind, _length: None)
        decoder.feed(self.data)
        self.sent.clear()
        bodies = (body for kind, body in iter(decoder.next, None) if kind != RM[0])
        return [to_text(decode_tokens(body), WORDS) or "FM" for body in bodies]

    @property
    def unread(self) -> bytes:
        """Return what has arrived and was not received: the kernel has it."""
        return b"".join(self._arrived)

    @property
    def is_readable(self) -> bool:
        """Return whether bytes, the end or an error have come."""
        return bool(self._arrived) or self.is_broken

    def arrive(self, data: bytes) -> None:
        """Let the peer send *data*; nothing is its end."""
        self._arrived.append(data)
        self._notify()

    def make_room(self, size: int) -> None:
        """Let the peer read, so that *size* more bytes may be sent."""
        self.room += size
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def fileno(self) -> int:
        """Return a number that no other transport has."""
        return id(self)

    def receive_now(self, size: int = READ_SIZE) -> bytes | None:
        """Return what has arrived, one `arrive` after the other."""
        self._check()
        if not self._arrived:
            return None
        data = self._arrived.popleft()
        if data[size:]:
            self._arrived.appendleft(data[size:])
        return data[:size]

    def send_now(self, data: bytes | memoryview) -> int:
        """Take as many bytes as there is room for."""
        self._check()
        size = min(self.room, len(data))
        self.room -= size
        if size:
            self.sent.append(bytes(data[:size]))
        return size

    def _check(self) -> None:
        if self.is_broken:
            raise ConnectionResetError("reset")

    def end(self) -> None:
        self._check()
        self.is_ended = True

    def close(self) -> None:
        self.is_closed = True

    async def wait_readable(self) -> None:
        await trio.lowlevel.checkpoint()
        while not self.is_readable:
            await self._changed.wait()

    async def wait_writable(self) -> None:
        await trio.lowlevel.checkpoint()
        while not self.room and not self.is_broken:
            await self._changed.wait()


class FakePoller(Poller):
    """A `Poller` whose passes are run by the test."""

    def __init__(
        self, passes: Passes, clock: ServerClock, share: float = UNLIMITED
    ) -> None:
        """Let the processor take no time, so that only bytes count."""
        self.watched: dict[Transport | socket.socket, OnReadable] = {}
        self.passes = passes
        self.queues = ServiceQueues(passes, share, lambda: 0.0)
        self.clock = clock

    def watch(self, transport: Transport | socket.socket, work: OnReadable) -> None:
        """Watch, as the poller of sockets would, what is not watched yet."""
        assert transport not in self.watched
        self.watched[transport] = work

    def forget(self, transport: Transport | socket.socket) -> None:
        """Stop the watch, if there is one."""
        self.watched.pop(transport, None)

    def wake(self) -> None:
        """Leave it to the test to run a pass."""

    def catch_up(self) -> None:
        """Read, and serve players."""
        self._read()
        self.queues.catch_up()

    async def run(self) -> None:
        """Leave it to the test to run passes."""
        await trio.lowlevel.checkpoint()

    def run_pass(self) -> None:
        """Read each transport that is readable, once, and serve who waits."""
        with self.passes:
            self._read()
            self.queues.run()

    def _read(self) -> None:
        for transport, work in tuple(self.watched.items()):
            if isinstance(transport, FakeTransport) and transport.is_readable:
                work()


LOG_PAGE = (Path(__file__).parents[2] / "docs" / "log.md").read_text()
ROW = re.compile(r"^\| `(\w+\.\w+)` \| (\w+) \|([^|]*)\|[^|]+\|[^|]*\|$", re.MULTILINE)
LISTED = {
    event: (level, set(re.findall(r"`(\w+)`", fields)))
    for event, level, fields in ROW.findall(LOG_PAGE)
}
"""The events that docs/log.md has, with their levels and fields."""
IN_ANY_LINE = frozenset(
    ("timestamp", "level", "event", "client", "address", "game", "power", "name")
)


def _expect_documented(line: str) -> None:
    fields = json.loads(line)
    assert fields.keys() <= LISTED[fields["event"]][1] | IN_ANY_LINE, line


class RecordedEvents(Events):
    """Events that are remembered; what is logged of them must be documented."""

    def __init__(self, *, wants_messages: bool = False) -> None:
        self.found: list[ServerEvent] = []
        super().__init__(self.found.append, wants_messages=wants_messages)
        self._log = LogReader(line_writer(_expect_documented, "json"), "debug")

    def __call__(self, event: ServerEvent) -> None:
        """Remember *event*, whose line of the log has the fields of the page."""
        self._log(event)
        super().__call__(event)

    @property
    def kinds(self) -> list[type | str]:
        """Return the classes of events and entries, and the names of notices."""
        return [self._kind(event) for event in self.found]

    @staticmethod
    def _kind(event: ServerEvent) -> type | str:
        if isinstance(event, Notice):
            return event.name
        return type(event.entry) if isinstance(event, EntryRecorded) else type(event)

    def of(self, kind: type[ServerEvent] | str) -> list[tuple[object, ...]]:
        """Return the fields of the events of a class, or of the notices of a name."""
        return [
            tuple(event.fields.values())
            if isinstance(event, Notice)
            else astuple(event)
            for event in self.found
            if kind == (event.name if isinstance(event, Notice) else type(event))
        ]


class Echo(Handler):
    """A handler that sends back what it gets; tests make it do other things."""

    representation = ()

    def __init__(
        self,
        events: Events | None = None,
        limits: SessionLimits = LIMITS,
        share: float = UNLIMITED,
    ) -> None:
        self.events = events or RecordedEvents()
        passes = Passes(limit=limits.outboxes_bytes)
        self.poller = FakePoller(passes, ServerClock(), share)
        self.received: list[tuple[ClientId, Tokens]] = []
        self.left: list[ClientId] = []
        self.error: Exception | None = None

    def receive(self, session: Session, tokens: Tokens) -> None:
        """Send *tokens* back, or raise."""
        if self.error is not None:
            raise self.error
        self.received.append((session.client, tokens))
        session.outbox.put(encode_tokens(tokens))

    def leave(self, session: Session) -> None:
        self.left.append(session.client)


class FakeClient:
    """A client whose peer is the test, which runs the passes of the server."""

    def __init__(
        self, session: Session, transport: FakeTransport, poller: FakePoller
    ) -> None:
        self.session = session
        self.transport = transport
        self.poller = poller

    async def send(self, data: bytes) -> None:
        """Send *data*, and let it and what follows from it be handled."""
        self.transport.arrive(data)
        for _ in range(0, max(1, len(data)), READ_SIZE):
            await self.one_pass()

    async def say(self, text: str) -> None:
        """Send a message, and let it be handled."""
        await self.send(encode_tokens(from_text(text, WORDS)))

    def heard(self) -> list[str]:
        return self.transport.heard()

    async def one_pass(self) -> None:
        self.poller.run_pass()
        await trio.testing.wait_all_tasks_blocked()
