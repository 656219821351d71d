"""One task polls many sockets, in passes."""

import socket
import time
from collections.abc import Iterator

import pytest
import trio
from attrs import evolve

from daide_server.server.passes import Passes
from daide_server.server.poller import SocketPoller
from daide_server.server.work_account import MAX_EXCESS, Account
from daide_server.server.work_queue import Meter, WorkQueue
from tests.support.fakes import PASS_LIMITS, outbox_pool

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


def queue_of(passes: Passes, pass_ms: float = 1000.0) -> WorkQueue:
    """Return a work queue whose passes have so much time."""
    limits = evolve(PASS_LIMITS, pass_ms=pass_ms)
    return WorkQueue(limits, Meter(outbox_pool(passes)))


def poller_of(passes: Passes) -> SocketPoller:
    """Return a poller with a work queue of its own."""
    return SocketPoller(passes, queue_of(passes))


async def pause() -> None:
    """Let the poller have a pass or two."""
    with trio.move_on_after(0.05):
        await trio.sleep_forever()


async def test_it_calls_for_what_is_readable_only(pairs: list[Pair]) -> None:
    """As often as there is something to read."""
    poller = poller_of(Passes())
    heard: list[bytes] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        for ours, _ in pairs:
            poller.watch(ours, lambda ours=ours: heard.append(ours.recv(10)))  # type: ignore[misc]
        pairs[1][1].send(b"one")
        await pause()
        assert heard == [b"one"]
        pairs[2][1].send(b"two")
        pairs[1][1].send(b"three")
        await pause()
        assert sorted(heard) == [b"one", b"three", b"two"]
        nursery.cancel_scope.cancel()


async def test_what_is_forgotten_is_not_called(pairs: list[Pair]) -> None:
    """Not even in the pass that has begun."""
    poller = poller_of(Passes())
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


class LongWork:
    """A client with more messages than a pass has time for."""

    is_long = False
    has_more = False

    def __init__(self, queue: WorkQueue, order: list[str]) -> None:
        self.account = Account(None)
        self._queue = queue
        self._order = order

    def serve(self, _: object) -> float:
        """Handle one of three, for nothing."""
        self._order.append("long")
        if self._order.count("long") < 3:
            self._queue.add(self)
        return 0.0


async def test_what_a_pass_leaves_is_the_next_one_s(pairs: list[Pair]) -> None:
    """So that a long work leaves room for the others."""
    passes = Passes()
    queue = queue_of(passes, pass_ms=1e-6)
    poller = SocketPoller(passes, queue)
    order: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        poller.watch(pairs[0][0], lambda: order.append(str(pairs[0][0].recv(1))))
        pairs[0][1].send(b"abc")
        queue.add(LongWork(queue, order))
        await pause()
        nursery.cancel_scope.cancel()
    assert order.index("b'a'") < order.index("b'c'")
    assert order.count("long") == 3
    assert order != sorted(order)


async def test_who_is_queued_outside_of_a_pass_wakes_the_poller() -> None:
    passes = Passes()
    queue = queue_of(passes)
    poller = SocketPoller(passes, queue)
    order: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await pause()
        queue.add(LongWork(queue, order))
        poller.wake()
        poller.wake()
        await pause()
        nursery.cancel_scope.cancel()
    assert order.count("long") == 3
    poller.wake()  # after the end it is no error


class LongMessage:
    """A client above its share with two messages that take long."""

    is_long = True
    has_more = False

    def __init__(self, queue: WorkQueue) -> None:
        self._queue = queue
        self._left = 2
        self.account = Account(None)
        self.account.charge(MAX_EXCESS, time.perf_counter() * 1e6)
        self.served = trio.Event()

    def serve(self, _: object) -> float:
        """Handle one."""
        self._left -= 1
        if self._left:
            self._queue.add(self)
        else:
            self.served.set()
        return 0.0


async def test_a_long_message_is_handled_when_nobody_says_anything() -> None:
    """The poller wakes for it by itself, though others were served just now."""
    passes = Passes()
    queue = queue_of(passes)
    poller = SocketPoller(passes, queue)
    message = LongMessage(queue)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await pause()
        queue.add(LongWork(queue, []))
        queue.add(message)
        poller.wake()
        with trio.fail_after(2):
            await message.served.wait()
        nursery.cancel_scope.cancel()
    assert queue.is_empty


async def test_all_that_is_readable_is_one_pass(pairs: list[Pair]) -> None:
    """What is said to one client, because of several, is sent once."""
    passes = Passes()
    poller = poller_of(passes)
    outbox = RecordedOutbox(passes)
    async with trio.open_nursery() as nursery:
        for ours, theirs in pairs:
            theirs.send(b"x")
            poller.watch(ours, lambda ours=ours: outbox.put(ours.recv(1)))  # type: ignore[misc]
        nursery.start_soon(poller.run)
        await pause()
        nursery.cancel_scope.cancel()
    assert outbox.sent == [b"xxx"]


class RecordedOutbox:
    """An outbox without a client."""

    def __init__(self, passes: Passes) -> None:
        self.sent: list[bytes] = []
        self._passes = passes
        self._put = b""

    def put(self, data: bytes) -> None:
        """Collect."""
        if not self._put:
            self._passes.enlist(self)
        self._put += data

    def take(self) -> bytes:
        """Return what was collected."""
        data, self._put = self._put, b""
        return data

    def send(self, data: bytes) -> None:
        """Remember."""
        self.sent.append(data)

    def fail(self, error: Exception) -> None:
        """Raise."""
        raise error


async def test_who_connects_while_the_server_stops_is_not_watched(
    pairs: list[Pair],
) -> None:
    """Its session begins after the last pass, and ends by being cancelled."""
    poller = poller_of(Passes())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await pause()
        nursery.cancel_scope.cancel()

    (ours, theirs), *_ = pairs
    theirs.send(b"late")
    poller.watch(ours, pytest.fail)
    poller.forget(ours)
