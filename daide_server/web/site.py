"""The application: all addresses of the page, below one guard."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import trio
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from daide_server.app.event_metrics import program_registry
from daide_server.app.settings import ServerSettings
from daide_server.running.tournament_views import ShownTournaments

from .api import Api
from .assets import JSON
from .guard import ANY_NAME, Guard, known_hosts, security_headers
from .library import Library, NotNowError, NotThereError
from .metrics import ServerState, WebMetrics
from .pages import Pages


def applications(
    settings: ServerSettings,
    library: Library,
    tournaments: ShownTournaments,
    control: Path | None,
    failed: Callable[[Exception], None],
) -> tuple[ASGIApp, ASGIApp]:
    """Return the page as an application of ASGI, and one of its metrics alone.

    *control* is the folder with the control socket of a server, if there is one;
    *failed* is called with unexpected exceptions.
    """
    web = settings.web
    spectators = trio.CapacityLimiter(web.spectators)
    # A server has counted its own process and program.
    registry = program_registry() if control is None else CollectorRegistry()
    metrics = WebMetrics(registry)
    pages = Pages(library, tournaments, shows_logs=web.logs)
    api = Api(library, tournaments, spectators, metrics, ServerState(control))
    routes = [*pages.routes(), *api.routes()]
    elsewhere = "" if web.metrics is None else "/metrics"
    headers, hosts = security_headers(web), known_hosts(web)

    def guarded(found: list[Route]) -> ASGIApp:
        handlers = {
            NotThereError: partial(_problem, pages, 404),
            NotNowError: partial(_problem, pages, 503),
            HTTPException: partial(_problem, pages, 0),
        }
        app = Starlette(routes=found, exception_handlers=handlers)
        # It would redirect to addresses that a proxy does not know.
        app.router.redirect_slashes = False
        return Guard(app, metrics, headers, hosts, failed)

    return (
        guarded([each for each in routes if each.path != elsewhere]),
        guarded([each for each in routes if each.path in ANY_NAME]),
    )


async def _problem(
    pages: Pages, status: int, request: Request, error: Exception
) -> Response:
    """Return an error as JSON to programs, as a page to people."""
    reason = str(error)
    if isinstance(error, HTTPException):
        status, reason = error.status_code, error.detail
    if request.url.path.startswith("/api/"):
        body = msgspec.json.encode({"error": reason})
        return Response(body, status, media_type=JSON)
    return pages.problem(request, status, reason)
