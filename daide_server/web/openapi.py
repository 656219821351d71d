"""The OpenAPI document of the page for programs (OpenAPI Specification 3.1)."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from attrs import frozen

from daide_server import __version__
from daide_server.formats.registry import FORMATS
from daide_server.reports.board_views import BoardView
from daide_server.reports.views import (
    ChoicesView,
    GameSummary,
    GameView,
    PressView,
    PromiseView,
    StatusView,
    TurnView,
)
from daide_server.running.tournament_views import TournamentCard, TournamentView
from daide_server.storage.record_index import BotSummary


class GamesAnswer(msgspec.Struct, frozen=True):
    """A page of finished games, the latest first, and all that are running."""

    running: tuple[GameSummary, ...]
    games: tuple[GameSummary, ...]
    total: int
    page: int
    """From 1; a page has 50 games."""
    pages: int
    indexed: int
    """Record files that have been looked at so far, of `files`."""
    files: int


@frozen
class Operation:
    """What one address answers."""

    path: str
    summary: str
    answer: Any | None
    """The type of its JSON; `None` for something else."""
    media: str = "application/json"
    query: tuple[str, ...] = ()


OPERATIONS: Final = (
    Operation(
        "/api/games",
        "Finished games, 50 a page, and all running ones.",
        GamesAnswer,
        query=("bot", "power", "result", "year", "same_as", "page"),
    ),
    Operation("/api/games/{game}", "A game with all its turns.", GameView),
    Operation("/api/games/{game}/status", "What a running game waits for.", StatusView),
    Operation(
        "/api/games/{game}/choices",
        "What a unit could have been ordered in a turn.",
        ChoicesView,
        query=("turn", "unit"),
    ),
    Operation(
        "/api/games/{game}/events",
        "A running game as server-sent events: reset, turn, open, status, press, "
        "promises, end.",
        None,
        "text/event-stream",
    ),
    Operation(
        "/api/events",
        "All running games as server-sent events: games, lists of GameSummary.",
        None,
        "text/event-stream",
        query=("game",),
    ),
    Operation(
        "/api/games/{game}/pictures/{turn}.svg",
        "A turn as a picture; its id is such as F1905M.",
        None,
        "image/svg+xml",
    ),
    Operation(
        "/api/games/{game}/files/{format}",
        f"The record as a file: {', '.join(FORMATS)}.",
        None,
        "application/octet-stream",
    ),
    Operation(
        "/api/boards/{board}",
        "Where provinces and units are on a board. BOARD.svg is its picture without "
        "units, BOARD.css its colours.",
        BoardView,
    ),
    Operation("/api/bots/{name}", "What is known of a bot.", BotSummary),
    Operation("/api/tournaments", "All tournaments.", tuple[TournamentCard, ...]),
    Operation(
        "/api/tournaments/{number}",
        "A tournament: its table, pairs of bots, forfeits and void games.",
        TournamentView,
    ),
    Operation("/healthz", "The server answers.", None, "text/plain"),
    Operation("/readyz", "Players can be taken now; else 503.", None, "text/plain"),
    Operation("/metrics", "Counters for Prometheus.", None, "text/plain"),
)
"""All addresses for programs; a test compares them with the routes."""

EVENT_TYPES: Final = (
    *(GameView, TurnView, StatusView, PressView, PromiseView, GameSummary),
)
REFERENCES: Final = "#/components/schemas/{name}"


@cache
def openapi_document() -> bytes:
    """Return the document as JSON."""
    types = [each.answer for each in OPERATIONS if each.answer is not None]
    schemas, components = msgspec.json.schema_components(
        [*types, *EVENT_TYPES], ref_template=REFERENCES
    )
    by_type = dict(zip(types, schemas, strict=False))
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "daide-server",
            "version": __version__,
            "description": "Running and finished games, read-only.",
        },
        "paths": {each.path: {"get": _operation(each, by_type)} for each in OPERATIONS},
        "components": {"schemas": components},
    }
    return msgspec.json.encode(document)


def _operation(
    operation: Operation, schemas: Mapping[Any, dict[str, Any]]
) -> dict[str, Any]:
    kind = operation.answer
    schema = {"type": "string"} if kind is None else schemas[kind]
    return {
        "summary": operation.summary,
        "parameters": [
            *(_parameter(name, "path") for name in _names(operation.path)),
            *(_parameter(name, "query") for name in operation.query),
        ],
        "responses": {
            "200": {
                "description": "What is asked for.",
                "content": {operation.media: {"schema": schema}},
            },
            "404": {"description": "There is no such thing."},
            "429": {"description": "Too many requests; Retry-After says when."},
            "503": {"description": "Not at the moment."},
        },
    }


def _names(path: str) -> list[str]:
    return [part.partition("}")[0] for part in path.split("{")[1:]]


def _parameter(name: str, place: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "schema": {"type": "string"},
    }
