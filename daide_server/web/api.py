"""The page for programs: the same as the pages show, as JSON; see `openapi.py`.

Everything is read-only. What costs a judge's or a writer's work waits for one of the
few threads of the library.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

import msgspec
import trio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from daide_server.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from daide_server.running.tournament_views import ShownTournaments, TournamentPage
from daide_server.storage.record_index import GameSearch

from .assets import (
    ASK_AGAIN,
    FOR_GOOD,
    JSON,
    SVG,
    answer,
    asset_answer,
    download,
    packed_answer,
)
from .board_parts import BoardParts
from .feed import EventStream
from .finished_games import choices_of, file_of, picture_of
from .guard import too_many
from .library import Library, NotThereError
from .openapi import GamesAnswer, openapi_document
from .running_games import FollowedGame

MAX_TEXT_ASKED: Final = 300
MAX_PAGES: Final = 1_000_000


Endpoint = Callable[[Request], Awaitable[Response]]


def asked(request: Request) -> GameSearch:
    """Return what a search form or a program asks for; what is no year is none."""
    query = request.query_params
    year = query.get("year", "")
    return GameSearch(
        bot=query.get("bot", "")[:MAX_TEXT_ASKED],
        power=query.get("power", "")[:MAX_TEXT_ASKED],
        result=query.get("result", "")[:MAX_TEXT_ASKED],
        same_as=query.get("same_as", "")[:MAX_TEXT_ASKED],
        year=int(year) if year.isdecimal() and len(year) < len("100000") else None,
    )


def page_asked(request: Request) -> int:
    """Return the page of a list that is asked for."""
    page = request.query_params.get("page", "")
    is_page = page.isdecimal() and len(page) <= len(str(MAX_PAGES))
    return min(int(page), MAX_PAGES) if is_page else 1


class Api:
    """The answers for programs."""

    def __init__(
        self, library: Library, spectators: int, tournaments: ShownTournaments
    ) -> None:
        self._library: Final = library
        self.spectators: Final = trio.CapacityLimiter(spectators)
        """Those who follow running games."""
        self._tournaments: Final = tournaments
        self.boards: Final = BoardParts(library)

    def routes(self) -> list[Route]:
        """Return the routes, below the address of the page."""
        found: Mapping[str, Endpoint] = {
            "/api/openapi.json": self.description,
            "/api/events": self.all_events,
            "/api/games": self.games,
            "/api/games/{game}": self.game,
            "/api/games/{game}/status": self.status,
            "/api/games/{game}/events": self.events,
            "/api/games/{game}/choices": self.choices,
            "/api/games/{game}/pictures/{turn}.svg": self.picture,
            "/api/games/{game}/files/{format}": self.file,
            "/api/boards/{board}": self.board,
            "/api/bots/{name:path}": self.bot,
            "/api/tournaments": self.tournaments,
            "/api/tournaments/{number}": self.tournament,
        }
        return [Route(path, endpoint) for path, endpoint in found.items()]

    async def description(self, request: Request) -> Response:
        """Return the OpenAPI document."""
        return answer(request, openapi_document(), JSON)

    async def games(self, request: Request) -> Response:
        """Return a page of finished games, and all that are running."""
        found = await self._library.search(asked(request), page_asked(request))
        progress = await self._library.progress()
        await self._library.running.refresh()
        body = GamesAnswer(
            running=tuple(self._library.running.cards.values()),
            games=tuple(each.summary for each in found.games),
            total=found.total,
            page=found.page,
            pages=found.pages,
            indexed=progress.done,
            files=progress.total,
        )
        return answer(request, msgspec.json.encode(body), JSON)

    async def game(self, request: Request) -> Response:
        """Return the view of a game."""
        game = request.path_params["game"]
        running = await self._library.running_game(game)
        if running is not None:
            return answer(request, running.page, JSON)
        view = await self._library.view(await self._library.finished(game))
        return packed_answer(request, view, JSON)

    async def status(self, request: Request) -> Response:
        """Return what a running game waits for."""
        running = await self._running(request.path_params["game"])
        return answer(request, running.status, JSON)

    async def events(self, request: Request) -> Response:
        """Return the stream of a running game."""
        return await self._events(request.path_params["game"])

    async def _events(self, game: str) -> Response:
        running = await self._running(game)
        stream = EventStream(running.channel, "reset", lambda: running.page)
        return self._stream(stream)

    async def _running(self, game: str) -> FollowedGame:
        running = await self._library.running_game(game)
        if running is None:
            message = "the game is not running"
            raise NotThereError(message)
        return running

    async def all_events(self, request: Request) -> Response:
        """Return the stream of all running games, or of the one that is asked for."""
        game = request.query_params.get("game")
        if game is not None:
            return await self._events(game)
        running = self._library.running
        await running.refresh()

        def cards() -> bytes:
            return msgspec.json.encode(list(running.cards.values()))

        return self._stream(EventStream(running.lobby, "games", cards))

    async def choices(self, request: Request) -> Response:
        """Return what a unit could have been ordered."""
        turn = request.query_params.get("turn", "")[:MAX_TEXT_ASKED]
        unit = request.query_params.get("unit", "")[:MAX_TEXT_ASKED]
        return await self._made(request, partial(choices_of, turn=turn, at=unit), JSON)

    async def picture(self, request: Request) -> Response:
        """Return the picture of a turn."""
        turn = request.path_params["turn"][:MAX_TEXT_ASKED]
        return await self._made(request, partial(picture_of, turn=turn), SVG)

    async def file(self, request: Request) -> Response:
        """Return the record of a game in another format, as a file."""
        name = request.path_params["format"]
        if name not in FORMATS:
            message = f"no format {name!r}; there are {', '.join(FORMATS)}"
            raise NotThereError(message)
        game = request.path_params["game"]
        body = await self._library.make(game, partial(file_of, file_format=name))
        suffix = FORMATS[name].suffix
        kind = JSON if suffix == ".json" else "text/plain; charset=utf-8"
        return download(body, kind, f"{game}-{name}{suffix}")

    async def board(self, request: Request) -> Response:
        """Return the places, the picture or the style sheet of a board."""
        asset = await self.boards.find(request.path_params["board"])
        known = request.query_params.get("v") == asset.hash
        return asset_answer(request, asset, FOR_GOOD if known else ASK_AGAIN)

    async def bot(self, request: Request) -> Response:
        """Return what is known of a bot; its name may stand in the query."""
        found = await self._library.bot(bot_asked(request))
        return answer(request, msgspec.json.encode(found), JSON)

    async def tournaments(self, request: Request) -> Response:
        """Return all tournaments."""
        found = await self._tournaments.cards()
        return answer(request, msgspec.json.encode(found), JSON)

    async def tournament(self, request: Request) -> Response:
        """Return a tournament."""
        found = await tournament_asked(self._tournaments, request)
        return answer(request, msgspec.json.encode(found.view), JSON)

    async def _made(
        self, request: Request, work: Callable[[GameRecord], bytes], content_type: str
    ) -> Response:
        body = await self._library.make(request.path_params["game"], work)
        return answer(request, body, content_type)

    def _stream(self, stream: EventStream) -> Response:
        return SpectatorAnswer(stream, self.spectators)


class SpectatorAnswer(Response):
    """A stream, if there is a place for its spectator as long as it is read."""

    def __init__(self, stream: EventStream, places: trio.CapacityLimiter) -> None:
        self._stream: Final = stream
        self._places: Final = places

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            self._places.acquire_on_behalf_of_nowait(self)
        except trio.WouldBlock:
            await too_many()(scope, receive, send)
            return
        try:
            await self._stream(scope, receive, send)
        finally:
            self._places.release_on_behalf_of(self)


async def tournament_asked(
    tournaments: ShownTournaments, request: Request
) -> TournamentPage:
    """Return the tournament that is asked for. Raises `NotThereError`."""
    number: str = request.path_params["number"]
    found = await tournaments.page(number)
    if found is None:
        message = f"no tournament {number!r}"
        raise NotThereError(message)
    return found


def bot_asked(request: Request) -> str:
    """Return the name of a bot, from the path or, if that cannot have it, the query."""
    name: str = request.path_params["name"] or request.query_params.get("name", "")
    return name[:MAX_TEXT_ASKED]
