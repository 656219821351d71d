"""The page for people: templates filled with views, for readers without scripts too.

Links are relative, so that a proxy may serve the page below any prefix.
"""

from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from .api import Boards
from .library import Library
from .web_settings import WebSettings


class Pages:
    """The answers for people."""

    def __init__(self, settings: WebSettings, library: Library, boards: Boards) -> None:
        self._settings: Final = settings
        self._library: Final = library
        self._boards: Final = boards

    def routes(self) -> list[Route]:
        """Return the routes."""
        return []

    def problem(self, request: Request, status: int, reason: str) -> Response:
        """Return the page of an error."""
        return PlainTextResponse(f"{status}: {reason}\n", status)
