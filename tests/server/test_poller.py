"""One task polls many sockets, in passes."""

import socket
from collections.abc import Iterator

import pytest
import trio

from daide_server.server.passes import Passes
from daide_server.server.poller import SocketPoller

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


async def test_it_calls_for_what_is_readable_only(pairs: list[Pair]) -> None:
    """As often as there is something to read."""
    poller = SocketPoller(Passes())
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
    poller = SocketPoller(Passes())
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


async def test_later_is_the_next_pass(pairs: list[Pair]) -> None:
    """So that a long work leaves room for the others."""
    poller = SocketPoller(Passes())
    order: list[str] = []

    def long_work() -> None:
        order.append("long")
        if order.count("long") < 3:
            poller.later(long_work)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        poller.watch(pairs[0][0], lambda: order.append(str(pairs[0][0].recv(1))))
        pairs[0][1].send(b"abc")
        poller.later(long_work)
        await pause()
        nursery.cancel_scope.cancel()
    assert order.index("b'a'") < order.index("b'c'")
    assert order.count("long") == 3
    assert order != sorted(order)


async def test_all_that_is_readable_is_one_pass(pairs: list[Pair]) -> None:
    """What is said to one client, because of several, is sent once."""
    passes = Passes()
    poller = SocketPoller(passes)
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
