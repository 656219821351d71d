"""The page of a server, or of a folder, on real sockets inside the test."""

import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import trio
from msgspec import structs

from daide_server.host_port import address_text
from daide_server.library import control_socket
from daide_server.library.index_building import bring_up_to_date
from daide_server.library.index_tables import index_path, open_index
from daide_server.library.record_index import RecordIndex
from daide_server.server.control import Control
from daide_server.server.event_metrics import EventMetrics
from daide_server.server.page import PageTask, page_folder, page_settings_of
from daide_server.server.server import Server
from daide_server.server.written_games import keep_running_records
from daide_server.web.process import PageService
from tests.support.fakes import RecordedEvents
from tests.support.peers import Running
from tests.support.settings import settings_with

PATIENCE_WITH_PAGES = 60.0
"""Seconds after which a test gives up; a worker takes a while to start."""


class Visitor:
    """Asks for pages."""

    def __init__(self, client: httpx.AsyncClient, address: str) -> None:
        self.client = client
        self.address = address
        """HOST:PORT."""
        self.streams: list[Stream] = []

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.client.get(path, headers=headers)

    async def json(self, path: str) -> Any:  # noqa: ANN401 - what JSON has
        """Return the JSON of an answer that is none of an error."""
        answer = await self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def until(self, path: str, wanted: str) -> str:
        """Return an answer as soon as it has *wanted*."""
        while wanted not in (text := (await self.get(path)).text):  # noqa: ASYNC110
            # Another process makes it.
            await trio.sleep(0.05)
        return text

    async def connect(self) -> trio.SocketStream:
        host, _, port = self.address.rpartition(":")
        return await trio.open_tcp_stream(host, int(port))


class Stream:
    """A stream of server-sent events, as it arrives."""

    def __init__(self, connection: trio.SocketStream) -> None:
        self.head = b""
        """Of the answer, in small letters."""
        self._connection = connection
        self._buffer = b""

    @classmethod
    async def open(cls, visitor: Visitor, path: str, last_id: str = "") -> "Stream":
        """Return the stream at *path*, after its head, which is what it must be."""
        stream = cls(await visitor.connect())
        visitor.streams.append(stream)
        last = f"Last-Event-ID: {last_id}\r\n" if last_id else ""
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{last}\r\n"
        await stream._connection.send_all(request.encode())
        stream.head = head = (await stream._until(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 200"), head
        assert b"cache-control: no-store" in head
        assert b"content-encoding" not in head
        return stream

    async def next(self) -> tuple[str, str]:
        """Return the name and the data of the next event."""
        while True:
            lines = (await self._until(b"\n\n")).decode().splitlines()
            found = dict(line.split(": ", 1) for line in lines if ": " in line)
            if "event" in found:
                return found["event"], found["data"]

    async def close(self) -> None:
        await self._connection.aclose()

    async def _until(self, end: bytes) -> bytes:
        while end not in self._buffer:
            part = await self._connection.receive_some()
            assert part, self._buffer
            self._buffer += part
        found, _, self._buffer = self._buffer.partition(end)
        return found


@asynccontextmanager
async def visitor(address: str) -> AsyncIterator[Visitor]:
    """Return who visits the page at HOST:PORT."""
    async with httpx.AsyncClient(
        base_url=f"http://{address}", timeout=PATIENCE_WITH_PAGES
    ) as client:
        found = Visitor(client, address)
        try:
            yield found
        finally:
            with trio.CancelScope(shield=True):
                for stream in found.streams:
                    await stream.close()


@asynccontextmanager
async def serving_page(
    task: PageTask,
) -> AsyncIterator[tuple[Visitor, list[Exception]]]:
    """Serve the page of *task*; give a visitor, and what goes wrong."""
    errors: list[Exception] = []
    listening = socket.create_server(("127.0.0.1", 0))
    address = address_text(listening.getsockname())
    stopped = trio.Event()
    service = PageService(
        structs.replace(task, sockets=(listening.detach(),)), errors.append
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(service.run, stopped.wait)
        async with visitor(address) as found:
            yield found, errors
        stopped.set()


def page_settings(**given: object) -> dict[str, dict[str, object]]:
    return page_settings_of(settings_with(**given))


class Served(Running):
    """A server with a control socket, inside the test, and its page if it has one."""

    events: RecordedEvents
    folder: Path
    """That of the control socket, and of the files of running games."""
    visitor: Visitor

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
async def controlled(folder: Path, **given: object) -> AsyncIterator[Served]:
    """Run a server with *given* settings until the test is over."""
    settings = settings_with(
        **{
            "port": 0,
            "records": str(folder / "records"),
            "journal": str(folder / "journal"),
            **given,
        }
    )
    events, metrics, lines = RecordedEvents(), EventMetrics(), list[str]()
    server = Server(settings, lines.append, events.also_to(metrics))
    served = Served(server, server.address, Path(settings.service.records))
    served.lines, served.events = lines, events
    with trio.fail_after(PATIENCE_WITH_PAGES), page_folder(server) as served.folder:
        control = Control(server, metrics, [server.address], served.folder)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(control.run)
            nursery.start_soon(server.run)
            try:
                yield served
            finally:
                with trio.CancelScope(shield=True):
                    await served.hang_up()
                    server.stop()
                    await served.until_stopped()
                nursery.cancel_scope.cancel()


@asynccontextmanager
async def running_page(folder: Path, **given: object) -> AsyncIterator[Served]:
    """Run a server and its page with *given* settings until the test is over."""
    async with (
        controlled(folder, **{"records": str(folder), **given}) as served,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(keep_running_records, served.server, served.folder)
        task = PageTask(
            settings=page_settings_of(served.server.settings),
            folders=(str(folder),),
            running=(str(served.folder),),
            control=str(served.folder),
        )
        async with serving_page(task) as (served.visitor, errors):
            yield served
        assert not errors
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def watched_folder(
    folder: Path,
    errors: list[Exception] | None = None,
    cups: Sequence[Path] = (),
    **given: object,
) -> AsyncIterator[Visitor]:
    """Serve the page of the records in *folder*, which is indexed already."""
    folders = list(dict.fromkeys([folder, *cups]))
    bring_up_to_date(RecordIndex(open_index(index_path(folders))), folders)
    task = PageTask(
        settings=page_settings(**given),
        folders=(str(folder),),
        tournaments=tuple(map(str, cups)),
    )
    with trio.fail_after(PATIENCE_WITH_PAGES):
        async with serving_page(task) as (found, failures):
            yield found
    if errors is None:
        assert not failures
    else:
        errors.extend(failures)
