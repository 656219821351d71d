"""Lists of games, and addresses as the pages write them.

Addresses are relative, so that any prefix may stand before.
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode

from attrs import frozen
from starlette.requests import Request

from daide_server.reports.views import GameSummary
from daide_server.storage.record_index import (
    GameList,
    GameSearch,
    IndexProgress,
)

from .board_parts import BoardParts
from .boards import BoardPart
from .library import Library, NotNowError, NotThereError
from .running_games import RunningGames

UNREACHABLE: frozenset[str] = frozenset({"", ".", ".."})
"""Names that cannot be a part of an address: browsers resolve them as folders."""


@frozen
class Links:
    """The way from one page to the others."""

    home: str
    """The address of the first page from there: `./`, `../` ..."""

    @classmethod
    def of(cls, request: Request) -> "Links":
        """Return the links of the page that is asked for.

        Its depth is that of the address as it was sent: names may have an encoded `/`.
        """
        raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
        return cls("../" * (raw.count(b"/") - 1) or "./")

    def to(self, *parts: str, **query: object) -> str:
        """Return the address of *parts* below the first page."""
        path = "/".join(quote(part, safe="") for part in parts)
        asked = {name: str(value) for name, value in query.items() if value}
        return f"{self.home}{path}{'?' if asked else ''}{urlencode(asked)}"

    def game(self, game: str, turn: str = "") -> str:
        """Return the page of a game, at a turn."""
        return self.to("games", game, turn) if turn else self.to("games", game)

    def bot(self, name: str) -> str:
        """Return the page of a bot."""
        if name in UNREACHABLE:
            return f"{self.home}bots/?{urlencode({'name': name})}"
        return self.to("bots", name)

    def tournament(self, number: str) -> str:
        """Return the page of a tournament."""
        return self.to("tournaments", number)

    def api(self, *parts: str) -> str:
        """Return an address for programs."""
        return self.to("api", *parts)


GAME_PLACE: Final = "{game}"
"""Stands for the id of a game, for templates and scripts to replace."""
BOARDS_SHOWN: Final = 8
"""Boards whose colours one page has."""
RUNNING_SHOWN: Final = 24
"""Running games on one page."""


def when(seconds: float) -> str:
    """Return a time in seconds since 1970 as a date."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):
        # What a record of another program says.
        return ""


def running_games(games: RunningGames) -> list[GameSummary]:
    """Return the running games, those that began last first."""
    cards = [card for card in games.cards.values() if card.running]
    return cards[: -RUNNING_SHOWN - 1 : -1]


@frozen
class ListedGames:
    """A page of finished games, and what was searched for."""

    found: GameList
    wanted: GameSearch

    def context(self, links: Links, *path: str) -> dict[str, Any]:
        """Return what `games_table.html` needs; *path* is that of the page itself."""
        found = self.found
        before = found.page - 1
        after = found.page + 1 if found.page < found.pages else 0
        return {
            "finished": [game.summary for game in found.games],
            "found": found.total,
            "when": when,
            "links": {
                "game": links.home + "games/" + GAME_PLACE,
                "previous_page": self._page(links, path, before),
                "next_page": self._page(links, path, after),
            },
        }

    def _page(self, links: Links, path: Sequence[str], page: int) -> str:
        if not page:
            return ""
        wanted = self.wanted
        return links.to(
            *path,
            bot=wanted.bot,
            power=wanted.power,
            result=wanted.result,
            year=wanted.year,
            same_as=wanted.same_as,
            page=page,
        )


class BoardLinks:
    """The addresses of the boards of a list."""

    def __init__(self, boards: BoardParts) -> None:
        self._boards: Final = boards

    async def of(
        self, games: Iterable[GameSummary], links: Links
    ) -> dict[str, dict[str, str]]:
        """Return the addresses of the boards of *games*, by name.

        A board that cannot be drawn any more is left out.
        """
        names = list(dict.fromkeys(game.board for game in games))
        found: dict[str, dict[str, str]] = {}
        for name in names[:BOARDS_SHOWN]:
            try:
                found[name] = await self._parts(name, links)
            except (NotThereError, NotNowError):
                continue
        return found

    async def _parts(self, name: str, links: Links) -> dict[str, str]:
        parts = {
            "style": BoardPart.STYLE,
            "outline": BoardPart.PICTURE,
            "places": BoardPart.PLACES,
        }
        return {
            key: links.home + await self._boards.address(name, part)
            for key, part in parts.items()
        }


async def lobby_context(
    library: Library, boards: BoardLinks, listed: ListedGames, links: Links
) -> dict[str, Any]:
    """Return what `lobby.html` needs, but for tournaments."""
    await library.running.refresh()
    running = running_games(library.running)
    context = listed.context(links)
    wanted, progress = listed.wanted, await library.progress()
    finished = context["finished"]
    context["links"] |= {
        "stream": links.api("events"),
        "boards": await boards.of((*running, *finished), links),
    }
    return context | {
        "running": running,
        "search": {
            "bot": wanted.bot,
            "power": wanted.power,
            "result": wanted.result,
            "year": "" if wanted.year is None else wanted.year,
        },
        "powers": await library.powers(),
        "endings": await library.endings(),
        "indexing": indexing(progress),
    }


def indexing(progress: IndexProgress) -> str:
    """Return how far the index is in words; nothing if it is complete."""
    if not progress.is_known:
        return "looking for record files"
    read = f"{progress.done} of {progress.total} record files read"
    return "" if progress.is_complete else read


async def bot_context(
    library: Library, name: str, page: int, links: Links
) -> dict[str, Any]:
    """Return what `bot.html` needs. Raises `NotThereError`."""
    bot = await library.bot(name)
    wanted = GameSearch(bot=name)
    listed = ListedGames(await library.search(wanted, page), wanted)
    context = listed.context(links, "bots", name)
    context["links"]["bots"] = {
        each.name: links.bot(each.name) for each in bot.opponents
    }
    return context | {"bot": bot}
