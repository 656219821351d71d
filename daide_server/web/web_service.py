"""All parts of the page together, for a server or for folders of records alone."""

import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import trio
from prometheus_client import CollectorRegistry

from daide_server.storage.index_tables import index_path, open_index
from daide_server.storage.record_index import RecordIndex

from .feed import Feed
from .http_server import WebListener
from .index_keeper import IndexKeeper
from .library import Library, LibraryParts
from .metrics import WebMetrics
from .site import Site, SiteParts, always_ready, ignore
from .tournaments import NoTournaments, Tournaments
from .view_maker import ViewMaker
from .web_settings import WebLimits, WebSettings

AGAIN_AFTER_SECONDS: Final = 1.0
"""The pause after an error of a part of the page."""


class WebService:
    """The page, from its index to its sockets."""

    def __init__(  # noqa: PLR0913, PLR0917 - the seams to whoever serves it
        self,
        settings: WebSettings,
        limits: WebLimits,
        folders: tuple[Path, ...],
        registry: CollectorRegistry,
        unready: Callable[[], str | None] = always_ready,
        boards: Callable[[str], str] = str,
        failed: Callable[[Exception], None] = ignore,
        tournaments: Tournaments | None = None,
    ) -> None:
        """Show the records in *folders*. Raises `IndexFault`."""
        path = index_path(folders)
        self.feed: Final = Feed()
        self.maker: Final = ViewMaker()
        self.index: Final = RecordIndex(open_index(path))
        self._keeper: Final = IndexKeeper(path, folders)
        self._limits: Final = limits
        self._failed: Final = failed
        self._metrics: Final = WebMetrics(registry)
        parts = LibraryParts(
            self.feed,
            self.index,
            path,
            self.maker,
            settings.press,
            limits.record_bytes,
            boards,
        )
        self._tournaments: Final = tournaments or NoTournaments()
        self._site: Final = Site(
            SiteParts(
                settings,
                limits,
                Library(parts),
                self._metrics,
                unready,
                failed,
                self._tournaments,
            )
        )

    def records_changed(self) -> None:
        """Look for new records soon."""
        self._keeper.look_again()

    async def run(self, listening: list[socket.socket]) -> None:
        """Serve the page at the first of *listening*, and the metrics at the next.

        Until cancelled; the sockets are closed then.
        """
        apps = (self._site.app(), self._site.metrics_app())
        is_proxy, failed = self._site.visitors.is_proxy, self._failed
        with ExitStack() as stack:
            stack.callback(self.maker.close)
            with suppress(OSError):
                # The first visitor should not wait for it; else the first job does.
                self.maker.start()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.again, self.feed.run)
                nursery.start_soon(self.again, self._keeper.run)
                nursery.start_soon(self.again, self._tournaments.run)
                listeners = [
                    WebListener(
                        app, stack.enter_context(each), self._limits, is_proxy, failed
                    )
                    for app, each in zip(apps, listening, strict=False)
                ]
                self._metrics.connections.set_function(
                    lambda: sum(each.connections for each in listeners)
                )
                for listener in listeners:
                    nursery.start_soon(self.again, listener.run)

    async def again(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do *work* until cancelled; an error of ours in it is reported, and no end."""
        while True:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 (whatever it is, games go on)
                self._failed(error)
            await trio.sleep(AGAIN_AFTER_SECONDS)
