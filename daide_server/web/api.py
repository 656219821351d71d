"""The page for programs: its content as JSON, and the state of the server.

Everything is read-only. Work that adjudicates or writes is done by one of the few
threads of `ShownGames`. `OPERATIONS` lists all addresses; their description
(OpenAPI 3.1) is made from it and from the first sentence of each function's docstring.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from inspect import getdoc
from typing import Any

import msgspec
import trio
from attrs import define, frozen
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from daide_server import __version__
from daide_server.library.record_index import BotSummary
from daide_server.records.formats.registry import FORMATS
from daide_server.records.record import GameRecord
from daide_server.text import views
from daide_server.text.game_views import BoardView
from daide_server.text.views import ChoicesView, GameSummary, GameView, StatusView
from daide_server.tournament.report.tournament_views import TournamentView

from . import asked
from .assets import ASK_AGAIN, FOR_GOOD, JSON, SVG, TEXT, answer, download
from .feed import EventStream
from .finished_games import choices_of, file_of, picture_of
from .metrics import ServerState, WebMetrics
from .running_games import FollowedGame
from .shown_games import NotThereError, ShownGames
from .tournaments import ShownTournaments, TournamentCard, tournament_cards

EVENT_VIEWS = (
    views.GameView,
    views.TurnView,
    views.StatusView,
    views.PressView,
    views.PromiseView,
    views.GameSummary,
)
PATH_PARAMETER = re.compile(r"\{(\w+)\}")
EVENT_STREAM = "text/event-stream"
TOO_MANY = {"description": "Too many requests; Retry-After says when."}


@frozen
class Operation:
    """One address of the API; its endpoint's docstring describes the answer."""

    path: str
    endpoint: Callable[..., Awaitable[Response]]
    answer: Any = None
    """The type of its JSON; `None` if it is not JSON."""
    media: str = JSON
    query: tuple[str, ...] = ()
    note: str = ""
    """A further remark for the description."""


@cache
def openapi_document(operations: Sequence[Operation]) -> bytes:
    """Return the OpenAPI document of *operations* as JSON."""
    types = [each.answer for each in operations if each.answer is not None]
    schemas, components = msgspec.json.schema_components(
        [*types, *EVENT_VIEWS], ref_template="#/components/schemas/{name}"
    )
    of_type = dict(zip(types, schemas, strict=False))
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "daide-server",
            "version": __version__,
            "description": "Running and finished games, read-only.",
        },
        "paths": {
            each.path: {
                "get": _operation(each, of_type.get(each.answer, {"type": "string"}))
            }
            for each in operations
        },
        "components": {"schemas": components},
    }
    return msgspec.json.encode(document)


def _operation(operation: Operation, schema: dict[str, Any]) -> dict[str, Any]:
    words = f"{getdoc(operation.endpoint)} {operation.note}"
    return {
        "summary": " ".join(words.split()),
        "parameters": [
            *(
                _parameter(name, "path")
                for name in PATH_PARAMETER.findall(operation.path)
            ),
            *(_parameter(name, "query") for name in operation.query),
        ],
        "responses": {
            "200": {
                "description": "What is asked for.",
                "content": {operation.media: {"schema": schema}},
            },
            "404": {"description": "There is no such thing."},
            **({"429": TOO_MANY} if operation.media == EVENT_STREAM else {}),
            "503": {"description": "Not at the moment."},
        },
    }


def _parameter(name: str, where: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": where,
        "required": where == "path",
        "schema": {"type": "string"},
    }


class GamesAnswer(msgspec.Struct, frozen=True):
    """A page of finished games, the latest first, and all running games."""

    running: tuple[GameSummary, ...]
    games: tuple[GameSummary, ...]
    total: int
    page: int
    """The number of the page, from 1; a page has 50 games."""
    pages: int
    indexed: int
    """The number of record files that have been indexed so far, of `files`."""
    files: int


@define(eq=False)
class Api:
    """The answers for programs."""

    _games: ShownGames
    _tournaments: ShownTournaments
    _spectators: trio.CapacityLimiter
    """Counts the followers of games."""
    _metrics: WebMetrics
    _server: ServerState

    def routes(self) -> list[Route]:
        """Return the routes, relative to the page."""
        found = [Route("/api/openapi.json", self.description)]
        for each in OPERATIONS:
            path = each.path.replace("{name}", "{name:path}")
            found.append(Route(path, partial(each.endpoint, self)))
        return found

    async def description(self, request: Request) -> Response:
        """Return the OpenAPI document."""
        return answer(request, openapi_document(OPERATIONS), JSON)

    async def games(self, request: Request) -> Response:
        """Return finished games, 50 a page, and all running ones."""
        games = self._games
        page = asked.page(request)
        found = await games.ask(games.index.search, asked.search(request), page)
        await games.running.refresh()
        body = GamesAnswer(
            running=tuple(games.running.cards.values()),
            games=tuple(each.summary for each in found.games),
            total=found.total,
            page=found.page,
            pages=found.pages,
            indexed=games.index.progress.done,
            files=games.index.progress.total,
        )
        return answer(request, msgspec.json.encode(body), JSON)

    async def game(self, request: Request) -> Response:
        """Return a game with all its turns."""
        shown = await self._games.game(request.path_params["game"])
        return answer(request, shown.body, JSON, packed=shown.packed)

    async def status(self, request: Request) -> Response:
        """Return what a running game waits for."""
        running = await self._running(request.path_params["game"])
        return answer(request, running.status, JSON)

    async def choices(self, request: Request) -> Response:
        """Return what a unit could have been ordered in a turn."""
        turn, unit = asked.text(request, "turn"), asked.text(request, "unit")
        return await self._made(request, partial(choices_of, turn=turn, at=unit), JSON)

    async def events(self, request: Request) -> Response:
        """Return a running game as server-sent events.

        They are reset, turn, open, status, press, promises, end.
        """
        return await self._events(request.path_params["game"])

    async def all_events(self, request: Request) -> Response:
        """Return all running games as server-sent events.

        They are games, lists of GameSummary; or those of the one that is asked for.
        """
        game = request.query_params.get("game")
        if game is not None:
            return await self._events(game)
        running = self._games.running
        await running.refresh()

        def cards() -> bytes:
            return msgspec.json.encode(list(running.cards.values()))

        return EventStream(running.lobby, "games", cards, self._spectators)

    async def picture(self, request: Request) -> Response:
        """Return a turn as a picture; its id is such as F1905M."""
        turn = request.path_params["turn"][: asked.MAX_TEXT]
        return await self._made(request, partial(picture_of, turn=turn), SVG)

    async def file(self, request: Request) -> Response:
        """Return the record as a file."""
        name = request.path_params["format"]
        if name not in FORMATS:
            raise NotThereError(f"no format {name!r}; there are {', '.join(FORMATS)}")
        game = request.path_params["game"]
        body = await self._games.make(game, partial(file_of, file_format=name))
        suffix = FORMATS[name].suffix
        return download(
            body, JSON if suffix == ".json" else TEXT, f"{game}-{name}{suffix}"
        )

    async def board(self, request: Request) -> Response:
        """Return where provinces and units are on a board.

        BOARD.svg is its picture without units, BOARD.css its colours.
        """
        name: str = request.path_params["board"]
        board, dot, suffix = name.partition(".")
        asset = (await self._games.board(board)).files.get(dot + suffix)
        if asset is None:
            raise NotThereError(f"no {name!r}")
        known = request.query_params.get("v") == asset.hash
        return asset.answer(request, FOR_GOOD if known else ASK_AGAIN)

    async def bot(self, request: Request) -> Response:
        """Return what is known of a bot; its name may stand in the query."""
        found = await asked.bot(self._games, request)
        return answer(request, msgspec.json.encode(found), JSON)

    async def tournaments(self, request: Request) -> Response:
        """Return all tournaments."""
        found = await tournament_cards(self._tournaments)
        return answer(request, msgspec.json.encode(found), JSON)

    async def tournament(self, request: Request) -> Response:
        """Return a tournament: its table, pairs of bots, forfeits and void games."""
        found = await asked.tournament(self._tournaments, request)
        return answer(request, msgspec.json.encode(found), JSON)

    async def healthy(self, request: Request) -> Response:
        """Return whether the server answers."""
        del request
        problem = await self._server.problem()
        return _state("ok" if problem is None else problem, is_well=problem is None)

    async def ready(self, request: Request) -> Response:
        """Return whether players can be taken now; else the status is 503."""
        del request
        reason = await self._server.unready()
        words = "ready" if reason is None else f"not ready: {reason}"
        return _state(words, is_well=reason is None)

    async def metrics(self, request: Request) -> Response:
        """Return the counters of the server and those of the page, for Prometheus."""
        del request
        self._metrics.spectators.set(self._spectators.borrowed_tokens)
        headers = {"cache-control": "no-store"}
        body = await self._server.metrics() + generate_latest(self._metrics.registry)
        return Response(body, headers=headers, media_type=CONTENT_TYPE_LATEST)

    async def _running(self, game: str) -> FollowedGame:
        running = await self._games.running_game(game)
        if running is None:
            raise NotThereError("the game is not running")
        return running

    async def _events(self, game: str) -> Response:
        running = await self._running(game)
        return EventStream(
            running.channel, "reset", lambda: running.news.shown.body, self._spectators
        )

    async def _made(
        self, request: Request, work: Callable[[GameRecord], bytes], content_type: str
    ) -> Response:
        body = await self._games.make(request.path_params["game"], work)
        return answer(request, body, content_type)


def _state(words: str, *, is_well: bool) -> Response:
    status = 200 if is_well else 503
    return PlainTextResponse(f"{words}\n", status, {"cache-control": "no-store"})


OPERATIONS = (
    Operation(
        "/api/games",
        Api.games,
        GamesAnswer,
        query=("bot", "power", "result", "year", "same_as", "page"),
    ),
    Operation("/api/games/{game}", Api.game, GameView),
    Operation("/api/games/{game}/status", Api.status, StatusView),
    Operation(
        "/api/games/{game}/choices", Api.choices, ChoicesView, query=("turn", "unit")
    ),
    Operation("/api/games/{game}/events", Api.events, media=EVENT_STREAM),
    Operation("/api/events", Api.all_events, media=EVENT_STREAM, query=("game",)),
    Operation("/api/games/{game}/pictures/{turn}.svg", Api.picture, media=SVG),
    Operation(
        "/api/games/{game}/files/{format}",
        Api.file,
        media="application/octet-stream",
        note=f"The formats are {', '.join(FORMATS)}.",
    ),
    Operation("/api/boards/{board}", Api.board, BoardView),
    Operation("/api/bots/{name}", Api.bot, BotSummary),
    Operation("/api/tournaments", Api.tournaments, tuple[TournamentCard, ...]),
    Operation("/api/tournaments/{number}", Api.tournament, TournamentView),
    Operation("/healthz", Api.healthy, media="text/plain"),
    Operation("/readyz", Api.ready, media="text/plain"),
    Operation("/metrics", Api.metrics, media="text/plain"),
)
"""All addresses for programs."""
