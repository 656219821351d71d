"""The application: all addresses of the page, below one guard."""

from collections.abc import Callable
from typing import Final

import msgspec
from attrs import frozen
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from daide_server.app.service_settings import WebSettings
from daide_server.running.tournament_views import ShownTournaments

from .api import Api
from .assets import JSON
from .guard import Guard, known_hosts, security_headers
from .library import Library, NotNowError, NotThereError
from .metrics import ServerState, WebMetrics
from .pages import PageParts, Pages


@frozen
class SiteParts:
    """What the page is made of."""

    settings: WebSettings
    library: Library
    metrics: WebMetrics
    server: ServerState
    tournaments: ShownTournaments
    failed: Callable[[Exception], None]
    """Called with an unexpected exception."""


class Site:
    """The page as applications of ASGI: all of it, and the metrics alone."""

    def __init__(self, parts: SiteParts) -> None:
        self._parts: Final = parts
        places = parts.settings.spectators
        self._api: Final = Api(parts.library, places, parts.tournaments)
        self._pages: Final = Pages(
            PageParts(
                parts.settings, parts.library, self._api.boards, parts.tournaments
            )
        )

    def app(self) -> ASGIApp:
        """Return the application."""
        routes = [*self._pages.routes(), *self._api.routes(), *self._health()]
        if self._parts.settings.metrics is None:
            routes.append(Route("/metrics", self._metrics))
        return self._guarded(routes)

    def metrics_app(self) -> ASGIApp:
        """Return the application for an address of the metrics alone."""
        return self._guarded([Route("/metrics", self._metrics), *self._health()])

    def _guarded(self, routes: list[Route]) -> ASGIApp:
        handlers = {
            NotThereError: self._not_there,
            NotNowError: self._not_now,
            HTTPException: self._refused,
        }
        app = Starlette(routes=routes, exception_handlers=handlers)
        # It would redirect to addresses that a proxy does not know.
        app.router.redirect_slashes = False
        parts = self._parts
        return Guard(
            app,
            parts.metrics,
            security_headers(parts.settings),
            known_hosts(parts.settings),
            parts.failed,
        )

    def _health(self) -> list[Route]:
        return [Route("/healthz", self._healthy), Route("/readyz", self._ready)]

    async def _healthy(self, request: Request) -> Response:
        """Say whether the server answers."""
        del request
        problem = await self._parts.server.problem()
        status = 200 if problem is None else 503
        text = "ok\n" if problem is None else f"{problem}\n"
        return PlainTextResponse(text, status, {"cache-control": "no-store"})

    async def _ready(self, request: Request) -> Response:
        """Say whether players can be taken now."""
        del request
        reason = await self._parts.server.unready()
        status = 200 if reason is None else 503
        text = "ready\n" if reason is None else f"not ready: {reason}\n"
        return PlainTextResponse(text, status, {"cache-control": "no-store"})

    async def _metrics(self, request: Request) -> Response:
        """Return the counters of the server, and those of the page."""
        del request
        metrics = self._parts.metrics
        metrics.spectators.set(self._api.spectators.borrowed_tokens)
        headers = {"cache-control": "no-store"}
        body = await self._parts.server.metrics() + metrics.text()
        return Response(body, headers=headers, media_type=CONTENT_TYPE_LATEST)

    async def _not_there(self, request: Request, error: Exception) -> Response:
        return await self._problem(request, 404, str(error))

    async def _not_now(self, request: Request, error: Exception) -> Response:
        return await self._problem(request, 503, str(error))

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return await self._problem(request, error.status_code, error.detail)

    async def _problem(self, request: Request, status: int, reason: str) -> Response:
        """Return an error as JSON to programs, as a page to people."""
        if request.url.path.startswith("/api/"):
            body = msgspec.json.encode({"error": reason})
            return Response(body, status, media_type=JSON)
        return self._pages.problem(request, status, reason)
