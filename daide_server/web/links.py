"""Addresses as the pages write them: relative, so that any prefix may stand before."""

from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode, urljoin

from attrs import frozen
from starlette.requests import Request

from daide_server.formats.registry import FORMATS
from daide_server.reports.views import GameView, TurnView

UNREACHABLE: frozenset[str] = frozenset({"", ".", ".."})
"""Names that cannot be a part of an address: browsers resolve them as folders."""
GAME_PLACE: Final = "{game}"
"""Stands for the id of a game, for templates and scripts to replace."""
TURN_PLACE: Final = "{turn}"
"""Stands for the id of a turn, for the script to replace."""


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
        return f"{self.home}{path}{query_text(**query)}"

    def bot(self, name: str) -> str:
        """Return the page of a bot."""
        if name in UNREACHABLE:
            return f"{self.home}bots/?{urlencode({'name': name})}"
        return self.to("bots", name)

    def of_game(self, view: GameView, turn: TurnView) -> dict[str, Any]:
        """Return the links of the page of a game at *turn*, but those of its board."""
        api = partial(self.to, "api", "games", view.id)
        ids = [each.id for each in view.turns]
        at = ids.index(turn.id)

        def turn_at(index: int) -> str:
            is_other = index != at and 0 <= index < len(ids)
            return self.to("games", view.id, ids[index]) if is_other else ""

        return {
            "game": api(),
            "choices": api("choices"),
            "picture": api("pictures", f"{turn.id}.svg"),
            "stream": api("events") if view.running else "",
            "turn": self.to("games", view.id) + "/" + TURN_PLACE,
            "first": turn_at(0),
            "previous": turn_at(at - 1),
            "next": turn_at(at + 1),
            "last": turn_at(len(ids) - 1),
            "bots": {each.id: self.bot(each.name) for each in view.powers if each.name},
            "downloads": [(name, api("files", name)) for name in FORMATS],
        }


def query_text(**query: object) -> str:
    """Return the end of an address that asks for what is not empty."""
    asked = {name: str(value) for name, value in query.items() if value}
    return f"?{urlencode(asked)}" if asked else ""


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
