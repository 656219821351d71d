"""The application: all addresses of the page, behind one guard.

The guard does what all requests need: only reading, a known host, headers, errors. An
exception affects one answer only.
"""

import time
from collections.abc import Callable, Collection
from functools import partial
from ipaddress import ip_address
from pathlib import Path

import msgspec
import trio
from attrs import frozen
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daide_server.server.event_metrics import program_registry
from daide_server.server.settings import ServerSettings, WebSettings

from .api import Api
from .assets import JSON
from .metrics import ServerState, WebMetrics
from .pages import Pages
from .shown_games import ShownGames
from .tournaments import ShownTournaments

MAX_HEAD = 16_000
"""Maximum bytes of the head of a request."""
METHODS = frozenset({"GET", "HEAD"})
ANY_NAME = frozenset({"/healthz", "/readyz", "/metrics"})
"""The addresses that answer whatever the host of the request is."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'"
)


def security_headers(settings: WebSettings) -> dict[str, str]:
    """Return the headers of every answer; an answer may have a stricter policy."""
    frames = " ".join(settings.frame_ancestors) or "'none'"
    return {
        "content-security-policy": f"{POLICY}; frame-ancestors {frames}",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
    }


def known_hosts(settings: WebSettings) -> frozenset[str]:
    """Return the host names of the page; IP addresses are always allowed."""
    bound = (each[0] for each in (settings.address, settings.metrics) if each)
    return frozenset(each.lower() for each in ("localhost", *bound, *settings.hosts))


def is_known(host: str, known: Collection[str]) -> bool:
    """Return whether the Host of a request, HOST[:PORT], is that of the page.

    Otherwise a page of another site, whose name resolves to here, could read this one.
    """
    name, colon, port = host.rpartition(":")
    name = (name if colon and port.isdecimal() else host).lower().rstrip(".")
    if not {name, "*"}.isdisjoint(known) or name.endswith(".localhost"):
        return True
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return not name
    return True


@frozen
class Guard:
    """Passes a request to an application if it is allowed."""

    app: ASGIApp
    metrics: WebMetrics
    headers: dict[str, str]
    hosts: Collection[str]
    """The allowed host names."""
    failed: Callable[[Exception], None]
    """Called with exceptions caused by bugs."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or handle the start and end of the server."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, has_begun = time.perf_counter(), False

        async def send_on(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                found = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    found.setdefault(name, value)
                seconds = time.perf_counter() - began
                self.metrics.note_answer(message["status"], seconds)
            await send(message)

        try:
            await (self._refusal(scope) or self.app)(scope, receive, send_on)
        except (Exception, ExceptionGroup) as error:  # noqa: BLE001 (whatever it is)
            self.failed(error)
            if not has_begun:
                response = PlainTextResponse("500: an error of the server\n", 500)
                await response(scope, receive, send_on)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return why the request is refused."""
        if head_bytes(scope) > MAX_HEAD:
            return PlainTextResponse("431: the head of the request is too large\n", 431)
        if scope["method"] not in METHODS:
            allow = {"allow": ", ".join(sorted(METHODS))}
            return PlainTextResponse("405: the page is read-only\n", 405, allow)
        host = Headers(scope=scope).get("host", "")
        if scope["path"] in ANY_NAME or is_known(host, self.hosts):
            return None
        reason = "421: the page has another name; add this one to hosts in [web]\n"
        return PlainTextResponse(reason, 421)


def head_bytes(scope: Scope) -> int:
    """Return the approximate size of the head of a request, whose lines are parsed.

    A head that arrives in one piece is read completely, however long it is.
    """
    line = len(scope["method"]) + len(scope["raw_path"]) + len(scope["query_string"])
    return line + sum(len(name) + len(value) for name, value in scope["headers"])


def applications(
    settings: ServerSettings,
    games: ShownGames,
    tournaments: ShownTournaments,
    control: Path | None,
    failed: Callable[[Exception], None],
) -> tuple[ASGIApp, ASGIApp]:
    """Return the page as an ASGI application, and another one with its metrics only.

    *control* is the folder of a server's control socket, if there is one; *failed* is
    called with unexpected exceptions.
    """
    web = settings.web
    spectators = trio.CapacityLimiter(web.spectators)
    # A server has counted its own process and program.
    registry = program_registry() if control is None else CollectorRegistry()
    metrics = WebMetrics(registry)
    pages = Pages(games, tournaments, shows_logs=web.logs)
    api = Api(games, tournaments, spectators, metrics, ServerState(control))
    routes = [*pages.routes(), *api.routes()]
    elsewhere = "" if web.metrics is None else "/metrics"
    headers, hosts = security_headers(web), known_hosts(web)

    def guarded(found: list[Route]) -> ASGIApp:
        handlers = {HTTPException: partial(_problem, pages)}
        app = Starlette(routes=found, exception_handlers=handlers)
        # It would redirect to addresses that are wrong behind a proxy.
        app.router.redirect_slashes = False
        return Guard(app, metrics, headers, hosts, failed)

    return (
        guarded([each for each in routes if each.path != elsewhere]),
        guarded([each for each in routes if each.path in ANY_NAME]),
    )


async def _problem(pages: Pages, request: Request, error: Exception) -> Response:
    """Return an error: JSON for programs, a page for people."""
    assert isinstance(error, HTTPException)
    status, reason = error.status_code, error.detail
    if request.url.path.startswith("/api/"):
        body = msgspec.json.encode({"error": reason})
        return Response(body, status, media_type=JSON)
    return pages.problem(request, status, reason)
