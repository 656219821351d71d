"""Channels: the events of a running game, or of all of them, and their followers.

A channel is a log of events, encoded once, with increasing numbers. A follower is a
place in that log: nothing is copied for it, and nobody waits for it. One that is far
behind is dropped; it comes back with the id of the last event that it has seen, and
resumes there if the log still has what follows.

`EventStream` is a channel as server-sent events (HTML standard, 9.2). At first, and
after a gap, a spectator gets `reset` with the whole view. A comment each 15 seconds
keeps proxies from closing the connection, and finds spectators that are gone.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

import trio
from attrs import define, field
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

MAX_BEHIND: Final = 64
"""Events by which a follower may be behind, until it is dropped."""
MAX_LOG: Final = 1000
"""Events that a channel keeps at most."""
COMMENT_SECONDS: Final = 15.0
RETRY: Final = b"retry: 2000\n\n"
COMMENT: Final = b":\n\n"
STREAM_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)


def encode_event(name: str, data: bytes, number: str = "") -> bytes:
    """Return an event of the stream; *data* is JSON without a line break.

    See "Server-sent events" of the HTML standard, 9.2.5.
    """
    head = b"id: %s\n" % number.encode() if number else b""
    return b"%sevent: %s\ndata: %s\n\n" % (head, name.encode(), data)


@define(eq=False)
class Follower:
    """A place in the log of a channel."""

    after: int
    """The number of the last event that it has."""
    is_behind_from: int
    """The number from which on it counts how far it is behind."""
    state: int = 0
    """The number of the last state that it has."""
    woken: trio.Event = field(factory=trio.Event)


class Channel:
    """The events of one running game, or of all of them for the first page."""

    def __init__(self, prefix: str = "", after: int = 0) -> None:
        """Begin with the event after number *after*; ids begin with *prefix*."""
        self.followers: Final[dict[Follower, None]] = {}
        self.is_closed = False
        self.last = after
        """The number of the last event."""
        self._prefix: Final = prefix
        self._log: Final[deque[bytes]] = deque(maxlen=MAX_LOG)
        self._states: Final[dict[str, tuple[int, bytes]]] = {}
        self._state = 0

    def publish(self, name: str, data: bytes) -> None:
        """Add an event to the log."""
        self.last += 1
        self._log.append(encode_event(name, data, self.id_of(self.last)))
        self._wake()

    def show(self, name: str, data: bytes) -> None:
        """Let *data* be the present state of what is called *name*.

        Followers get the last one only; it has no id.
        """
        encoded = encode_event(name, data)
        if self._states.get(name, (0, b""))[1] != encoded:
            self._state += 1
            self._states[name] = (self._state, encoded)
            self._wake()

    def close(self) -> None:
        """End the streams of all followers, once they have all events."""
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        for follower in self.followers:
            follower.woken.set()

    def id_of(self, number: int) -> str:
        """Return the id of an event of the stream."""
        return f"{self._prefix}{number}"

    def place(self, last_id: str) -> int | None:
        """Return the number of *last_id*, if all that came after it is in the log."""
        digits = last_id.removeprefix(self._prefix)
        if not last_id.startswith(self._prefix) or not digits.isdecimal():
            return None
        after = int(digits[:20])
        return after if self.last - len(self._log) <= after <= self.last else None

    def join(self, after: int) -> Follower:
        """Return a follower that has all events up to number *after*."""
        follower = Follower(after, is_behind_from=max(self.last, after))
        self.followers[follower] = None
        return follower

    def leave(self, follower: Follower) -> None:
        """Forget *follower*."""
        self.followers.pop(follower, None)

    async def next(self, follower: Follower) -> bytes | None:
        """Return what is new for *follower*, several events at once, when there is any.

        Returns `None` at the end: the channel is closed, or the follower too slow.
        """
        while True:
            follower.woken = trio.Event()
            # What was missing when it came is no sign of a slow reader.
            start = max(follower.after, follower.is_behind_from)
            if self.last - start > MAX_BEHIND:
                return None
            if found := self._news(follower):
                return found
            if self.is_closed:
                return None
            await follower.woken.wait()

    def _news(self, follower: Follower) -> bytes:
        """Return what *follower* has not had, and count it as had."""
        missing = min(self.last - follower.after, len(self._log))
        events = [self._log[index] for index in range(-missing, 0)]
        events += (
            data for number, data in self._states.values() if number > follower.state
        )
        follower.after, follower.state = self.last, self._state
        return b"".join(events)


class EventStream:
    """The answer that follows a channel until it closes or the spectator goes."""

    def __init__(
        self, channel: Channel, beginning: str, whole: Callable[[], bytes]
    ) -> None:
        """Begin with an event *beginning*, whose data *whole* returns."""
        self._channel: Final = channel
        self._beginning: Final = beginning
        self._whole: Final = whole

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events, from those on that `Last-Event-ID` has not seen."""
        last_id = Headers(scope=scope).get("last-event-id", "")
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": list(STREAM_HEADERS),
            }
        )
        if scope["method"] == "HEAD":
            # No body ends it, so nothing else would.
            await send({"type": "http.response.body", "body": b""})
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_at_disconnect, receive, nursery.cancel_scope)
            await self._send_events(send, last_id)
            nursery.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b""})

    @staticmethod
    async def _stop_at_disconnect(receive: Receive, scope: trio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _send_events(self, send: Send, last_id: str) -> None:
        channel = self._channel
        after, first = channel.place(last_id), RETRY
        if after is None:
            after = channel.last
            number = channel.id_of(after)
            first += encode_event(self._beginning, self._whole(), number)
        await send(_part(first))
        follower = channel.join(after)
        try:
            while True:
                found: bytes | None = COMMENT
                with trio.move_on_after(COMMENT_SECONDS):
                    found = await channel.next(follower)
                if found is None:
                    return
                await send(_part(found))
        finally:
            channel.leave(follower)


def _part(data: bytes) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": True}
