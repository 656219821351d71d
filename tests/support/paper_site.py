"""The page of one game, answered from memory: templates, scripts, boards, no server.

A browser's requests are intercepted (`Page.route`), so that a test of what the browser
does needs no socket. Headers are those that the page must live with.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import jinja2
import msgspec
import pytest

import daide_server.web
from daide_server.records.record import GameRecord
from daide_server.reports.game_views import choices_view, game_summary, game_view
from daide_server.reports.views import GameSummary, GameView
from daide_server.running.tournament_views import (
    TournamentCard,
    TournamentView,
    Trouble,
)
from daide_server.storage.record_index import BotRow, GameSearch
from daide_server.tournament.pairs import Comparison
from daide_server.tournament.standings import BotStatus, PowerScore, TournamentStatus
from daide_server.web.assets import board_picture, board_places, board_style
from daide_server.web.contexts import Links, game_context, tournament_context
from tests.support.needed import need_package

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOST = "http://page.test"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
TYPES = {
    "css": "text/css",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "events": "text/event-stream",
}
ERROR = {"status": 404, "reason": "no game 'x'"}
WEB = Path(daide_server.web.__file__).parent

Answer = tuple[str, str | bytes]
"""A key of `TYPES`, and the content."""
CUP = TournamentCard("cup", "Cup", 700, 312, "Dumb")


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


def headers(kind: str) -> dict[str, str]:
    """Return the headers of an answer of this *kind*."""
    return {"content-type": TYPES[kind], "content-security-policy": CSP}


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


class PaperSite:
    """Answers requests for the page of *record*."""

    def __init__(self, record: GameRecord, events: str = "") -> None:
        """Show *record*; as a running game with the stream *events*, if given."""
        self.record = record
        self.events = events
        self.view: GameView = game_view(record, running=bool(events))
        self.asked: list[str] = []
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(WEB / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
        )

    def answer(self, address: str) -> Answer | None:
        """Return the answer to a GET of *address*; `None` if there is none."""
        parts = urlsplit(address)
        self.asked.append(parts.path)
        head, _, tail = parts.path[1:].partition("/")
        pages: Mapping[str, Callable[[], Answer]] = {
            "game": lambda: ("html", self._game(tail)),
            "game.json": lambda: ("json", msgspec.json.encode(self.view)),
            "board.json": lambda: (
                "json",
                msgspec.json.encode(board_places(self.record.variant)),
            ),
            "board.svg": lambda: ("svg", board_picture(self.record.variant)),
            "board.css": lambda: ("css", board_style(self.record.variant)),
            "lobby": lambda: ("html", self._lobby()),
            "games-stream": lambda: ("events", self._games()),
            "bot": lambda: ("html", self._bot()),
            "bots": lambda: (
                "html",
                self._rendered(
                    "bots.html", bots=[(BotRow("Rand", 84, 6, 12, 0.21), "/bot")]
                ),
            ),
            "about": lambda: ("html", self._rendered("about.html", version="1")),
            "empty": lambda: ("html", self._empty()),
            "tournament": lambda: ("html", self._tournament()),
            "tournaments": lambda: (
                "html",
                self._rendered("tournaments.html", tournaments=[(CUP, "/tournament")]),
            ),
            "error": lambda: ("html", self._rendered("error.html", **ERROR)),
            "events": lambda: ("events", self.events),
            "choices.json": lambda: ("json", self._choices(parts.query)),
        }
        if head == "static":
            path = WEB / "static" / tail
            return path.suffix[1:], path.read_bytes()
        found = pages.get(head)
        return found() if found else None

    def _game(self, asked: str) -> str:
        turns = (turn for turn in self.view.turns if turn.id == asked)
        turn = next(turns, self.view.turns[0])
        top = "../" if asked else ""
        return self._rendered(
            "game.html",
            **game_context(self.view, turn, self.record.variant.map.majority)
            | {"headline": turn.headline if asked else self.view.headline},
            links={
                "style": top + "board.css",
                "outline": top + "board.svg",
                "places": top + "board.json",
                "game": top + "game.json",
                "choices": top + "choices.json",
                "stream": top + "events" if self.events else "",
                "picture": top + "static/icon.png",
                "image": f"{HOST}/static/icon.png",
                "turn": top + "game/{turn}",
                "first": f"/game/{self.view.turns[0].id}",
                "previous": "",
                "next": "",
                "last": f"/game/{self.view.turns[-1].id}",
                "next_game": "/game",
                "same_bots": "",
                "bots": {},
                "downloads": [("dipcc", top + "game.json")],
            },
        )

    def _games(self) -> str:
        running = self._running()
        both = [msgspec.structs.replace(each, id="cup-000313") for each in running]
        games = msgspec.json.encode(running + both).decode()
        return f"retry: 60000\n\nid: 1\nevent: games\ndata: {games}\n\n"

    def _running(self) -> list[GameSummary]:
        return [game_summary(self.record, running=True, with_board=True)]

    def _lists(self) -> dict[str, Any]:
        """Return the context that pages with lists of games share."""
        board = {
            "style": "/board.css",
            "outline": "/board.svg",
            "places": "/board.json",
        }
        return {
            "running": self._running(),
            "finished": self._running(),
            "found": 120,
            "when": lambda _: "22 November 2026",
            "links": {
                "stream": "/games-stream",
                "boards": {self.view.board: board},
                "game": "/game/{game}",
                "next_page": "/lobby?page=2",
                "previous_page": "",
                "bots": {"Dumb": "/bot"},
            },
        }

    def _lobby(self) -> str:
        return self._rendered(
            "lobby.html",
            search=GameSearch(),
            powers=[power.id for power in self.view.powers],
            endings=["solo", "draw"],
            tournaments=[(CUP, "/tournament")],
            indexing="",
            **self._lists(),
        )

    def _empty(self) -> str:
        """Return the first page of a server that nobody has joined yet."""
        lists = {**self._lists(), "running": [], "finished": [], "found": 0}
        links = {**lists.pop("links"), "stream": "", "boards": {}}
        return self._rendered(
            "lobby.html",
            search=GameSearch(),
            powers=[],
            endings=[],
            tournaments=[],
            indexing="",
            links=links,
            **lists,
        )

    def _bot(self) -> str:
        powers = [
            {"power": power.id, "games": 6, "solos": 1, "draws": 2, "survived": 2}
            | {"eliminated": 1, "centres": 6.25, "score": 0.21}
            for power in self.view.powers
        ]
        rival = {"name": "Dumb", "games": 9, "own_score": 0.1, "score": 0.3}
        figures = {"refused": 3, "syntax_errors": 0, "late": 1, "think": 0.25}
        bot = {"name": "Rand", "versions": ["1.0", "1.1"], "games": 42, "seats": 84}
        bot |= {"latest": 42}
        bot |= {"powers": powers, "opponents": [rival], **figures}
        return self._rendered("bot.html", bot=bot, **self._lists())

    def _tournament(self) -> str:
        view = cup_view(tuple(power.title for power in self.view.powers))
        lists = self._lists()
        context = tournament_context(view, Links("/"), shows_logs=True)
        lists["running"] = [
            msgspec.structs.replace(each, id="cup-000313") for each in self._running()
        ]
        return self._rendered("tournament.html", **context | lists)

    def _rendered(self, template: str, /, **context: object) -> str:
        return self._templates.get_template(template).render(
            site="daide-server",
            home="/",
            static=lambda file: f"/static/{file}",
            **context,
        )

    def _choices(self, query: str) -> bytes:
        asked = parse_qs(query)
        found = choices_view(self.record, asked["turn"][0], asked["unit"][0])
        return msgspec.json.encode(found)
