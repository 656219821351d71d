"""Connections of visitors: limited, and never waited for."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from starlette.types import Receive, Scope, Send

from daide_server.web.http_server import WebListener, bind_web
from daide_server.web.web_settings import WebLimits

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
ENDLESS = 1 << 30
LARGE = 1 << 24


async def endless(scope: Scope, receive: Receive, send: Send) -> None:
    """Send more than any buffer holds, in the body or the head, if the path says so."""
    del receive
    assert scope["type"] == "http"
    large = b"x" * (LARGE if scope["path"] == "/head" else 1)
    headers = [(b"x-large", large)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    size = ENDLESS if scope["path"] == "/endless" else 2
    for _ in range(0, size, 65536):
        part = {"type": "http.response.body", "body": b"ok" * 32768, "more_body": True}
        await send(part)
    await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def listening(
    errors: list[Exception] | None = None, **changes: float
) -> AsyncIterator[WebListener]:
    """Listen with *changes* to the limits; unexpected exceptions go into *errors*."""
    socket_of = bind_web(("127.0.0.1", 0))
    limits = WebLimits(**changes)  # type: ignore[arg-type]
    found: list[Exception] = [] if errors is None else errors
    own = WebListener(endless, socket_of, limits, failed=found.append)
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(own.run)
            try:
                yield own
            finally:
                socket_of.close()
                while STREAMS:
                    STREAMS.pop().socket.close()
            nursery.cancel_scope.cancel()
    if errors is None:
        assert not found


def address_of(own: WebListener) -> tuple[str, int]:
    host, _, port = own.address.partition(":")
    return host, int(port)


async def connect(own: WebListener) -> trio.SocketStream:
    """Return a connection, which is closed with the test."""
    stream = await trio.open_tcp_stream(*address_of(own))
    STREAMS.append(stream)
    return stream


STREAMS: list[trio.SocketStream] = []


async def connected(own: WebListener, count: int) -> None:
    """Wait until there are *count* connections."""
    while own.connections != count:  # noqa: ASYNC110 - nothing tells
        await trio.sleep(0.01)


async def all_of(stream: trio.SocketStream) -> bytes:
    found = b""
    while part := await stream.receive_some():
        found += part
    return found


async def test_a_visitor_who_does_not_read_is_closed() -> None:
    async with listening(send_seconds=0.3) as own:
        stream = await connect(own)
        await stream.send_all(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await connected(own, 1)
        await connected(own, 0)


@pytest.mark.parametrize("path", [b"/endless", b"/head"])
async def test_the_server_ends_at_once_beside_a_visitor_who_does_not_read(
    path: bytes,
) -> None:
    """Wherever in an answer it is: Hypercorn tries to answer 500 behind half a head."""
    errors: list[Exception] = []
    with bind_web(("127.0.0.1", 0)) as socket_of:
        own = WebListener(endless, socket_of, WebLimits(), failed=errors.append)
        with trio.fail_after(WebLimits().send_seconds):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(own.run)
                stream = await trio.open_tcp_stream(*address_of(own))
                await stream.send_all(
                    b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
                )
                # So much is sent at least before the buffers are full.
                await stream.receive_some(1)
                nursery.cancel_scope.cancel()
            await stream.aclose()
    assert not errors


@pytest.mark.parametrize("data", [b"", b"GET / HTT", REQUEST])
async def test_a_request_must_be_whole_in_time(data: bytes) -> None:
    async with listening(idle_seconds=0.3) as own:
        stream = await connect(own)
        if data:
            await stream.send_all(data)
        assert await all_of(stream) == b""


async def test_a_head_that_is_too_large_is_refused() -> None:
    async with listening(header_bytes=2000) as own:
        stream = await connect(own)
        await stream.send_all(REQUEST + b"X: " + b"x" * 5000)
        answer = await all_of(stream)
        assert answer.startswith(b"HTTP/1.1 431")


async def test_connections_have_places() -> None:
    async with listening(connections=2) as own:
        await connect(own)
        await connect(own)
        await connected(own, 2)
        refused = await connect(own)
        assert await all_of(refused) == b""


async def test_one_address_has_its_share_unless_it_is_a_proxy() -> None:
    async with listening(connections_per_address=1) as own:
        await connect(own)
        await connected(own, 1)
        assert await all_of(await connect(own)) == b""


@pytest.mark.parametrize(
    "upgrade",
    [
        b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n",
        b"",
    ],
)
async def test_http_is_version_1_1(upgrade: bytes) -> None:
    """Whatever the visitor would like it to become."""
    async with listening() as own:
        stream = await connect(own)
        await stream.send_all(REQUEST + upgrade + b"Connection: close\r\n\r\n")
        answer = await all_of(stream)
        assert answer.startswith(b"HTTP/1.1 200")


async def test_a_websocket_is_answered_as_a_page() -> None:
    """Also if the visitor goes on at once, as if it had one; others go on, too."""
    async with listening() as own:
        follower, stream = await connect(own), await connect(own)
        await stream.send_all(
            REQUEST
            + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
            + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + b"Sec-WebSocket-Version: 13\r\n\r\n"
            + REQUEST
            + b"Connection: close\r\n\r\n"
        )
        assert (await all_of(stream)).count(b"HTTP/1.1 200") == 2
        await follower.send_all(REQUEST + b"Connection: close\r\n\r\n")
        assert (await all_of(follower)).startswith(b"HTTP/1.1 200")


async def test_an_unexpected_exception_ends_one_connection() -> None:
    """And is reported; others stay."""
    errors: list[Exception] = []
    async with listening(errors, send_seconds=-1.0) as own:
        stays, ends = await connect(own), await connect(own)
        await connected(own, 2)
        await ends.send_all(REQUEST + b"\r\n")
        assert await all_of(ends) == b""
        await connected(own, 1)
        with trio.move_on_after(0.1) as waiting:
            await stays.receive_some()
        assert waiting.cancelled_caught
    assert len(errors) == 1


async def test_several_requests_follow_each_other_on_one_connection() -> None:
    async with listening() as own:
        stream = await connect(own)
        await stream.send_all((REQUEST + b"\r\n") * 3)
        found = b""
        while found.count(b"HTTP/1.1 200") < 3:
            found += await stream.receive_some()


async def test_what_is_no_http_ends_the_connection_only() -> None:
    async with listening() as own:
        stream = await connect(own)
        await stream.send_all(b"\x00\x00\x00\x04\x00\x01\xda\x10\r\n\r\n")
        assert (await all_of(stream)).startswith(b"HTTP/1.1 400")
        again = await connect(own)
        await again.send_all(REQUEST + b"Connection: close\r\n\r\n")
        assert (await all_of(again)).startswith(b"HTTP/1.1 200")


async def test_a_reset_connection_is_forgotten() -> None:
    async with listening() as own:
        stream = await connect(own)
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        await stream.send_all(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await stream.receive_some(1)
        stream.socket.close()
        await connected(own, 0)
