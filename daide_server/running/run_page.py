"""The page of a run: its tournament, and the games that are played here, live.

Imported only if there is a page: a run without one needs nothing of `web`.
"""

import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import trio

from daide_server.app.page import bind_all
from daide_server.app.settings import ServerSettings
from daide_server.app.watching import Watched, open_web
from daide_server.classes import frozen
from daide_server.web.game_feeder import GameFeeder
from daide_server.web.http_server import web_address

from .live_games import LiveGames
from .run_events import RunEvent
from .scheduler import PlayEncoded, ReportEvent
from .shown_tournaments import ShownTournaments, numbered
from .worker_process import play_encoded

GAMES_ELSEWHERE: Final = "Games on other machines appear when they are finished."


@frozen(kw_only=True)
class ShownRun:
    """The run that is shown."""

    folder: Path
    store: str
    is_local: bool
    """Whether its games are played by workers of this process."""


class RunPage:
    """The page of one run."""

    def __init__(
        self,
        settings: ServerSettings,
        run: ShownRun,
        failed: Callable[[Exception], None],
    ) -> None:
        """Listen at the address of *settings*; *failed* is called with our errors.

        Raises `ServeError` if the address cannot be had, or no index be written.
        """
        note = "" if run.is_local else GAMES_ELSEWHERE
        shown = ShownTournaments([run.folder], run.store, note)
        self._run: Final = run
        self._policy: Final = settings.web.press
        self._listening: Final[list[socket.socket]] = bind_all(settings.web)
        self._web: Final = open_web(settings, Watched((run.folder,), shown), failed)
        self._live: LiveGames | None = None

    @property
    def line(self) -> str:
        """Return the line that says where the page is."""
        return f"web on http://{web_address(self._listening[0])}"

    @property
    def play(self) -> PlayEncoded:
        """Return what the executor is to run, so that games here are shown live."""
        return (
            partial(play_encoded, show=self._show)
            if self._run.is_local
            else play_encoded
        )

    def reporting(self, report: ReportEvent) -> ReportEvent:
        """Return *report*, which tells the page as well."""

        def report_both(event: RunEvent) -> None:
            report(event)
            if self._live is not None:
                self._live.note(event)

        return report_both

    def _show(self, content: bytes) -> None:
        if self._live is not None:
            self._live.receive(content)

    async def run(
        self, task_status: "trio.TaskStatus[None]" = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Serve the page until cancelled; started when it can take news."""
        web = self._web
        ((number, _),) = numbered([self._run.folder])
        feeder = GameFeeder(web.feed, web.maker, web.index, self._policy)
        self._live = LiveGames(number, feeder, web.records_changed)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(web.again, self._live.run)
            nursery.start_soon(web.run, self._listening)
            task_status.started()
