"""Both ways to ask which descriptors are readable say the same."""

import socket
from collections.abc import Callable, Iterator

import pytest

from daide_server.server.readable import BestSet, ReadableSet, SelectorSet


@pytest.fixture(params=[BestSet, SelectorSet])
def looked_at(request: pytest.FixtureRequest) -> Iterator[ReadableSet]:
    """Return an empty set."""
    make: Callable[[], ReadableSet] = request.param
    found = make()
    yield found
    found.close()


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Return the two ends of a connection."""
    here, there = socket.socketpair()
    with here, there:
        yield here, there


def test_what_has_come_is_readable_until_it_is_read(
    looked_at: ReadableSet, ends: tuple[socket.socket, socket.socket]
) -> None:
    here, there = ends
    looked_at.add(here.fileno())
    assert list(looked_at.readable()) == []
    there.send(b"x")
    assert list(looked_at.readable()) == [here.fileno()]
    assert list(looked_at.readable()) == [here.fileno()]
    here.recv(1)
    assert list(looked_at.readable()) == []


def test_an_end_is_readable(
    looked_at: ReadableSet, ends: tuple[socket.socket, socket.socket]
) -> None:
    here, there = ends
    looked_at.add(here.fileno())
    there.close()
    assert list(looked_at.readable()) == [here.fileno()]


def test_the_set_is_readable_itself(
    looked_at: ReadableSet, ends: tuple[socket.socket, socket.socket]
) -> None:
    """So that one task can wait for all."""
    here, there = ends
    outer = SelectorSet()
    outer.add(looked_at.fileno())
    looked_at.add(here.fileno())
    assert list(outer.readable()) == []
    there.send(b"x")
    assert list(outer.readable()) == [looked_at.fileno()]
    outer.close()


def test_what_is_removed_is_not_looked_at(
    looked_at: ReadableSet, ends: tuple[socket.socket, socket.socket]
) -> None:
    """Not even if it was closed before."""
    here, there = ends
    looked_at.add(here.fileno())
    looked_at.add(there.fileno())
    there.send(b"x")
    looked_at.remove(here.fileno())
    assert list(looked_at.readable()) == []
    closed = there.fileno()
    there.close()
    looked_at.remove(closed)
    assert list(looked_at.readable()) == []
