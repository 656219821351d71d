"""The page's socket: connections within limits, each served by Hypercorn's HTTP/1.1.

Hypercorn's own connection waits without end for a visitor who does not read, and
cannot be cancelled meanwhile. So the socket, its limits and its ends are ours: sending
has a deadline, reading a request has one, and closing the server ends everything.
"""

import errno
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Final, cast

import h11
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.task_group import TaskGroup
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, ConnectionState
from starlette.types import ASGIApp, Receive, Scope, Send

from daide_server.host_port import address_text

from .web_settings import WebAddress, WebLimits

WEB_BACKLOG: Final = 256
READ_PART: Final = 1 << 16
SEND_PART: Final = 1 << 16
"""Bytes that must be accepted within the limit of sending."""
ACCEPT_AGAIN_SECONDS: Final = 0.1
OUT_OF_FILES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
)
"""Or of memory: the connection still waits, and would be tried without a pause."""

CHUNKED_SINCE: Final = "1.1"
"""Answers to HTTP/1.0 have no chunks, and cannot be pushed."""
PUSH: Final = "daide.push"
"""The extension of the scope by which an answer that has begun goes on quickly."""

IsProxy = Callable[[str], bool]
Failed = Callable[[Exception], None]


def bind_web(address: WebAddress) -> socket.socket:
    """Return a socket that listens for visitors. Raises `OSError`."""
    host, port = address
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=WEB_BACKLOG)
    listening.setblocking(False)
    return listening


def _set_user_timeout(listening: socket.socket, seconds: float) -> None:
    """Let the kernel give up connections whose peer takes nothing; Linux only.

    Accepted sockets inherit it. Elsewhere the deadline of sending does the same for
    what has not reached the kernel yet.
    """
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        with suppress(OSError):
            listening.setsockopt(socket.IPPROTO_TCP, option, int(seconds * 1000))


def web_address(listening: socket.socket) -> str:
    """Return where a socket listens, as HOST:PORT."""
    return address_text(listening.getsockname()[:2])


def _is_cancelled() -> bool:
    """Return whether what this task waits for would be cancelled."""
    return trio.current_effective_deadline() == -inf


class PlainHttp(H11Protocol):
    """HTTP/1.1 that becomes nothing else (RFC 9110, 7.8: Upgrade may be ignored)."""

    async def _check_protocol(self, event: h11.Request) -> None:
        """Change to no other version of HTTP; a request to do so is served as it is."""

    async def _create_stream(self, request: h11.Request) -> None:
        """Serve *request* without what would make it a WebSocket.

        Hypercorn fails at bytes that come after such a request.
        """
        headers = [field for field in request.headers if field[0] != b"upgrade"]
        plain = h11.Request(
            method=request.method,
            headers=headers,
            target=request.target,
            http_version=request.http_version,
        )
        await super()._create_stream(plain)


class HttpConnection:
    """The connection of one visitor."""

    def __init__(
        self,
        app: ASGIApp,
        config: Config,
        limits: WebLimits,
        plain: socket.socket,
    ) -> None:
        """Serve *app* over the connection *plain*."""
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(plain))
        self._inner: Final = app
        self._app: Final = ASGIWrapper(cast(ASGIFramework, self._pushing))
        self._config: Final = config
        self._limits: Final = limits
        self._stream: Final = stream
        self._plain: Final = plain
        self._lock: Final = trio.Lock()
        self._reading: Final = trio.CancelScope()

    async def run(self) -> None:
        """Serve until either side ends, or the visitor is too slow."""
        peer, own = self._stream.socket.getpeername(), self._stream.socket.getsockname()
        async with TaskGroup() as group:
            self._http = PlainHttp(
                self._app,
                self._config,
                WorkerContext(None),
                group,
                ConnectionState({}),
                False,
                peer[:2],
                own[:2],
                self._send,
            )
            self._set_idle(is_idle=True)
            with self._reading:
                await self._read()
            await self._http.handle(Closed())

    async def _pushing(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the application, which may push parts of a long answer."""
        if scope["http_version"] == CHUNKED_SINCE:
            scope.setdefault("extensions", {})[PUSH] = self._push
        await self._inner(scope, receive, send)

    async def _push(self, data: bytes) -> None:
        """Send a chunk of an answer that has begun (RFC 9112, 7.1).

        To the kernel at once if that takes it: a turn has many followers, and the way
        through the layers costs ten times as much.
        """
        chunk, sent = b"%x\r\n%s\r\n" % (len(data), data), 0
        if not self._lock.locked():
            with suppress(OSError):
                sent = self._plain.send(chunk)
        if sent < len(chunk):
            await self._send_data(chunk[sent:])

    def _set_idle(self, *, is_idle: bool) -> None:
        """Let the visitor have so much time for a request; none is due during one."""
        seconds = self._limits.idle_seconds if is_idle else inf
        self._reading.deadline = trio.current_time() + seconds

    async def _read(self) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while data := await self._stream.receive_some(READ_PART):
                await self._http.handle(RawData(bytes(data)))

    async def _send(self, event: Event) -> None:
        match event:
            case RawData(data=data):
                await self._send_data(data)
            case Closed():
                self._reading.cancel()
            case Updated(idle=idle):
                self._set_idle(is_idle=idle)
            case _:
                pass  # Hypercorn's servers know no others.

    async def _send_data(self, data: bytes) -> None:
        try:
            async with self._lock:
                for at in range(0, len(data), SEND_PART):
                    with trio.fail_after(self._limits.send_seconds):
                        await self._stream.send_all(data[at : at + SEND_PART])
        except (
            trio.TooSlowError,
            trio.BrokenResourceError,
            trio.ClosedResourceError,
        ):
            self._reading.cancel()
            await self._http.handle(Closed())


class WebListener:
    """Accepts visitors on one socket, within limits."""

    def __init__(
        self,
        app: ASGIApp,
        listening: socket.socket,
        limits: WebLimits,
        is_proxy: IsProxy = lambda _: False,
        failed: Failed = lambda _: None,
    ) -> None:
        """Serve *app* to who connects to *listening*; proxies stand for many.

        *failed* is called with an unexpected exception, which ends one connection.
        """
        self.address: Final = web_address(listening)
        """HOST:PORT."""
        self._app: Final = app
        self._listening: Final = listening
        self._limits: Final = limits
        self._is_proxy: Final = is_proxy
        self._failed: Final = failed
        self._connections: Final[Counter[str]] = Counter()
        self._config: Final = Config()
        self._config.errorlog = self._config.accesslog = None
        self._config.include_server_header = False
        self._config.h11_max_incomplete_size = limits.header_bytes
        _set_user_timeout(listening, limits.send_seconds)

    @property
    def connections(self) -> int:
        """Return how many connections there are."""
        return self._connections.total()

    async def run(self) -> None:
        """Serve until cancelled; then all connections end at once."""
        async with trio.open_nursery() as nursery:
            while True:
                await trio.lowlevel.wait_readable(self._listening)
                try:
                    connection, peer = self._listening.accept()
                except OSError as error:
                    if error.errno in OUT_OF_FILES:
                        await trio.sleep(ACCEPT_AGAIN_SECONDS)
                    continue
                self._admit(connection, str(peer[0]), nursery)

    def _admit(
        self, connection: socket.socket, address: str, nursery: trio.Nursery
    ) -> None:
        limits = self._limits
        is_full = self.connections >= limits.connections
        is_many = self._connections[address] >= limits.connections_per_address
        if is_full or (is_many and not self._is_proxy(address)):
            connection.close()
            return
        self._connections[address] += 1
        nursery.start_soon(self._serve, connection, address)

    async def _serve(self, connection: socket.socket, address: str) -> None:
        try:
            connection.setblocking(False)
            # Peers that are gone already have no name (ENOTCONN).
            with connection, suppress(OSError):
                await HttpConnection(
                    self._app, self._config, self._limits, connection
                ).run()
        except* Exception as errors:  # noqa: BLE001 (whatever it is, others go on)
            # Hypercorn adds its 500 to an answer that is cancelled, even if h11 has
            # had the head of that answer; so a cancelled connection may fail as well.
            if not _is_cancelled():
                self._failed(errors)
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]
