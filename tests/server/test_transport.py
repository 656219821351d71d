"""A TCP socket as a transport: nothing waits but the two methods that say so."""

import socket
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from daide_server.server.transport import (
    READ_SIZE,
    Transport,
)

Ends = tuple[Transport, socket.socket]
MANY = bytes(10_000_000)


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Return a transport, and the socket of its peer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        theirs = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
    with ours, theirs:
        yield Transport(ours), theirs


def test_a_socket_is_a_transport(ends: Ends) -> None:
    """As the type checker sees it; the address is that of the peer."""
    transport: Transport = ends[0]
    assert transport.address == "127.0.0.1"


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


async def test_closing_wakes_who_waits(ends: Ends) -> None:
    transport, _ = ends

    async def wait() -> None:
        with pytest.raises(trio.ClosedResourceError):
            await transport.wait_readable()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        transport.close()


def test_both_directions_of_a_traced_one_are_kept_as_far_as_they_went() -> None:
    kept: list[tuple[bytes, bool]] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        theirs = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
    with theirs, ours:
        traced = Transport(
            ours, 60.0, lambda data, by_client: kept.append((data, by_client))
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
