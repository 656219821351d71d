"""A pass: what is readable is handled, committed, and then sent, in order."""

import socket
from collections.abc import Iterator
from itertools import zip_longest

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from daide_server.server.journal import ServerClock
from daide_server.server.outbox import MANY_UNREAD, Outbox, Passes, Release
from daide_server.server.poller import Poller
from tests.support.fakes import FakeTransport


class Client:
    """An outbox, with its transport, passes and failures."""

    def __init__(
        self, room: int = 10**9, limit: int = 1000, passes: Passes | None = None
    ) -> None:
        self.transport = FakeTransport(room)
        self.passes = passes or Passes()
        self.failures: list[str] = []
        self.errors: list[Exception] = []
        self.rooms: list[None] = []
        """An entry for each time that the outbox was no longer full."""
        self.outbox = Outbox(
            self.transport,
            limit,
            self.passes,
            on_drop=self.failures.append,
            on_error=self.errors.append,
            on_room=lambda: self.rooms.append(None),
        )

    def put(self, *parts: bytes) -> None:
        """Put *parts* in one pass."""
        with self.passes:
            for part in parts:
                self.outbox.put(part)


def test_nothing_is_put_outside_of_a_pass() -> None:
    """A journal could not commit it before it is sent."""
    with pytest.raises(AssertionError):
        Client().outbox.put(b"YES")


@given(
    room=st.integers(0, 50),
    parts=st.lists(st.binary(min_size=1, max_size=20), max_size=20),
    rooms=st.lists(st.integers(1, 30), max_size=20),
)
async def test_what_the_kernel_does_not_take_is_counted_and_follows_in_order(
    room: int, parts: list[bytes], rooms: list[int]
) -> None:
    """Whatever is read, and in which pieces; with the end nothing is kept."""
    passes, put = Passes(limit=10**9), 0
    client = Client(room, limit=10**6, passes=passes)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.outbox.drain)
        for part, more in zip_longest(parts, rooms):
            if part is not None:
                client.put(part)
                put += len(part)
            client.transport.make_room(more or 0)
            await trio.testing.wait_all_tasks_blocked()
            unsent = put - len(client.transport.data)
            assert passes.kept_bytes == client.outbox.unsent_bytes == unsent
        client.transport.make_room(1000)
        await client.outbox.flushed()
        client.outbox.close()
        assert passes.kept_bytes == 0
        nursery.cancel_scope.cancel()
    assert client.transport.data == b"".join(parts)


def test_a_slow_reader_fails_once() -> None:
    """And what is put after that is dropped."""
    client = Client(room=0, limit=10)
    client.put(b"0123456789")
    assert client.failures == []
    client.put(b"0")
    client.put(b"1")
    assert client.failures == ["left more than 10 bytes unread"]


def test_an_error_at_sending_costs_one_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others of the pass are sent what is theirs."""
    error = TypeError("a defect")

    def fail(_: object) -> int:
        raise error

    passes = Passes()
    broken, other = Client(passes=passes), Client(passes=passes)
    monkeypatch.setattr(broken.transport, "send_now", fail)
    with passes:
        broken.outbox.put(b"a")
        other.outbox.put(b"a")
    assert broken.errors == [error]
    assert other.transport.sent == [b"a"]


async def test_nobody_waits_for_a_client_that_failed() -> None:
    client = Client(room=0)
    client.put(b"a")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.outbox.flushed)
        nursery.start_soon(client.outbox.drain)
        await trio.testing.wait_all_tasks_blocked()
        client.transport.is_broken = True
        client.transport.make_room(1)
    assert client.failures == ["cannot be sent to: reset"]


def test_a_commit_that_comes_after_the_close_sends_nothing() -> None:
    """And the closed connection is no error."""
    held: list[Release] = []
    client = Client(passes=Passes(held.append))
    client.put(b"late")
    client.outbox.close()
    client.transport.is_broken = True
    held[0]()
    assert client.transport.sent == []
    assert client.failures == []


async def test_flushed_waits_for_a_commit() -> None:
    """What a pass says leaves when its events are committed, in the order of passes."""
    held: list[Release] = []
    client = Client(passes=Passes(held.append))
    client.put(b"first")
    client.put(b"second")
    assert client.transport.sent == []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.outbox.flushed)
        await trio.testing.wait_all_tasks_blocked()
        held[0]()
        await trio.testing.wait_all_tasks_blocked()
        assert len(nursery.child_tasks) == 1
        held[1]()
    assert client.transport.sent == [b"first", b"second"]


def test_the_largest_outbox_is_closed_when_all_together_keep_too_much() -> None:
    """Memory is bounded, whoever fills it."""
    passes = Passes(limit=1000)
    small, large, last = [Client(room=0, passes=passes) for _ in range(3)]
    with passes:
        small.outbox.put(b"s" * 300)
        large.outbox.put(b"l" * 600)
    assert passes.kept_bytes == 900
    with passes:
        last.outbox.put(b"x" * 200)
    assert large.failures == ["all clients left more than 1000 bytes unread"]
    assert small.failures == last.failures == []
    assert passes.kept_bytes == 500


@pytest.mark.parametrize("is_late", [False, True])
async def test_who_waits_for_room_is_called_once(*, is_late: bool) -> None:
    """Also while the disk has not committed what the client is sent."""
    held: list[Release] = []
    commit = held.append if is_late else lambda release: release()
    client = Client(room=0, limit=10**9, passes=Passes(commit))
    client.put(bytes(MANY_UNREAD))
    assert not client.outbox.is_full
    client.put(b"x")
    assert client.outbox.is_full
    client.outbox.await_room()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.outbox.drain)
        for release in held:
            release()
        assert client.rooms == []
        for _ in range(3):
            client.transport.make_room(1)
            await trio.testing.wait_all_tasks_blocked()
        assert client.rooms == [None]
        nursery.cancel_scope.cancel()


def test_a_pass_that_says_nothing_is_committed_too() -> None:
    """Its events may matter though nobody is sent anything."""
    commits: list[Release] = []
    with Passes(commits.append):
        pass
    assert len(commits) == 1


def test_a_pass_inside_of_a_pass_is_part_of_it() -> None:
    client = Client()
    with client.passes:
        client.put(b"a")
        client.put(b"b")
        assert client.transport.sent == []
    assert client.transport.sent == [b"ab"]


def test_what_was_said_before_an_exception_is_sent() -> None:
    client = Client()

    def fail() -> None:
        with client.passes:
            client.outbox.put(b"a")
            raise ValueError("a defect")

    with pytest.raises(ValueError, match="a defect"):
        fail()
    assert client.transport.sent == [b"a"]
    client.put(b"b")
    assert client.transport.sent == [b"a", b"b"]


Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pairs() -> Iterator[list[Pair]]:
    """Return three connected pairs of sockets."""
    made = [socket.socketpair() for _ in range(3)]
    for ours, _ in made:
        ours.setblocking(False)
    yield made
    for pair in made:
        for end in pair:
            end.close()


async def pause() -> None:
    """Let the poller have a pass or two."""
    with trio.move_on_after(0.05):
        await trio.sleep_forever()


async def test_what_is_forgotten_is_not_called(pairs: list[Pair]) -> None:
    """Not even in the pass that has begun."""
    poller = Poller(Passes(), ServerClock())
    called: list[int] = []

    def first_forgets_the_others(number: int) -> None:
        called.append(number)
        for ours, _ in pairs:
            poller.forget(ours)

    async with trio.open_nursery() as nursery:
        for number, (ours, theirs) in enumerate(pairs):
            poller.watch(ours, lambda number=number: first_forgets_the_others(number))  # type: ignore[misc]
            theirs.send(b"x")
        nursery.start_soon(poller.run)
        await pause()
        assert len(called) == 1
        poller.forget(pairs[0][0])
        nursery.cancel_scope.cancel()


async def test_all_that_is_readable_is_one_pass(pairs: list[Pair]) -> None:
    """What is said to one client, because of several, is sent once."""
    passes = Passes()
    poller = Poller(passes, ServerClock())
    client = Client(passes=passes)
    async with trio.open_nursery() as nursery:
        for ours, theirs in pairs:
            theirs.send(b"x")
            poller.watch(ours, lambda ours=ours: client.outbox.put(ours.recv(1)))  # type: ignore[misc]
        nursery.start_soon(poller.run)
        await pause()
        nursery.cancel_scope.cancel()
    assert client.transport.sent == [b"xxx"]


async def test_who_connects_while_the_server_stops_is_not_watched(
    pairs: list[Pair],
) -> None:
    """Its session begins after the last pass, and ends by being cancelled."""
    poller = Poller(Passes(), ServerClock())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await pause()
        nursery.cancel_scope.cancel()

    (ours, theirs), *_ = pairs
    theirs.send(b"late")
    poller.watch(ours, pytest.fail)
    poller.forget(ours)
