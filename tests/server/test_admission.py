"""Accepting connections: places, rates, who is put out; whatever goes wrong."""

import errno
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import trio
import trio.testing
from attrs import define, evolve

from daide_server.game.directory import COMMON_PORT, PortTarget
from daide_server.host_port import network_of
from daide_server.server.events import ConnectionRefused
from daide_server.server.limits import MAX_PLACES, RESERVED_FILES, ConnectionLimits
from daide_server.server.listener import (
    EVICTION_SECONDS,
    MAX_EVICTED,
    MAX_NETWORKS,
    RESERVED_PLACES,
    Admission,
    ConnectionLimiter,
    Listener,
    Serve,
    bind,
    places,
)
from daide_server.server.session import Session
from tests.support.fakes import RecordedEvents, jumping_clock

LIMITS = ConnectionLimits(None, 10, loopback_exempt=True)
NEAR = "127.0.0.1"
HERE, THERE = "192.0.2.1", "192.0.2.2"


@define
class FakeTenant(Session):
    """A client with a place."""

    spoke_at: float
    has_joined: bool = False
    has_seat: bool = False
    dropped: str = ""

    def drop(self, reason: str) -> None:
        self.dropped = reason


def test_places_follow_from_the_limit_of_files() -> None:
    """Unless the settings say how many; the journal of a game is an open file."""
    assert places(LIMITS, 1024) == 1024 - RESERVED_FILES
    assert places(LIMITS, 10**6) == MAX_PLACES
    assert places(ConnectionLimits(5), 1024) == 5
    # A game of seven takes eight.
    assert places(LIMITS, RESERVED_FILES + 8 * 10, 7) == 7 * 10
    assert places(LIMITS, RESERVED_FILES - 1, 7) == 1


def test_the_last_places_are_kept_for_who_returns() -> None:
    """A sixteenth of all, and no more than the games of a server need."""
    limiter = ConnectionLimiter(LIMITS, 64)
    found = [limiter.admit(NEAR, 0.0) for _ in range(65)]
    assert found[:60] == [Admission.ORDINARY] * 60
    assert found[60:] == [Admission.RESERVED] * 4 + [Admission.NO_PLACE]
    limiter.release(NEAR)
    assert limiter.admit(NEAR, 0.0) is Admission.RESERVED
    large = ConnectionLimiter(LIMITS, 10_000)
    ordinary = 0
    while large.admit(NEAR, 0.0) is Admission.ORDINARY:
        ordinary += 1
    assert ordinary == 10_000 - RESERVED_PLACES


def test_an_address_of_ipv6_is_a_network() -> None:
    """One subscriber has a /64; an IPv4 address in IPv6 is that address."""
    limits = ConnectionLimits(None, 1)
    limiter = ConnectionLimiter(limits, 100)
    assert limiter.admit("2001:db8::1", 0.0) is Admission.ORDINARY
    assert limiter.admit("2001:db8::2", 0.0) is Admission.ADDRESS_FULL
    assert limiter.admit("2001:db8:0:1::1", 0.0) is Admission.ORDINARY
    assert limiter.admit("192.0.2.1", 0.0) is Admission.ORDINARY
    assert limiter.admit("::ffff:192.0.2.1", 0.0) is Admission.ADDRESS_FULL
    assert network_of(NEAR) is None
    assert network_of("::1") is None


def test_when_no_place_is_left_the_idlest_stranger_goes() -> None:
    """Then observers, players never; and not before it has been idle."""
    player = FakeTenant(0.0, has_joined=True, has_seat=True)
    watcher = FakeTenant(1.0, has_joined=True)
    old, older, fresh = FakeTenant(3.0), FakeTenant(2.0), FakeTenant(9.9)
    everybody = [player, watcher, old, older, fresh]
    keeper = ConnectionLimiter(LIMITS, 0, lambda: everybody)
    assert keeper.make_room(10.0)
    assert [bool(each.dropped) for each in everybody] == [
        *(False, False, True, True, False)
    ]
    everybody[:] = [player, watcher, fresh]
    now = 10.0 + 2 * EVICTION_SECONDS
    assert keeper.make_room(now)
    assert (bool(watcher.dropped), bool(fresh.dropped)) == (True, False)
    everybody[:] = [player]
    assert not keeper.make_room(now + 10)
    assert not player.dropped


def test_observers_stay_if_the_settings_say_so() -> None:
    watcher = FakeTenant(1.0, has_joined=True)
    keeper = ConnectionLimiter(
        evolve(LIMITS, evict_observers=False), 0, lambda: [watcher]
    )
    assert not keeper.make_room(10.0)
    assert not watcher.dropped


def test_a_flood_of_connections_looks_for_places_ten_times_a_second() -> None:
    """Each time some are taken back, and no more connections let in than that."""
    looks: list[float] = []
    crowd = [FakeTenant(number / 1000) for number in range(1000)]

    def clients() -> list[FakeTenant]:
        looks.append(0.0)
        return [each for each in crowd if not each.dropped]

    keeper = ConnectionLimiter(LIMITS, 0, clients)
    made = sum(keeper.make_room(10.0) for _ in range(500))
    assert (len(looks), made) == (1, MAX_EVICTED)
    assert [bool(each.dropped) for each in crowd[: MAX_EVICTED + 1]] == [
        *([True] * MAX_EVICTED),
        False,
    ]


def test_a_connection_is_let_in_where_one_was_put_out() -> None:
    crowd = [FakeTenant(-2.0) for _ in range(3)]
    limiter = ConnectionLimiter(LIMITS, 1, lambda: crowd)
    assert [limiter.admit(NEAR, 0.0) for _ in range(4)] == [Admission.ORDINARY] * 4


def limited(per_second: float, at_once: int) -> ConnectionLimiter:
    limits = ConnectionLimits(None, at_once, per_second=per_second)
    return ConnectionLimiter(limits, 10**6)


def took(limiter: ConnectionLimiter, address: str, now: float) -> bool:
    """Return whether *address* may connect; the connection ends then."""
    admission = limiter.admit(address, now)
    if not admission.is_refused:
        limiter.release(address)
    return not admission.is_refused


def test_who_leaves_frees_one_place_of_its_address() -> None:
    limiter = limited(10.0, 2)
    assert not any(limiter.admit(HERE, now).is_refused for now in (0.0, 1.0))
    limiter.release(HERE)
    assert not limiter.admit(HERE, 2.0).is_refused
    assert limiter.admit(HERE, 3.0) is Admission.ADDRESS_FULL


def test_an_address_has_a_burst_and_then_a_rate() -> None:
    limiter = limited(2.0, 10)
    assert sum(took(limiter, HERE, 0.0) for _ in range(100)) == 10
    assert sum(took(limiter, HERE, 5.0) for _ in range(100)) == 10
    assert sum(took(limiter, HERE, 6.0) for _ in range(100)) == 2
    assert took(limiter, THERE, 6.0)


def test_refused_ones_do_not_count() -> None:
    """Who is refused all the time gets its rate nevertheless."""
    limiter = limited(1.0, 1)
    taken = sum(took(limiter, HERE, tenth / 10) for tenth in range(1000))
    assert 98 <= taken <= 101


def test_the_table_of_addresses_does_not_grow() -> None:
    limiter = limited(1.0, 1)
    for number in range(2 * MAX_NETWORKS):
        assert took(limiter, f"10.{number >> 8}.{number & 255}.1", 0.0)
    assert len(limiter.buckets) == MAX_NETWORKS


@asynccontextmanager
async def listening(
    at: socket.socket, serve: Serve, total: int = 10
) -> AsyncIterator[RecordedEvents]:
    """Serve connections to *at* with *serve*."""
    events = RecordedEvents()
    listener = Listener(ConnectionLimiter(LIMITS, total), serve, events)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(listener.accept_at, at, COMMON_PORT, nursery)
        yield events
        nursery.cancel_scope.cancel()


@contextmanager
def client_of(at: socket.socket) -> Iterator[socket.socket]:
    with socket.create_connection(at.getsockname()) as client:
        client.settimeout(5)
        yield client


async def echo(connection: socket.socket, _: PortTarget, _admission: Admission) -> None:
    await trio.lowlevel.wait_readable(connection)
    connection.send(connection.recv(1))


async def ends(client: socket.socket) -> None:
    with trio.fail_after(60):
        await trio.lowlevel.wait_readable(client)
    assert client.recv(1) == b""


async def test_an_exception_closes_only_its_connection() -> None:
    """It is reported, with the address."""

    async def fail(*_: object) -> None:
        await trio.lowlevel.checkpoint()
        raise RuntimeError("a defect")

    at = bind(NEAR, 0)
    async with listening(at, fail) as events:
        for _ in range(2):
            with client_of(at) as client:
                await ends(client)
    found = events.of("connection.failed")
    assert [(address, str(error)) for address, error in found] == [
        (NEAR, "a defect")
    ] * 2


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


async def test_refusals_are_reported_once_a_second(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """With their number and reasons; the rest when the second is over."""
    events = RecordedEvents()
    listener = Listener(ConnectionLimiter(LIMITS, 0), echo, events)
    for number in range(1000):
        listener.refuse(f"192.0.2.{number % 9}", "no place is left")
    listener.refuse(HERE, "too many from its address")
    assert events.of(ConnectionRefused) == [("192.0.2.0", "no place is left", 1)]
    autojump_clock.jump(1.0)
    assert trio.current_time() >= listener.report_due
    listener.report()
    listener.report()
    assert events.of(ConnectionRefused)[1:] == [
        (HERE, "no place is left: 999, too many from its address: 1", 1000)
    ]
    assert listener.report_due == float("inf")


@jumping_clock
async def test_what_was_refused_last_is_reported_though_nobody_comes() -> None:
    at = bind(NEAR, 0)
    async with listening(at, echo, total=0) as events:
        for _ in range(3):
            with client_of(at) as client:
                await trio.to_thread.run_sync(client.recv, 1)
        await trio.sleep(2)
    counts = [count for *_, count in events.of(ConnectionRefused)]
    assert sum(int(str(count)) for count in counts) == 3
    assert counts[0] == 1
