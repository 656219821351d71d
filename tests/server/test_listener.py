"""Accepting connections: within limits, whatever goes wrong."""

import errno
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import trio
import trio.testing

from daide_server.game.directory import COMMON_PORT, PortTarget
from daide_server.server.events import ConnectionRefused
from daide_server.server.limits import ConnectionLimits
from daide_server.server.listener import (
    Admission,
    ConnectionLimiter,
    Listener,
    Serve,
    address_of,
    bind,
)
from tests.support.fakes import RecordedEvents

FAR, NEAR = "192.0.2.1", "127.0.0.1"


def limiter_of(
    total: int, per_address: int, *, loopback_exempt: bool = True
) -> ConnectionLimiter:
    """Return a limiter; so few places have none that are reserved."""
    limits = ConnectionLimits(total, per_address, loopback_exempt=loopback_exempt)
    return ConnectionLimiter(limits, total)


def admits(limiter: ConnectionLimiter, address: str) -> bool:
    """Return whether a connection from *address* is served."""
    return not limiter.admit(address, 0.0).is_refused


def test_an_address_has_its_share() -> None:
    """And gets it back when a connection ends."""
    limiter = limiter_of(10, 2)
    assert [admits(limiter, FAR) for _ in range(3)] == [True, True, False]
    limiter.release(FAR)
    assert not limiter.admit(FAR, 1.0).is_refused
    assert admits(limiter, "192.0.2.2")


def test_an_address_has_a_rate() -> None:
    """However fast its connections end; this machine has none."""
    limiter = limiter_of(10, 4)
    found = []
    for _ in range(5):
        found.append(limiter.admit(FAR, 0.0))
        if not found[-1].is_refused:
            limiter.release(FAR)
    assert found == [Admission.ORDINARY] * 4 + [Admission.ADDRESS_FAST]
    assert not limiter.admit(FAR, 1.0).is_refused
    for _ in range(100):
        assert admits(limiter, NEAR)
        limiter.release(NEAR)


def test_the_loopback_is_exempt_by_default_only() -> None:
    """Bots of one machine share its address, also in IPv6."""
    limiter = limiter_of(10, 1)
    assert all(admits(limiter, NEAR) for _ in range(3))
    assert all(admits(limiter, "::1") for _ in range(3))
    limiter = limiter_of(10, 1, loopback_exempt=False)
    assert [admits(limiter, NEAR) for _ in range(2)] == [True, False]


def test_there_is_a_total() -> None:
    """From which nobody is exempt."""
    limiter = limiter_of(2, 1)
    assert [admits(limiter, NEAR) for _ in range(3)] == [True, True, False]


@asynccontextmanager
async def listening(
    at: socket.socket, serve: Serve, total: int = 10
) -> AsyncIterator[RecordedEvents]:
    """Serve connections to *at* with *serve*."""
    events = RecordedEvents()
    listener = Listener(limiter_of(total, 10), serve, events)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(listener.accept_at, at, COMMON_PORT, nursery)
        yield events
        nursery.cancel_scope.cancel()


@contextmanager
def client_of(at: socket.socket) -> Iterator[socket.socket]:
    """Return a connection to *at*."""
    with socket.create_connection(at.getsockname()) as client:
        client.settimeout(5)
        yield client


async def echo(connection: socket.socket, _: PortTarget, _admission: Admission) -> None:
    """Send back one byte."""
    await trio.lowlevel.wait_readable(connection)
    connection.send(connection.recv(1))


async def ends(client: socket.socket) -> None:
    """Wait for the end of a connection."""
    with trio.fail_after(60):
        await trio.lowlevel.wait_readable(client)
    assert client.recv(1) == b""


async def test_a_connection_is_served_and_closed() -> None:
    at = bind(NEAR, 0)
    async with listening(at, echo):
        with client_of(at) as client:
            client.send(b"x")
            with trio.fail_after(60):
                await trio.lowlevel.wait_readable(client)
            assert client.recv(1) == b"x"
            await ends(client)


async def test_an_exception_closes_only_its_connection() -> None:
    """It is reported, with the address."""

    async def fail(*_: object) -> None:
        await trio.lowlevel.checkpoint()
        message = "a defect"
        raise RuntimeError(message)

    at = bind(NEAR, 0)
    async with listening(at, fail) as events:
        for _ in range(2):
            with client_of(at) as client:
                await ends(client)
    found = events.of("connection.failed")
    assert [(address, str(error)) for address, error in found] == [
        (NEAR, "a defect")
    ] * 2


async def test_one_too_many_is_closed_at_once() -> None:
    """And when another has ended there is room again."""
    at = bind(NEAR, 0)
    async with listening(at, echo, total=1) as events:
        with client_of(at) as first:
            with client_of(at) as second:
                await ends(second)
            assert events.found == [ConnectionRefused(NEAR, "no place is left", 1)]
            first.send(b"x")
            await trio.lowlevel.wait_readable(first)
            assert first.recv(1) == b"x"
            await ends(first)
        with client_of(at) as third:
            third.send(b"y")
            await trio.lowlevel.wait_readable(third)
            assert third.recv(1) == b"y"


class NoFiles(socket.socket):
    """A listening socket at the limit of open files, once."""

    failures = 1

    def accept(self) -> tuple[socket.socket, object]:
        """Fail as the kernel does, then accept."""
        if self.failures:
            self.failures -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


async def test_accepting_goes_on_when_there_are_files_again() -> None:
    made = bind(NEAR, 0)
    at = NoFiles(fileno=made.detach())
    at.setblocking(False)
    async with listening(at, echo) as events:
        with client_of(at) as client:
            client.send(b"x")
            with trio.fail_after(60):
                await trio.lowlevel.wait_readable(client)
            assert client.recv(1) == b"x"
    ((reason,),) = events.of("accept.failed")
    assert "Too many open files" in str(reason)


def test_an_address_is_host_and_port() -> None:
    with bind(NEAR, 0) as at:
        assert address_of(at) == f"127.0.0.1:{at.getsockname()[1]}"


async def test_refusals_are_reported_once_a_second(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """With their number and reasons; the rest when the second is over."""
    events = RecordedEvents()
    listener = Listener(limiter_of(0, 10), echo, events)
    for number in range(1000):
        listener.refuse(f"192.0.2.{number % 9}", "no place is left")
    listener.refuse(FAR, "too many from its address")
    assert events.of(ConnectionRefused) == [("192.0.2.0", "no place is left", 1)]
    autojump_clock.jump(1.0)
    assert trio.current_time() >= listener.report_due
    listener.report()
    listener.report()
    assert events.of(ConnectionRefused)[1:] == [
        (FAR, "no place is left: 999, too many from its address: 1", 1000)
    ]
    assert listener.report_due == float("inf")


async def test_what_was_refused_last_is_reported_though_nobody_comes(
    autojump_clock: trio.testing.MockClock,
) -> None:
    del autojump_clock
    at = bind(NEAR, 0)
    async with listening(at, echo, total=0) as events:
        for _ in range(3):
            with client_of(at) as client:
                await trio.to_thread.run_sync(client.recv, 1)
        await trio.sleep(2)
    counts = [count for *_, count in events.of(ConnectionRefused)]
    assert sum(int(str(count)) for count in counts) == 3
    assert counts[0] == 1
