"""One task polls many sockets, in passes."""

import socket
import time
from collections.abc import Iterator

import pytest
import trio

from daide_server.server.outbox import Passes, ServerClock
from daide_server.server.poller import PASS_SECONDS, Account, Poller
from tests.server.test_outbox import Client

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


def poller_of(passes: Passes) -> Poller:
    """Return a poller."""
    return Poller(passes, ServerClock())


async def served(order: list[str]) -> None:
    """Wait until the busy client has said all."""
    with trio.fail_after(60):
        while order.count("busy") < 3:  # noqa: ASYNC110 (a list has no event)
            await trio.sleep(0.001)


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


def busy(poller: Poller, order: list[str]) -> Account:
    """Return a client with three messages, each of which takes a whole pass."""

    def serve() -> bool:
        order.append("busy")
        ends = time.thread_time() + PASS_SECONDS
        while time.thread_time() < ends:
            pass
        return order.count("busy") < 3

    return poller.turns.account(serve, "")


async def test_what_a_pass_leaves_is_the_next_one_s(pairs: list[Pair]) -> None:
    """So that a long work leaves room for the others."""
    poller = poller_of(Passes())
    order: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        poller.watch(pairs[0][0], lambda: order.append(str(pairs[0][0].recv(1))))
        pairs[0][1].send(b"abc")
        poller.turns.add(busy(poller, order))
        await served(order)
        nursery.cancel_scope.cancel()
    assert order.index("b'a'") < order.index("b'c'")
    assert order.count("busy") == 3
    assert order != sorted(order)


async def test_who_gets_in_line_outside_of_a_pass_wakes_the_poller() -> None:
    poller = poller_of(Passes())
    order: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await pause()
        poller.turns.add(busy(poller, order))
        poller.wake()
        poller.wake()
        await served(order)
        nursery.cancel_scope.cancel()
    assert order.count("busy") == 3
    poller.wake()  # after the end it is no error


async def test_who_is_above_its_allowance_is_served_when_that_has_recovered() -> None:
    """The poller wakes for it by itself."""
    poller = poller_of(Passes())
    has_come = trio.Event()

    def serve() -> bool:
        has_come.set()
        return False

    account = poller.turns.account(serve, "")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await pause()
        account.spend(0.06, trio.current_time())
        poller.turns.add(account)
        poller.wake()
        await pause()
        assert not has_come.is_set()
        with trio.fail_after(2):
            await has_come.wait()
        nursery.cancel_scope.cancel()
    assert poller.turns.is_empty


async def test_all_that_is_readable_is_one_pass(pairs: list[Pair]) -> None:
    """What is said to one client, because of several, is sent once."""
    passes = Passes()
    poller = poller_of(passes)
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
    poller = poller_of(Passes())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await pause()
        nursery.cancel_scope.cancel()

    (ours, theirs), *_ = pairs
    theirs.send(b"late")
    poller.watch(ours, pytest.fail)
    poller.forget(ours)
