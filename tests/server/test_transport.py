"""A TCP socket as a transport: nothing waits but the two methods that say so."""

import errno
import socket
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from daide_server.server import transport as module
from daide_server.server.transport import PROBES, READ_SIZE, Transport, keep_alive

Ends = tuple[Transport, socket.socket]
MANY = bytes(10_000_000)
OPTIONS = ("IDLE_OPTION", "INTERVAL_OPTION", "COUNT_OPTION", "INFO_OPTION")


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Return a transport, and the socket of its peer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        theirs = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
    with ours, theirs:
        yield Transport(ours), theirs


async def test_receiving_tells_nothing_yet_from_the_end(ends: Ends) -> None:
    transport, peer = ends
    assert transport.receive_now() is None
    peer.sendall(b"x" * (READ_SIZE + 1))
    await transport.wait_readable()
    assert transport.receive_now() == b"x" * READ_SIZE
    assert transport.receive_now() == b"x"
    peer.shutdown(socket.SHUT_WR)
    await transport.wait_readable()
    assert transport.receive_now() == b""


async def test_a_half_closed_connection_still_receives(ends: Ends) -> None:
    transport, peer = ends
    transport.end()
    assert peer.recv(1) == b""
    peer.send(b"x")
    await transport.wait_readable()
    assert transport.receive_now() == b"x"


async def test_a_full_connection_takes_nothing_until_the_peer_reads(ends: Ends) -> None:
    transport, peer = ends
    sent = 0
    while taken := transport.send_now(b"x" * 100_000):
        sent += taken
    received = 0
    while received < sent:
        received += len(peer.recv(1_000_000))
    with trio.fail_after(60):
        await transport.wait_writable()
    assert transport.send_now(memoryview(b"x")) == 1


async def test_a_reset_is_an_error(ends: Ends) -> None:
    transport, peer = ends
    linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    peer.close()
    await transport.wait_readable()
    with pytest.raises(OSError, match="reset"):
        transport.receive_now()
    assert transport.address == ""


async def test_closing_wakes_waiting_tasks(ends: Ends) -> None:
    transport, _ = ends

    async def wait() -> None:
        with pytest.raises(trio.ClosedResourceError):
            await transport.wait_readable()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        transport.close()


def test_both_directions_of_a_traced_one_are_kept_as_far_as_they_went(
    ends: Ends,
) -> None:
    kept: list[tuple[bytes, bool]] = []
    ours, theirs = ends
    traced = Transport(
        ours.connection, 60.0, lambda data, by_client: kept.append((data, by_client))
    )
    theirs.send(b"question")
    assert traced.receive_now() == b"question"
    assert traced.receive_now() is None
    assert traced.send_now(b"answer") == 6
    assert theirs.recv(6) == b"answer"
    sent = traced.send_now(MANY)
    assert 0 < sent < len(MANY)
    while traced.send_now(MANY):
        pass
    assert kept[:3] == [(b"question", True), (b"answer", False), (MANY[:sent], False)]
    assert all(data for data, _ in kept)


# Peers that are gone without a word


@pytest.mark.parametrize(("seconds", "idle", "interval"), [(60.0, 30, 10), (1.0, 1, 1)])
def test_an_idle_peer_is_probed_within_the_time(
    ends: Ends, seconds: float, idle: int, interval: int
) -> None:
    """Half of it, and three probes in the other half; at least a second each."""
    ours = ends[0].connection
    keep_alive(ours, seconds)
    assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    times = (module.IDLE_OPTION, idle), (module.INTERVAL_OPTION, interval)
    for number, expected in (*times, (module.COUNT_OPTION, PROBES)):
        if number is not None:
            assert ours.getsockopt(socket.IPPROTO_TCP, number) == expected


def test_without_the_options_the_platform_s_times_hold(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in OPTIONS:
        monkeypatch.setattr(module, name, None)
    ours = ends[0].connection
    keep_alive(ours, 60.0)
    assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert not ends[0].is_unanswered


def test_a_peer_that_does_not_read_still_counts_as_reachable(ends: Ends) -> None:
    """Its window is closed; that is no reason to close the connection."""
    while ends[0].send_now(MANY):
        pass
    assert not ends[0].is_unanswered


class Silent(socket.socket):
    """A socket whose peer confirms nothing."""

    counts = bytes(5)

    def getsockopt(self, *_: object) -> bytes:  # type: ignore[override]
        """Return the start of a `tcp_info`; raises `OSError` once it is closed."""
        if self.fileno() < 0:
            raise OSError(errno.EBADF, "closed")
        return self.counts


@pytest.mark.parametrize("counts", [b"\1\0\x08\0\0", b"\1\0\0\x08\0"])
@pytest.mark.skipif(module.INFO_OPTION is None, reason="no TCP_INFO here")
def test_retransmissions_and_probes_without_an_answer_count(counts: bytes) -> None:
    with Silent() as connection:
        transport = Transport(connection)
        assert not transport.is_unanswered
        connection.counts = counts
        assert transport.is_unanswered
    assert not transport.is_unanswered, "it is closed: nothing is known"
