"""The page of a game and its lists in a browser, without a socket.

A browser's requests are intercepted (`Page.route`) and answered by the application of
the page itself; streams of events are what a test says.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import quote, urlsplit

import httpx
import msgspec
import pytest
import trio

from daide_server.records.record import GameRecord
from daide_server.records.secrecy import PressPolicy
from daide_server.reports.game_views import game_summary, game_view
from daide_server.running.tournament_state import TournamentFolder
from daide_server.running.tournament_views import (
    ShownTournament,
    TournamentView,
    Trouble,
)
from daide_server.storage.archive import write_record
from daide_server.storage.index_building import bring_up_to_date
from daide_server.storage.index_tables import index_path, open_index
from daide_server.storage.record_index import RecordIndex
from daide_server.tournament.pairs import Comparison
from daide_server.tournament.standings import BotStatus, PowerScore, TournamentStatus
from daide_server.web.finished_games import ShownGame
from daide_server.web.library import Library
from daide_server.web.running_games import RunningGames
from daide_server.web.site import applications
from tests.support.needed import need_package
from tests.support.settings import settings_with

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOST = "http://page.localhost"
EVENTS = {"content-type": "text/event-stream"}

OpenPage = Callable[..., "Page"]


def cup_view(powers: Sequence[str]) -> TournamentView:
    """Return a tournament of four bots, of which one has met nobody yet."""
    names = ("Dumb", "Rand", "Hold", "A bot with a long name")
    scores = (0.381, 0.12, 0.08, None)
    bots = tuple(
        BotStatus(
            name=name,
            version="1.0",
            games=0 if score is None else 312,
            score=score,
            low=0.0 if score is None else score - 0.024,
            high=1.0 if score is None else score + 0.03,
            low_fixed=None,
            high_fixed=None,
            forfeits=3,
            voids=1,
            refused=12,
            late=0,
            rating=None if score is None else 1000 * score - 190,
            rating_low=None if score is None else 1000 * score - 220,
            rating_high=None if score is None else 1000 * score - 160,
            anchor=False,
            worker_deaths=0,
            endings=None,
            win_rate=None,
        )
        for name, score in zip(names, scores, strict=True)
    )
    known = tuple(score for score in scores if score is not None)
    return TournamentView(
        number="cup",
        status=TournamentStatus(
            "Cup", "sos", 700, 312, 2, 386, 0, None, bots, "line-ups"
        ),
        even=1 / 7,
        seconds_left=840.0,
        cross=tuple(
            tuple(
                None
                if one is None or other is None or one == other
                else Comparison(
                    (0, 1),
                    90,
                    one - other,
                    0.6,
                    None,
                    None,
                    holds=abs(one - other) > 0.1,
                )
                for other in scores
            )
            for one in scores
        ),
        powers={
            power: tuple(
                None if score is None else PowerScore(9, score * (at % 3 + 1) / 2)
                for score in scores
            )
            for at, power in enumerate(powers)
        },
        course=(
            *(
                tuple((7.0 * at, score + 0.2 / at) for at in range(1, 45))
                for score in known
            ),
            (),
        ),
        troubles=(
            Trouble(
                "cup-000031",
                "forfeit",
                "Hold",
                "TUR",
                "F1905M: it ended with exit code 1",
                ("000031/TUR.output.txt", "000031/server.log"),
            ),
            Trouble("cup-000007", "void", "", "", "the worker was killed"),
        ),
        troubles_left_out=3,
        note="Games on other machines appear when they are finished.",
    )


PATIENCE = 30.0
"""Seconds until a page has come to what is waited for: a loaded machine is slow."""


def wait_until(page: "Page", expression: str) -> None:
    """Wait until *expression* is true in a page.

    `Page.wait_for_function` asks a second time by eval, which our policy forbids.
    """
    error = need_package("playwright.sync_api").Error
    give_up = monotonic() + PATIENCE
    while monotonic() < give_up:
        with suppress(error):  # the page is being loaded anew
            if page.evaluate(expression):
                return
        page.wait_for_timeout(20)
    pytest.fail(f"not true in {PATIENCE:.0f} s: {expression}")


class PaperLibrary(Library):
    """A library with one game, which is that of *site*."""

    site: "PaperSite"

    async def game(self, game: str) -> ShownGame:
        """Return the view of the site."""
        del game
        return ShownGame(self.site.view, msgspec.json.encode(self.site.view))

    async def make(self, game: str, work: Callable[[GameRecord], bytes]) -> bytes:
        """Return what *work* makes of the record of the site."""
        del game
        return work(self.site.record)


class PaperSite:
    """Opens pages of *record*."""

    def __init__(
        self,
        record: GameRecord,
        open_page: OpenPage,
        folder: Path,
        events: str = "",
        *,
        is_new: bool = False,
    ) -> None:
        """Show *record*, as a running game if it has a stream of *events*."""
        self.record = record
        self.events = events
        self.view = game_view(record, running=bool(events))
        self.asked: list[str] = []
        self._open_page = open_page
        self._folder = folder
        summary = game_summary(record, running=True, with_board=True)
        of_cup = msgspec.structs.replace(summary, id="cup-000313")
        games = () if is_new else (summary, of_cup)
        self.cards = {each.id: each for each in games}
        """The running games, in the stream of lists too."""
        self._app, _ = applications(
            settings_with(logs=True),
            self._library(),
            {} if is_new else {"cup": self._cup()},
            None,
            _fail,
        )

    def _library(self) -> Library:
        self._folder.mkdir(exist_ok=True)
        index = RecordIndex(open_index(index_path([self._folder])))
        policy = PressPolicy()
        running = RunningGames([], {}, policy, index, lambda: None)
        running._listed = inf
        running.cards = self.cards
        for game in self.cards:
            finished = msgspec.structs.replace(self.record, id=game)
            write_record(finished, self._folder)
        bring_up_to_date(index, [self._folder])
        library = PaperLibrary(running, index, policy, 10**9, {})
        library.site = self
        return library

    def _cup(self) -> ShownTournament:
        view = cup_view([power.title for power in self.view.powers])
        home = TournamentFolder(self._folder / "cup")
        return ShownTournament("cup", home, "", view, due=inf)

    def of(self, record: GameRecord, events: str = "") -> "PaperSite":
        """Return the site of another record."""
        return PaperSite(record, self._open_page, self._folder / "other", events)

    def new(self) -> "PaperSite":
        """Return a site that has nothing on its first page, as before any game."""
        folder = self._folder / "other"
        return PaperSite(self.record, self._open_page, folder, is_new=True)

    def changed(self, events: str = "", **fields: object) -> "PaperSite":
        """Return the site of a record that has other *fields*."""
        return self.of(msgspec.structs.replace(self.record, **fields), events)

    def early(self, turns: int, events: str) -> "PaperSite":
        """Return the site of the game while it runs, after *turns* of its turns."""
        played, last = self.record.turns[:turns], self.record.turns[turns].position
        return self.changed(events, turns=played, last=last, ending=None)

    def show(
        self, turn: str = "", size: str = "desktop", scheme: str = "light"
    ) -> "Page":
        """Return a browser's page of the game, at a turn or at the last one."""
        path = f"/games/{quote(self.record.id, '')}" + f"/{turn}" * bool(turn)
        return self.open(path, size, scheme)

    def open(self, path: str, size: str = "desktop", scheme: str = "light") -> "Page":
        """Return a browser's page at *path*."""
        return self._open_page(self, path, size, scheme)

    def answer(self, address: str) -> httpx.Response:
        """Return the answer to a GET of *address*."""
        path = urlsplit(address).path
        self.asked.append(path)
        if path == "/api/events":
            games = msgspec.json.encode(list(self.cards.values())).decode()
            text = f"retry: 60000\n\nid: 1\nevent: games\ndata: {games}\n\n"
            return httpx.Response(200, headers=EVENTS, text=text)
        if path.endswith("/events"):
            return httpx.Response(200, headers=EVENTS, text=self.events)
        return trio.run(self._get, address)

    async def _get(self, address: str) -> httpx.Response:
        plain = {"accept-encoding": "identity"}
        transport = httpx.ASGITransport(self._app)
        async with httpx.AsyncClient(transport=transport, headers=plain) as client:
            return await client.get(address)


def _fail(error: Exception) -> NoReturn:
    raise error
