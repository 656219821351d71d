"""The feed as server-sent events (HTML standard, 9.2), for `EventSource` and `curl -N`.

A spectator that comes back with `Last-Event-ID` gets what it has missed; if the log no
longer has that, and at first, it gets `reset` with the whole view. A comment each 15
seconds keeps proxies from closing the connection, and finds spectators that are gone.
"""

from collections.abc import Callable
from typing import Final

import trio
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from .feed import Channel, encode_event

COMMENT_SECONDS: Final = 15.0
RETRY: Final = b"retry: 2000\n\n"
COMMENT: Final = b":\n\n"
STREAM_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)


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
