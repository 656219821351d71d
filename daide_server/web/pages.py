"""The page for people: templates filled with views, readable without scripts too.

Templates are rendered in threads, so that followers need not wait.
"""

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import trio
from attrs import define, field
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from daide_server import __version__
from daide_server.library.record_index import GameSearch
from daide_server.text.views import GameSummary

from . import asked, contexts
from .assets import HTML, TEXT, Assets, answer, download, scripts
from .shown_games import NotThereError, ShownGames
from .tournaments import ShownTournaments, TournamentCard, tournament_cards

SITE_NAME = "daide-server"
RUNNING_SHOWN = 24
"""Running games on one page."""


@cache
def template_environment() -> Environment:
    """Return the templates, all compiled now, because the files may be replaced."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    for name in found.list_templates(extensions=["html", "svg"]):
        found.get_template(name)
    return found


@define(eq=False)
class Pages:
    """The answers for people."""

    _games: ShownGames
    _tournaments: ShownTournaments
    _shows_logs: bool
    """Whether visitors may read the logs of bots that failed."""
    _assets: Assets = field(factory=Assets.read)
    _templates: Environment = field(factory=template_environment)
    _modules: Sequence[str] = field(
        factory=lambda: sorted({*scripts("game")} - {"game"})
    )

    def routes(self) -> list[Route]:
        """Return the routes."""
        found: Mapping[str, Callable[[Request], Awaitable[Response]]] = {
            "/": self.lobby,
            "/about": self.about,
            "/bots": self.bots,
            "/bots/{name:path}": self.bot,
            "/tournaments": self.tournaments,
            "/tournaments/{number}": self.tournament,
            "/tournaments/{number}/logs/{name:path}": self.log,
            "/games/{game}": self.game,
            "/games/{game}/{turn}": self.game,
            "/static/{hash}/{name}": self.static,
        }
        return [Route(path, endpoint) for path, endpoint in found.items()]

    async def lobby(self, request: Request) -> Response:
        """Return the first page: running games, tournaments, finished games."""
        games, wanted = self._games, asked.search(request)
        context = await self._listed(request, wanted, await self._running())
        context |= {
            "tournaments": await self._cards(request),
            "search": wanted,
            "powers": await games.ask(games.index.powers),
            "endings": await games.ask(games.index.endings),
            "indexing": games.index.progress.words,
        }
        return await self._page(request, "lobby.html", context)

    async def _running(self) -> Sequence[GameSummary]:
        await self._games.running.refresh()
        return [card for card in self._games.running.cards.values() if card.running]

    async def _listed(
        self, request: Request, wanted: GameSearch, running: Sequence[GameSummary] = ()
    ) -> dict[str, Any]:
        """Return the data of a page of finished games that match *wanted*.

        Of the *running* games it has those that began last.
        """
        games, links = self._games, contexts.Links.of(request)
        found = await games.ask(games.index.search, wanted, asked.page(request))
        finished = [game.summary for game in found.games]
        running = running[: -RUNNING_SHOWN - 1 : -1]
        boards = (game.board for game in (*running, *finished))
        # The folder is not shown: the address of the page identifies it.
        query = structs.asdict(structs.replace(wanted, folder=""))
        before = found.page - 1
        after = found.page + 1 if found.page < found.pages else 0
        return {
            "running": running,
            "finished": finished,
            "found": found.total,
            "when": when,
            "links": {
                "game": links.home + "games/{game}",
                "previous_page": contexts.query_text(**query, page=before)
                if before
                else "",
                "next_page": contexts.query_text(**query, page=after) if after else "",
                "boards": await games.board_links(boards, links.home),
                "stream": links.to("api", "events"),
            },
        }

    async def tournaments(self, request: Request) -> Response:
        """Return the list of tournaments."""
        context = {"tournaments": await self._cards(request)}
        return await self._page(request, "tournaments.html", context)

    async def _cards(self, request: Request) -> list[tuple[TournamentCard, str]]:
        """Return all tournaments with their addresses."""
        links = contexts.Links.of(request)
        cards = await tournament_cards(self._tournaments)
        return [(card, links.to("tournaments", card.number)) for card in cards]

    async def tournament(self, request: Request) -> Response:
        """Return the page of a tournament."""
        view = await asked.tournament(self._tournaments, request)
        number, links = view.number, contexts.Links.of(request)
        wanted = GameSearch(folder=str(self._tournaments[number].folder.games))
        of_this = re.compile(rf"{re.escape(number)}-\d+").fullmatch
        running = [each for each in await self._running() if of_this(each.id)]
        context = await self._listed(request, wanted, running)
        names = await self._games.names_in_records(view)
        context["links"]["bots"] = {
            name: links.bot(said) for name, said in names.items()
        }
        context |= contexts.tournament_context(view, links, shows_logs=self._shows_logs)
        return await self._page(request, "tournament.html", context)

    async def log(self, request: Request) -> Response:
        """Return the log of a bot that failed in a tournament, if that is allowed."""
        number, name = request.path_params["number"], request.path_params["name"]
        shown = self._tournaments.get(number) if self._shows_logs else None
        found = None if shown is None else await shown.log(name)
        if found is None:
            raise NotThereError(f"no log {name!r}")
        return download(found, TEXT, name)

    async def about(self, request: Request) -> Response:
        """Return the page about this site."""
        return await self._page(request, "about.html", {"version": __version__})

    async def bots(self, request: Request) -> Response:
        """Return the list of bots."""
        games, links = self._games, contexts.Links.of(request)
        rows = await games.ask(games.index.bots)
        found = [(row, links.bot(row.name)) for row in rows]
        return await self._page(request, "bots.html", {"bots": found})

    async def bot(self, request: Request) -> Response:
        """Return the page of a bot."""
        links = contexts.Links.of(request)
        bot = await asked.bot(self._games, request)
        context = await self._listed(request, GameSearch(bot=bot.name))
        context["links"]["bots"] = {
            each.name: links.bot(each.name) for each in bot.opponents
        }
        return await self._page(request, "bot.html", context | {"bot": bot})

    async def game(self, request: Request) -> Response:
        """Return the page of a game, at a turn or at the last one."""
        games, links = self._games, contexts.Links.of(request)
        wanted = request.path_params.get("turn")
        shown = await games.game(request.path_params["game"])
        view, turn = shown.view, contexts.turn_of(shown.view, wanted)
        board = await games.board(view.board)
        found = links.of_game(view, turn) | board.links(links.home)
        found["image"] = contexts.whole_address(request, found["picture"])
        found["next_game"] = found["same_bots"] = ""
        if shown.finished is not None:
            found["same_bots"] = links.to(same_as=view.id)
            later = await games.ask(games.index.next_game, shown.finished)
            found["next_game"] = "" if later is None else links.to("games", later)
        context = contexts.game_context(view, turn, board.majority)
        context["headline"] = turn.headline if wanted else view.headline
        context |= {"links": found, "modules": self._modules}
        return await self._page(request, "game.html", context)

    async def static(self, request: Request) -> Response:
        """Return a script or a style sheet; an old address has the new file."""
        name = request.path_params["name"]
        asset = self._assets.files.get(name)
        if asset is None:
            raise NotThereError(f"no file {name!r}")
        return asset.answer(request)

    async def _page(
        self, request: Request, name: str, context: Mapping[str, Any]
    ) -> Response:
        render = partial(self._rendered, request, name, **context)
        return answer(request, await trio.to_thread.run_sync(render), HTML)

    def problem(self, request: Request, status: int, reason: str) -> Response:
        """Return the page of an error."""
        body = self._rendered(request, "error.html", status=status, reason=reason)
        return Response(body, status, media_type=HTML)

    def _rendered(self, request: Request, name: str, /, **context: object) -> bytes:
        home = contexts.Links.of(request).home
        text = self._templates.get_template(name).render(
            site=SITE_NAME,
            home=home,
            static=lambda file: home + self._assets.address(file),
            **context,
        )
        return text.encode(errors="replace")


def when(seconds: float) -> str:
    """Return a time in seconds since 1970 as a date."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):
        # A record of another program may have any number as its time.
        return ""
