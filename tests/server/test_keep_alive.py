"""Peers that are gone without a word are found; those who think are not."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from daide_server.server import transport as module
from daide_server.server.transport import PROBES, Transport, keep_alive

Ends = tuple[socket.socket, socket.socket]
OPTIONS = ("IDLE_OPTION", "INTERVAL_OPTION", "COUNT_OPTION", "INFO_OPTION")


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Return both ends of a connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        theirs = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
    with ours, theirs:
        yield ours, theirs


def option(connection: socket.socket, level: int, number: int | None) -> int:
    """Return the value of a socket's option."""
    assert number is not None
    return connection.getsockopt(level, number)


def test_an_idle_peer_is_probed_within_the_time(ends: Ends) -> None:
    """Half of it, and three probes in the other half."""
    keep_alive(ends[0], 60.0)
    assert option(ends[0], socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    if module.IDLE_OPTION is not None:
        assert option(ends[0], socket.IPPROTO_TCP, module.IDLE_OPTION) == 30
    if module.INTERVAL_OPTION is not None:
        assert option(ends[0], socket.IPPROTO_TCP, module.INTERVAL_OPTION) == 10
    if module.COUNT_OPTION is not None:
        assert option(ends[0], socket.IPPROTO_TCP, module.COUNT_OPTION) == PROBES


def test_without_the_options_the_platform_s_times_hold(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in OPTIONS:
        monkeypatch.setattr(module, name, None)
    keep_alive(ends[0], 60.0)
    assert option(ends[0], socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert not Transport(ends[0]).is_unanswered


def test_who_does_not_read_still_answers(ends: Ends) -> None:
    """Its window is closed; that is no reason to close the connection."""
    ends[0].setblocking(False)
    with suppress(BlockingIOError):
        while True:
            ends[0].send(b"x" * 65536)
    assert not Transport(ends[0]).is_unanswered


class Silent(socket.socket):
    """A socket whose peer confirms nothing."""

    counts = bytes(5)

    def getsockopt(self, *_: object) -> bytes:  # type: ignore[override]
        """Return the start of a `tcp_info`."""
        return self.counts


@pytest.mark.parametrize("counts", [b"\1\0\x08\0\0", b"\1\0\0\x08\0"])
@pytest.mark.skipif(module.INFO_OPTION is None, reason="no TCP_INFO here")
def test_retransmissions_and_probes_without_an_answer_count(counts: bytes) -> None:
    with Silent() as connection:
        assert not Transport(connection).is_unanswered
        connection.counts = counts
        assert Transport(connection).is_unanswered


def test_a_closed_socket_is_no_error() -> None:
    connection = socket.socket()
    transport = Transport(connection)
    connection.close()
    assert not transport.is_unanswered
