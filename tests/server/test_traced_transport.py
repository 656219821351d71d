"""What goes through a traced transport is kept, and goes through unchanged."""

from daide_server.server.traced_transport import TracedTransport
from tests.support.fakes import FakeTransport


def test_both_directions_are_kept_as_far_as_they_went() -> None:
    kept: list[tuple[bytes, bool]] = []
    inner = FakeTransport(room=3)
    traced = TracedTransport(
        inner, lambda data, by_client: kept.append((data, by_client))
    )

    inner.arrive(b"question")
    assert traced.receive_now() == b"question"
    assert traced.send_now(b"answer") == 3
    assert traced.send_now(b"wer") == 0

    assert kept == [(b"question", True), (b"ans", False)]
    assert inner.data == b"ans"
