"""Addresses as the pages write them: relative, so that any prefix may stand before."""

from urllib.parse import quote, urlencode

from attrs import frozen
from starlette.requests import Request

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
