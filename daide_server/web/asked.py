"""What a request for a page or for JSON asks for, from its path and its query."""

from starlette.requests import Request

from daide_server.library.record_index import BotSummary, GameSearch
from daide_server.tournament.report.tournament_views import TournamentView

from .shown_games import NotThereError, ShownGames
from .tournaments import ShownTournaments

MAX_TEXT = 300
"""Characters of a parameter that are read."""
MAX_PAGES = 1_000_000
"""The highest number of a page that is read."""
MAX_YEAR_DIGITS = 5
"""A longer number is no year of a game."""


def text(request: Request, name: str) -> str:
    """Return a parameter of the query; empty if it is missing."""
    return request.query_params.get(name, "")[:MAX_TEXT]


def search(request: Request) -> GameSearch:
    """Return the search in a query; an invalid year is ignored."""
    year = text(request, "year")
    return GameSearch(
        bot=text(request, "bot"),
        power=text(request, "power"),
        result=text(request, "result"),
        same_as=text(request, "same_as"),
        year=int(year) if year.isdecimal() and len(year) <= MAX_YEAR_DIGITS else None,
    )


def page(request: Request) -> int:
    """Return the number of the requested page of a list."""
    number = request.query_params.get("page", "")
    is_number = number.isdecimal() and len(number) <= len(str(MAX_PAGES))
    return min(int(number), MAX_PAGES) if is_number else 1


async def tournament(tournaments: ShownTournaments, request: Request) -> TournamentView:
    """Return the requested tournament. Raises `NotThereError`."""
    number: str = request.path_params["number"]
    shown = tournaments.get(number)
    found = None if shown is None else await shown.view()
    if found is None:
        raise NotThereError(f"no tournament {number!r}")
    return found


async def bot(games: ShownGames, request: Request) -> BotSummary:
    """Return what is known about the requested bot. Raises `NotThereError`.

    The name is in the query if no path can have it, and on later pages of a search.
    """
    path: str = request.path_params["name"]
    query = text(request, "name") or text(request, "bot")
    name = path[:MAX_TEXT] or query
    found = await games.ask(games.index.bot, name)
    if found is None:
        raise NotThereError(f"no finished game of a bot called {name!r}")
    return found
