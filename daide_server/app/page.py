"""The page of a server: opened beside it, fed by its events, ended with it.

Imported only if there is a page: a server without one needs nothing of `web`.
"""

import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import trio

from daide_server.host_port import address_text
from daide_server.server.events import EventReader, Events, PageFailed
from daide_server.server.game_runner import GameRunner
from daide_server.server.listener import why_not
from daide_server.storage.variants import find_variant
from daide_server.web.game_feeder import GameFeeder
from daide_server.web.http_server import bind_web, web_address
from daide_server.web.web_service import WebService
from daide_server.web.web_settings import WebAddress, WebSettings

from .event_metrics import EventMetrics
from .page_feeder import FeederParts, PageChanges, PageFeeder
from .server import STARTING, Announce, ServeError, Server
from .settings import ServerSettings


class Page:
    """The page of one server."""

    def __init__(
        self,
        settings: ServerSettings,
        listening: list[socket.socket],
        events: Events,
        metrics: EventMetrics,
    ) -> None:
        """Serve at *listening*: the page first, then perhaps the metrics alone.

        *events* is called with what goes wrong in it; *metrics* are shown.

        Raises `ServeError` if there is no place for the index.
        """
        self._listening: Final = listening
        self._policy: Final = settings.web.press
        self._board: Final = settings.board.variant
        self._name: Final = find_variant(self._board).name
        self._changes: Final = PageChanges()
        self._metrics: Final = metrics
        self.readers: Final[tuple[EventReader, ...]] = (self._changes, metrics)
        """What reads the events of the server for the page."""
        self._server: Server | None = None
        try:
            self._web: Final = WebService(
                settings.web,
                settings.web_limits,
                (Path(settings.service.records),),
                metrics.registry,
                unready=self._unready,
                boards=self._find_board,
                failed=lambda error: events(PageFailed(error)),
            )
        except OSError as error:
            raise ServeError(str(error)) from error

    @property
    def url(self) -> str:
        """Return where the page is."""
        return f"http://{web_address(self._listening[0])}"

    @property
    def line(self) -> str:
        """Return the line that says where the page is."""
        return f"web on {self.url}"

    def announcing(self, announce: Announce) -> Announce:
        """Return *announce*, which says after the first line where the page is."""
        lines = iter([self.line])

        def announce_both(line: str) -> None:
            announce(line)
            for own in lines:
                announce(own)

        return announce_both

    async def run(self, server: Server) -> None:
        """Serve the page of *server* until cancelled."""
        self._server = server
        self._metrics.follow(server)
        web = self._web
        feeder = PageFeeder(
            FeederParts(
                GameFeeder(web.feed, web.maker, web.index, self._policy),
                board=self._board,
                runners=self._runners,
                records_changed=web.records_changed,
            ),
            self._changes,
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._web.again, feeder.run)
            nursery.start_soon(self._web.run, self._listening)

    def _runners(self) -> Iterable[GameRunner]:
        return () if self._server is None else self._server.games.open_games()

    def _find_board(self, name: str) -> str:
        """Return what the board *name* is found by; ours may be a map file."""
        return self._board if name == self._name else name

    def _unready(self) -> str | None:
        """Return why no players can be taken now."""
        return STARTING if self._server is None else self._server.unready


def open_page(settings: ServerSettings, events: Events, metrics: EventMetrics) -> Page:
    """Return the page that *settings* ask for.

    *events* is called with what goes wrong in it; *metrics* are shown. Raises
    `ServeError` if an address cannot be had, or no index be written.
    """
    return Page(settings, bind_all(settings.web), events, metrics)


def bind_all(settings: WebSettings) -> list[socket.socket]:
    """Return the sockets of the page, and of the metrics if they have an address.

    Raises `ServeError`.
    """
    addresses = (settings.address, settings.metrics)
    return [_bind(each) for each in addresses if each is not None]


def _bind(address: WebAddress) -> socket.socket:
    try:
        return bind_web(address)
    except OSError as error:
        message = f"cannot listen on {address_text(address)}: {why_not(error)}"
        raise ServeError(message) from error
