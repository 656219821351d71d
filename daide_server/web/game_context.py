"""What the template of a game is filled with: its views, and all addresses."""

import gzip
from collections import OrderedDict
from functools import partial
from typing import Any, Final

import msgspec
import trio

from daide_server.formats.registry import FORMATS
from daide_server.reports.views import GameView, TurnView
from daide_server.storage.record_index import IndexedGame

from .board_parts import BoardParts
from .boards import BoardPart
from .game_page import is_final, orders_by_power, power_rows, press_by_turn
from .library import Library, NotThereError
from .page_links import Links

GAMES_DECODED: Final = 32
"""Games whose views are kept as values."""
GAME_VIEWS: Final = msgspec.json.Decoder(GameView)
TURN_PLACE: Final = "{turn}"
"""Stands for the id of a turn, for the script to replace."""


class GameContext:
    """Finds games, and fills in what their pages need."""

    def __init__(self, library: Library, boards: BoardParts) -> None:
        self._library: Final = library
        self._boards: Final = boards
        self._decoded: Final[OrderedDict[str, tuple[bytes, GameView]]] = OrderedDict()

    async def find(self, game: str, turn: str | None, links: Links) -> dict[str, Any]:
        """Return the context of a game at a turn, or at its last one.

        Raises `NotThereError`.
        """
        running = await self._library.running_game(game)
        finished = None
        if running is not None:
            data, is_packed = running.page, False
        else:
            finished = await self._library.finished(game)
            data, is_packed = await self._library.view(finished), True
        view = await self._decode(game, data, is_packed=is_packed)
        shown = _turn(view, turn)
        found = await self._links(view, shown, links)
        found |= await self._neighbours(finished, links)
        found["stream"] = links.api("games", game, "events") if view.running else ""
        return {
            "game": view,
            "turn": shown,
            "rows": power_rows(view, shown),
            "orders": orders_by_power(view, shown),
            "talk": press_by_turn(view, shown),
            "is_final": is_final(view, shown),
            "headline": view.headline if turn is None else shown.headline,
            "majority": await self._boards.majority(view.board),
            "links": found,
        }

    async def _decode(self, game: str, data: bytes, *, is_packed: bool) -> GameView:
        known = self._decoded.pop(game, None)
        if known is None or (known[0] is not data and known[0] != data):
            decode = partial(_decoded, data, is_packed=is_packed)
            known = (data, await trio.to_thread.run_sync(decode))
        self._decoded[game] = known
        if len(self._decoded) > GAMES_DECODED:
            self._decoded.popitem(last=False)
        return known[1]

    async def _links(
        self, view: GameView, turn: TurnView, links: Links
    ) -> dict[str, Any]:
        ids = [each.id for each in view.turns]
        at = ids.index(turn.id)
        return {
            "style": await self._board(view, BoardPart.STYLE, links),
            "outline": await self._board(view, BoardPart.PICTURE, links),
            "board": await self._board(view, BoardPart.PLACES, links),
            "game": links.api("games", view.id),
            "choices": links.api("games", view.id, "choices"),
            "picture": links.api("games", view.id, "pictures", f"{turn.id}.svg"),
            "turn": links.game(view.id) + "/" + TURN_PLACE,
            "first": links.game(view.id, ids[0]) if at else "",
            "previous": links.game(view.id, ids[at - 1]) if at else "",
            "next": links.game(view.id, ids[at + 1]) if at + 1 < len(ids) else "",
            "last": links.game(view.id, ids[-1]) if at + 1 < len(ids) else "",
            "bots": {
                power.id: links.bot(power.name) for power in view.powers if power.name
            },
            "downloads": [
                (name, links.api("games", view.id, "files", name)) for name in FORMATS
            ],
        }

    async def _board(self, view: GameView, part: BoardPart, links: Links) -> str:
        return links.home + await self._boards.address(view.board, part)

    async def _neighbours(
        self, game: IndexedGame | None, links: Links
    ) -> dict[str, str]:
        """Return the links from a finished game to others."""
        if game is None:
            return {"next_game": "", "same_bots": ""}
        later = await self._library.next_game(game)
        return {
            "next_game": "" if later is None else links.game(later),
            "same_bots": links.to(same_as=game.id),
        }


def _decoded(data: bytes, *, is_packed: bool) -> GameView:
    return GAME_VIEWS.decode(gzip.decompress(data) if is_packed else data)


def _turn(view: GameView, wanted: str | None) -> TurnView:
    if wanted is None:
        return view.turns[-1]
    for turn in view.turns:
        if turn.id == wanted:
            return turn
    message = f"no turn {wanted!r} in game {view.id!r}"
    raise NotThereError(message)
