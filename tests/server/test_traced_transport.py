"""What goes through a traced transport is kept, and goes through unchanged."""

import socket

from daide_server.server.traced_transport import TracedTransport

MANY = bytes(10_000_000)


def test_both_directions_are_kept_as_far_as_they_went() -> None:
    kept: list[tuple[bytes, bool]] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        theirs = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
    with theirs, ours:
        traced = TracedTransport(
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
