"""The page for people: templates filled with views, for readers without scripts too.

Templates are filled in threads, so that followers need not wait.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

import trio
from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from daide_server import __version__
from daide_server.app.service_settings import WebSettings
from daide_server.running.tournament_views import ShownTournaments, TournamentCard
from daide_server.storage.record_index import GameSearch

from .api import Endpoint, asked, bot_asked, page_asked, tournament_asked
from .assets import HTML, Assets, answer, asset_answer, download
from .board_parts import BoardParts
from .game_page import GameContext
from .library import Library, NotThereError
from .lists import (
    BoardLinks,
    Links,
    ListedGames,
    bot_context,
    lobby_context,
    running_games,
)
from .tournament_context import TournamentLinks, tournament_context

TEMPLATE_FOLDER: Final = Path(__file__).with_name("templates")
SITE_NAME: Final = "daide-server"


def template_environment() -> Environment:
    """Return the templates, all of which are compiled: the files may be replaced."""
    found = Environment(
        loader=FileSystemLoader(TEMPLATE_FOLDER),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    for name in found.list_templates(extensions=["html", "svg"]):
        found.get_template(name)
    return found


@frozen
class PageParts:
    """What the pages are made of."""

    settings: WebSettings
    library: Library
    boards: BoardParts
    tournaments: ShownTournaments


class Pages:
    """The answers for people."""

    def __init__(self, parts: PageParts) -> None:
        library, boards = parts.library, parts.boards
        self._settings: Final = parts.settings
        self._library: Final = library
        self._tournaments: Final = parts.tournaments
        self._assets: Final = Assets.read()
        self._templates: Final = template_environment()
        self._games: Final = GameContext(library, boards)
        self._boards: Final = BoardLinks(boards)

    def routes(self) -> list[Route]:
        """Return the routes."""
        found: Mapping[str, Endpoint] = {
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
        wanted = asked(request)
        found = await self._library.search(wanted, page_asked(request))
        listed, links = ListedGames(found, wanted), Links.of(request)
        context = await lobby_context(self._library, self._boards, listed, links)
        context["tournaments"] = await self._cards(links)
        return await self._page(request, "lobby.html", context)

    async def tournaments(self, request: Request) -> Response:
        """Return the list of tournaments."""
        cards = await self._cards(Links.of(request))
        return await self._page(request, "tournaments.html", {"tournaments": cards})

    async def _cards(self, links: Links) -> list[tuple[TournamentCard, str]]:
        """Return all tournaments with their addresses."""
        cards = await self._tournaments.cards()
        return [(card, links.tournament(card.number)) for card in cards]

    async def tournament(self, request: Request) -> Response:
        """Return the page of a tournament."""
        links = Links.of(request)
        page = await tournament_asked(self._tournaments, request)
        wanted = GameSearch(folder=str(page.records))
        found = await self._library.search(wanted, page_asked(request))
        listed = ListedGames(found, wanted)
        view = page.view
        await self._library.running.refresh()
        to = TournamentLinks(
            view.number,
            links,
            shows_logs=self._settings.logs,
            bots=await self._library.names_in_records(view),
        )
        context = tournament_context(
            view, running_games(self._library.running), listed, to
        )
        boards = (*context["running"], *context["finished"])
        context["links"]["boards"] = await self._boards.of(boards, links)
        return await self._page(request, "tournament.html", context)

    async def log(self, request: Request) -> Response:
        """Return the log of a bot that failed in a tournament, if that is allowed."""
        number, name = request.path_params["number"], request.path_params["name"]
        found = None
        if self._settings.logs:
            found = await self._tournaments.log(number, name)
        if found is None:
            message = f"no log {name!r}"
            raise NotThereError(message)
        return download(found, "text/plain; charset=utf-8", name)

    async def about(self, request: Request) -> Response:
        """Return what this site is."""
        return await self._page(request, "about.html", {"version": __version__})

    async def bots(self, request: Request) -> Response:
        """Return the list of bots."""
        links = Links.of(request)
        found = [(row, links.bot(row.name)) for row in await self._library.bots()]
        return await self._page(request, "bots.html", {"bots": found})

    async def bot(self, request: Request) -> Response:
        """Return the page of a bot."""
        name, page = bot_asked(request), page_asked(request)
        links = Links.of(request)
        context = await bot_context(self._library, name, page, links)
        boards = await self._boards.of(context["finished"], links)
        context["links"]["boards"] = boards
        return await self._page(request, "bot.html", context)

    async def game(self, request: Request) -> Response:
        """Return the page of a game, at a turn or at the last one."""
        links = Links.of(request)
        game = request.path_params["game"]
        turn = request.path_params.get("turn")
        context = await self._games.find(game, turn, links)
        image = whole_address(request, context["links"]["picture"])
        context["links"]["image"] = image
        return await self._page(request, "game.html", context)

    async def static(self, request: Request) -> Response:
        """Return a script or a style sheet; an old address has the new file."""
        name = request.path_params["name"]
        asset = self._assets.files.get(name)
        if asset is None:
            message = f"no file {name!r}"
            raise NotThereError(message)
        return asset_answer(request, asset)

    async def _page(
        self, request: Request, name: str, context: Mapping[str, Any]
    ) -> Response:
        template = self._templates.get_template(name)
        render = partial(template.render, **self._frame(request), **context)
        text = await trio.to_thread.run_sync(render)
        return answer(request, text.encode(errors="replace"), HTML)

    def _frame(self, request: Request) -> dict[str, Any]:
        """Return the context that every page has."""
        home = Links.of(request).home
        return {
            "site": SITE_NAME,
            "home": home,
            "static": lambda name: home + self._assets.address(name),
        }

    def problem(self, request: Request, status: int, reason: str) -> Response:
        """Return the page of an error."""
        template = self._templates.get_template("error.html")
        context = self._frame(request) | {"status": status, "reason": reason}
        body = template.render(**context).encode(errors="replace")
        return Response(body, status, media_type=HTML)


def whole_address(request: Request, address: str) -> str:
    """Return *address*, relative to the page, as other sites need it.

    The guard has checked the host; a proxy says what it has changed.
    """
    headers, url = request.headers, request.url
    if headers.get("x-forwarded-proto") == "https":
        url = url.replace(scheme="https")
    prefix = headers.get("x-forwarded-prefix", "").rstrip("/")
    path = request.scope["raw_path"].decode("ascii", "replace")
    return urljoin(str(url.replace(path=prefix + path, query="")), address)
