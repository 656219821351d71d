"""What the page needs of boards, made once and kept compressed."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

import msgspec

from daide_server.reports.board_views import BoardView

from .assets import JSON, SVG, Asset, new_asset
from .boards import BoardPart
from .library import Library, NotThereError

MAJORITIES: Final = msgspec.json.Decoder(BoardView)


class BoardParts:
    """The parts of boards, made once."""

    def __init__(self, library: Library) -> None:
        self._library: Final = library
        self._found: Final[dict[str, Asset]] = {}
        self._majorities: Final[dict[str, int]] = {}

    async def find(self, name: str) -> Asset:
        """Return a part of a board by the end of its address, such as `standard.svg`.

        Raises `NotThereError`.
        """
        if name not in self._found:
            board, dot, suffix = name.partition(".")
            kind = BOARD_TYPES.get(dot + suffix)
            if kind is None:
                message = f"no {name!r}"
                raise NotThereError(message)
            body = await self._library.board(board, BoardPart(dot + suffix))
            self._found[name] = new_asset(body, kind)
        return self._found[name]

    async def majority(self, board: str) -> int:
        """Return the number of centres that wins on a board."""
        if board not in self._majorities:
            places = await self.find(board)
            self._majorities[board] = MAJORITIES.decode(places.body).majority
        return self._majorities[board]

    async def address(self, board: str, part: BoardPart) -> str:
        """Return the address of a part, relative to the first page, with its hash."""
        name = f"{board}{part.value}"
        asset = await self.find(name)
        return f"api/boards/{quote(name, safe='')}?v={asset.hash}"


BOARD_TYPES: Final[Mapping[str, str]] = {
    BoardPart.PLACES.value: JSON,
    BoardPart.PICTURE.value: SVG,
    BoardPart.STYLE.value: "text/css; charset=utf-8",
}
