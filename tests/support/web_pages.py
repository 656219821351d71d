"""The page of a server, or of a folder, on real sockets inside the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import trio
from prometheus_client import CollectorRegistry

from daide_server.app.page import Page, open_page
from daide_server.app.server import open_server
from daide_server.server.sinks import fan_out
from daide_server.storage.index_building import bring_up_to_date
from daide_server.storage.index_tables import index_path, open_index
from daide_server.web.http_server import bind_web, web_address
from daide_server.web.web_service import WebService
from tests.support.fakes import RecordedEvents
from tests.support.peers import Running
from tests.support.settings import settings_with

PATIENCE_WITH_PAGES = 60.0
"""Seconds after which a test gives up; a worker takes a while to start."""
BUSY = {"requests_per_second": 10_000.0}
"""A test asks more than a visitor."""


class Visitor:
    """Asks for pages."""

    def __init__(self, client: httpx.AsyncClient, address: str) -> None:
        self.client = client
        self.address = address
        """HOST:PORT."""

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """Return the answer to a GET."""
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
        """Return a connection."""
        host, _, port = self.address.rpartition(":")
        return await trio.open_tcp_stream(host, int(port))


@asynccontextmanager
async def visitor(address: str) -> AsyncIterator[Visitor]:
    """Return who visits the page at HOST:PORT."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=30) as client:
        yield Visitor(client, address)


class Served(Running):
    """A server with its page, inside the test."""

    page: Page
    events: RecordedEvents
    visitor: Visitor


@asynccontextmanager
async def running_page(records: Path, **given: object) -> AsyncIterator[Served]:
    """Run a server and its page with *given* settings until the test is over."""
    chosen = settings_with(
        port=0,
        records=str(records),
        durability="none",
        **{"web": "127.0.0.1:0", **BUSY, **given},
    )
    events = RecordedEvents()
    page = open_page(chosen, events)
    lines: list[str] = []
    server = open_server(
        chosen, page.announcing(lines.append), fan_out(events, page.sink)
    )
    served = Served(server, server.address, records)
    served.page, served.lines, served.events = page, lines, events
    with trio.fail_after(PATIENCE_WITH_PAGES):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page.run, server)
            nursery.start_soon(server.run)
            try:
                async with visitor(page.line.removeprefix("web on http://")) as found:
                    served.visitor = found
                    yield served
            finally:
                await served.hang_up()
                nursery.cancel_scope.cancel()


@asynccontextmanager
async def watched_folder(
    folder: Path, errors: list[Exception] | None = None, **given: object
) -> AsyncIterator[Visitor]:
    """Serve the page of the records in *folder*, which is indexed already."""
    bring_up_to_date(open_index(index_path([folder])), [folder])
    chosen = settings_with(**{**BUSY, **given})
    found: list[Exception] = [] if errors is None else errors
    web = WebService(
        chosen.web,
        chosen.web_limits,
        (folder,),
        CollectorRegistry(),
        failed=found.append,
    )
    listening = bind_web(("127.0.0.1", 0))
    with trio.fail_after(PATIENCE_WITH_PAGES):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(web.feed.run)
            nursery.start_soon(web.run, [listening])
            async with visitor(web_address(listening)) as client:
                yield client
            nursery.cancel_scope.cancel()
    if errors is None:
        assert not found
