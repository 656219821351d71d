"""A server with its control socket, inside the test."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from daide_server.app.control import Control
from daide_server.app.event_metrics import EventMetrics
from daide_server.app.server import Server
from daide_server.storage import control_socket
from tests.support.fakes import RecordedEvents
from tests.support.peers import Running
from tests.support.settings import settings_with


class Controlled(Running):
    """A server with a control socket, inside the test."""

    events: RecordedEvents
    folder: Path

    async def connect(self) -> trio.SocketStream:
        """Return a connection to the socket, as soon as it is there."""
        while not control_socket.is_in(self.folder):  # noqa: ASYNC110 (it comes)
            await trio.sleep(0.005)
        found = control_socket.connect(self.folder, 5)
        return trio.SocketStream(trio.socket.from_stdlib_socket(found))

    async def ask(self, do: str, **words: object) -> Any:  # noqa: ANN401 - JSON
        """Return the answer to one request, on a connection of its own."""
        async with await self.connect() as stream:
            return await asked(stream, json.dumps({"do": do, **words}).encode())

    async def refusal(self, do: str, **words: object) -> str:
        """Return why a request is refused."""
        answer = await self.ask(do, **words)
        assert answer["ok"] is False
        error: str = answer["error"]
        return error

    async def until_stopped(self) -> None:
        """Wait until the server has stopped."""
        while "server.stopped" not in self.events.kinds:  # noqa: ASYNC110 (it ends)
            await trio.sleep(0.005)


async def line_of(stream: trio.SocketStream) -> bytes:
    """Return the next line, or what there is at the end of the connection."""
    found = b""
    while not found.endswith(b"\n"):
        part = await stream.receive_some(1)
        if not part:
            break
        found += part
    return found


async def asked(stream: trio.SocketStream, request: bytes) -> Any:  # noqa: ANN401
    """Return the answer to a line."""
    await stream.send_all(request + b"\n")
    return json.loads(await line_of(stream))


@asynccontextmanager
async def controlled(tmp_path: Path, **given: object) -> AsyncIterator[Controlled]:
    """Run a server with *given* settings until the test is over."""
    settings = settings_with(
        **{
            "port": 0,
            "records": str(tmp_path / "records"),
            "folder": str(tmp_path / "journal"),
            **given,
        }
    )
    events, metrics = RecordedEvents(), EventMetrics()
    server = Server(settings, lambda _: None, events.also_to(metrics))
    found = Controlled(server, server.address, tmp_path / "records")
    assert server.folder is not None
    found.events, found.folder = events, server.folder.path
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(
                Control(server, metrics, [server.address], found.folder).run
            )
            nursery.start_soon(server.run)
            try:
                yield found
            finally:
                with trio.CancelScope(shield=True):
                    await found.hang_up()
                    server.stop()
                    await found.until_stopped()
                nursery.cancel_scope.cancel()
