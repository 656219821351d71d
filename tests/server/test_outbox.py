"""Bytes on their way to a client, in order, bounded, never waited for."""

import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from daide_server.server.outbox import Outbox


class Kernel:
    """Takes some bytes at once, and then no more."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = b""
        self.failures: list[str] = []

    def send_now(self, data: bytes) -> int:
        """Take what there is room for."""
        size = min(self.room, len(data))
        self.room -= size
        self.taken += data[:size]
        return size


def outbox_of(kernel: Kernel, limit: int = 100) -> Outbox:
    """Return an outbox that sends to *kernel*."""
    return Outbox(kernel.send_now, limit, kernel.failures.append)


def test_what_fits_is_sent_at_once() -> None:
    """Without any task."""
    kernel = Kernel(room=10)
    outbox_of(kernel).put(b"0123456789")
    assert kernel.taken == b"0123456789"


@given(
    room=st.integers(0, 50),
    parts=st.lists(st.binary(min_size=1, max_size=20), max_size=20),
)
async def test_the_rest_follows_in_order(room: int, parts: list[bytes]) -> None:
    """Whatever the kernel took before."""
    kernel = Kernel(room)
    outbox = outbox_of(kernel, limit=1000)
    ours, theirs = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outbox.drain_to, ours)
        for part in parts:
            outbox.put(part)
        await outbox.flushed()
        nursery.cancel_scope.cancel()
    await ours.aclose()
    rest = b"".join([bytes(data) async for data in theirs])
    assert kernel.taken + rest == b"".join(parts)


def test_a_client_that_does_not_read_fails_once() -> None:
    """And what is put after that is dropped."""
    kernel = Kernel(room=0)
    outbox = outbox_of(kernel, limit=10)
    outbox.put(b"0123456789")
    assert kernel.failures == []
    outbox.put(b"0")
    outbox.put(b"1")
    assert kernel.failures == ["left more than 10 bytes unread"]


def test_a_broken_connection_fails_once() -> None:
    """With the reason."""
    failures: list[str] = []

    def broken(_: bytes) -> int:
        message = "reset"
        raise ConnectionResetError(message)

    outbox = Outbox(broken, 10, failures.append)
    outbox.put(b"a")
    outbox.put(b"b")
    assert failures == ["cannot be sent to: reset"]
