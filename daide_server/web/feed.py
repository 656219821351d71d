"""Channels: the events of a running game, or of all games, and their followers.

A channel is a log of events with increasing numbers, each encoded once. The page
waits for no follower: each has a bounded queue, and is dropped if it falls too far
behind; it reconnects with the id of the last event that it has received, and resumes
there if the log still has the events after it.

`EventStream` is a channel as server-sent events (HTML standard, 9.2). Initially, and
after a gap, a spectator gets `reset` with the whole view. A comment every 15 seconds
keeps proxies from closing the connection, and detects spectators that have gone.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress

import trio
from attrs import Factory, define
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

MAX_BEHIND = 128
"""Events that a follower may lag behind before it is dropped."""
MAX_LOG = 1000
"""Maximum number of events in the log of a channel."""
COMMENT_SECONDS = 15.0
RETRY = b"retry: 2000\n\n"
COMMENT = b":\n\n"
STREAM_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)

Follower = trio.MemoryReceiveChannel[bytes]


def encode_event(name: str, data: bytes, number: str = "") -> bytes:
    """Return an event of the stream; *data* is JSON without a line break.

    See "Server-sent events" of the HTML standard, 9.2.5.
    """
    head = b"id: %s\n" % number.encode() if number else b""
    return b"%sevent: %s\ndata: %s\n\n" % (head, name.encode(), data)


@define(eq=False)
class Channel:
    """The events of one running game, or of all games for the first page."""

    _prefix: str = ""
    """The beginning of all ids."""
    last: int = 0
    """The number of the latest event."""
    followers: dict[Follower, trio.MemorySendChannel[bytes]] = Factory(dict)
    """The followers, with the sending ends of their queues."""
    is_closed: bool = False
    _log: deque[bytes] = Factory(lambda: deque(maxlen=MAX_LOG))
    _states: dict[str, bytes] = Factory(dict)

    def publish(self, name: str, data: bytes) -> None:
        """Add an event to the log."""
        self.last += 1
        self._log.append(encode_event(name, data, self.id_of(self.last)))
        self._tell(self._log[-1])

    def show(self, name: str, data: bytes) -> None:
        """Set the current state called *name* to *data*; it has no id."""
        encoded = encode_event(name, data)
        if self._states.get(name) != encoded:
            self._states[name] = encoded
            self._tell(encoded)

    def close(self) -> None:
        """End the streams of all followers after their pending events."""
        self.is_closed = True
        for follower in tuple(self.followers):
            self.leave(follower)

    def _tell(self, event: bytes) -> None:
        for follower, queue in tuple(self.followers.items()):
            try:
                queue.send_nowait(event)
            except trio.WouldBlock:
                self.leave(follower)

    def id_of(self, number: int) -> str:
        """Return the id of an event in the stream."""
        return f"{self._prefix}{number}"

    def number_of(self, last_id: str) -> int | None:
        """Return the number of *last_id*, if all later events are in the log."""
        digits = last_id.removeprefix(self._prefix)
        if not last_id.startswith(self._prefix) or not digits.isdecimal():
            return None
        after = int(digits[:20])
        return after if self.last - len(self._log) <= after <= self.last else None

    def join(self, after: int) -> tuple[bytes, Follower]:
        """Return the events after number *after*, all states, and a queue for more.

        The queue ends when the channel is closed or the follower is too slow.
        """
        queue, follower = trio.open_memory_channel[bytes](MAX_BEHIND)
        self.followers[follower] = queue
        if self.is_closed:
            self.leave(follower)
        missing = [self._log[index] for index in range(after - self.last, 0)]
        return b"".join([*missing, *self._states.values()]), follower

    def leave(self, follower: Follower) -> None:
        """Close the queue of *follower* after the events in it."""
        if follower in self.followers:
            self.followers.pop(follower).close()


async def news(follower: Follower) -> bytes:
    """Return all new events for *follower*; wait for the first.

    Raises `trio.EndOfChannel`.
    """
    found = [await follower.receive()]
    with suppress(trio.WouldBlock, trio.EndOfChannel):
        while True:
            found.append(follower.receive_nowait())
    return b"".join(found)


@define(eq=False, slots=False)
class EventStream(Response):
    """The answer that follows a channel until it closes or the spectator leaves.

    It begins with an event `beginning`, whose data `whole` returns, and occupies one of
    the `places` for spectators.
    """

    _channel: Channel
    _beginning: str
    _whole: Callable[[], bytes]
    _places: trio.CapacityLimiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events after `Last-Event-ID`."""
        try:
            self._places.acquire_on_behalf_of_nowait(self)
        except trio.WouldBlock:
            headers = {"retry-after": "5"}
            text = "429: too many requests; try again later\n"
            await PlainTextResponse(text, 429, headers)(scope, receive, send)
            return
        try:
            await self._follow(scope, receive, send)
        finally:
            self._places.release_on_behalf_of(self)

    async def _follow(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = {"status": 200, "headers": list(STREAM_HEADERS)}
        await send({"type": "http.response.start", **head})
        # The answer to HEAD has no body whose end would close it.
        if scope["method"] != "HEAD":
            last_id = Headers(scope=scope).get("last-event-id", "")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_when_gone, receive, nursery.cancel_scope)
                await self._send_events(send, last_id)
                nursery.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b""})

    async def _send_events(self, send: Send, last_id: str) -> None:
        channel = self._channel
        after, first = channel.number_of(last_id), RETRY
        if after is None:
            after = channel.last
            number = channel.id_of(after)
            first += encode_event(self._beginning, self._whole(), number)
        missing, follower = channel.join(after)
        try:
            await send(_part(first + missing))
            while True:
                found = COMMENT
                with trio.move_on_after(COMMENT_SECONDS):
                    found = await news(follower)
                await send(_part(found))
        except trio.EndOfChannel:
            return
        finally:
            channel.leave(follower)


async def _cancel_when_gone(receive: Receive, scope: trio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _part(data: bytes) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": True}
