"""The page of a game and its lists in a browser, without a socket.

A browser's requests are intercepted (`Page.route`) and answered by the application of
the page itself; streams of events are what a test says.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import quote, urlsplit

import httpx
import msgspec
import pytest
import trio
from attrs import evolve

from daide_server.library.archive import write_record
from daide_server.library.index_building import bring_up_to_date
from daide_server.library.index_tables import index_path, open_index
from daide_server.library.record_index import RecordIndex
from daide_server.records.record import GameRecord
from daide_server.records.secrecy import PressPolicy
from daide_server.text.game_views import game_summary, game_view
from daide_server.tournament.report import tournament_views
from daide_server.tournament.run.bot_settings import BotSettings
from daide_server.tournament.run.tournament_state import TournamentFolder
from daide_server.web import tournaments
from daide_server.web.finished_games import ShownGame
from daide_server.web.running_games import RunningGames
from daide_server.web.shown_games import ShownGames
from daide_server.web.site import applications
from tests.support.needed import need_package
from tests.support.settings import settings_with
from tests.support.tournaments import drawn_game, forfeited
from tests.tournament.cups import look, write_cup

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

HOST = "http://page.localhost"
EVENTS = {"content-type": "text/event-stream"}

OpenPage = Callable[..., "Page"]


@cache
def cup_view() -> tournament_views.TournamentView:
    """Return a tournament of four bots after 84 games, one of which was forfeited."""
    names = ("Dumb", "Rand", "Hold", "A bot with a long name")
    bots = [BotSettings(name=name, builtin="hold") for name in names]
    with TemporaryDirectory() as folder:
        state = look(write_cup(Path(folder), games=700, bots=bots))
        log = state.folder.path / "logs" / "000031" / "server.log"
        log.parent.mkdir(parents=True)
        log.touch()
        change = forfeited(31, "it ended with exit code 1")
        for number in range(1, 85):
            game = drawn_game(state.plan.game(number), (4, 2, 1, 1))
            state.ledger.add(change(game))
        view = tournament_views.tournament_view(state, "cup")
    note = "Games on other machines appear when they are finished."
    return evolve(view, seconds_left=840.0, troubles_left_out=3, note=note)


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


def box(found: "Locator") -> "FloatRect":
    """Return where an element is on the page."""
    place = found.bounding_box()
    assert place is not None
    return place


class PaperGames(ShownGames):
    """One game, which is that of *site*."""

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
            self._games(),
            {} if is_new else {"cup": self._cup()},
            None,
            _fail,
        )

    def _games(self) -> ShownGames:
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
        games = PaperGames(running, index, policy, 10**9, {})
        games.site = self
        return games

    def _cup(self) -> tournaments.ShownTournament:
        home = TournamentFolder(self._folder / "cup")
        return tournaments.ShownTournament("cup", home, "", cup_view(), due=inf)

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

    def show(self, turn: str = "", size: str = "desktop", *, tab: str = "") -> "Page":
        """Return a page of the game at a turn, or the last one, with a tab open."""
        path = f"/games/{quote(self.record.id, '')}" + f"/{turn}" * bool(turn)
        page = self.open(path, size)
        page.wait_for_selector(".board .outline")
        if tab:
            page.get_by_role("tab", name=tab).click()
        return page

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
