"""A pass commits once, after its events and before anything is sent."""

import pytest

from daide_server.server.outbox import Passes, Release
from tests.server.test_outbox import Client


def test_a_commit_comes_after_all_events_and_before_all_sends() -> None:
    order: list[str] = []
    clients: list[Client] = []

    def commit(release: Release) -> None:
        order.append(f"commit with {sum(len(c.transport.sent) for c in clients)} sent")
        release()

    passes = Passes(commit)
    clients += [Client(passes=passes) for _ in range(3)]
    with passes:
        for client in clients:
            order.append("event")
            client.outbox.put(b"x")
    assert order == ["event", "event", "event", "commit with 0 sent"]
    assert all(client.transport.sent == [b"x"] for client in clients)


def test_a_pass_that_says_nothing_is_committed_too() -> None:
    """Its events may matter though nobody is sent anything."""
    commits: list[Release] = []
    with Passes(commits.append):
        pass
    assert len(commits) == 1


def test_a_pass_inside_of_a_pass_is_part_of_it() -> None:
    client = Client()
    with client.passes:
        client.put(b"a")
        client.put(b"b")
        assert client.transport.sent == []
    assert client.transport.sent == [b"ab"]


def test_what_was_said_before_an_exception_is_sent() -> None:
    client = Client()

    def fail() -> None:
        with client.passes:
            client.outbox.put(b"a")
            message = "a defect"
            raise ValueError(message)

    with pytest.raises(ValueError, match="a defect"):
        fail()
    assert client.transport.sent == [b"a"]
    client.put(b"b")
    assert client.transport.sent == [b"a", b"b"]
