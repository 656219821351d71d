"""What the page of a game is filled with: its views, and all addresses.

For those without scripts, also what it says of powers and orders at a turn.
"""

import gzip
from collections import Counter, OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec
import trio
from attrs import frozen

from daide_server.formats.registry import FORMATS
from daide_server.reports.views import (
    ConductView,
    GameView,
    OrderView,
    PlaceView,
    PowerView,
    PressView,
    PromiseView,
    TurnView,
)
from daide_server.storage.record_index import IndexedGame

from .board_parts import BoardParts
from .boards import BoardPart
from .library import Library, NotThereError
from .lists import Links

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


MAX_PRESS: Final = 400
"""Messages that the page shows at the same time, as `static/press.js` does."""


@frozen
class PowerAtTurn:
    """A power at a turn: its centres, their change since last year, its player."""

    power: PowerView
    centres: int
    change: str
    conduct: str
    is_gone: bool
    place: PlaceView | None
    """How it ended, at the end of the game."""


def is_final(game: GameView, turn: TurnView) -> bool:
    """Return whether the game is over after *turn*."""
    played = [each.id for each in game.turns if not each.open]
    return bool(game.ending) and (turn.open or played[-1:] == [turn.id])


def power_rows(game: GameView, turn: TurnView) -> Sequence[PowerAtTurn]:
    """Return a row for each power of *game* after *turn*, at the end best first."""
    places = {each.power: each for each in game.places} if is_final(game, turn) else {}
    counts = centres_after(turn)
    before = _last_year(game, turn)
    alive = {unit.power for unit in turn.units}
    powers = {power.id: power for power in game.powers}
    return [
        PowerAtTurn(
            power=power,
            centres=counts[power.id],
            change=_signed(counts[power.id] - before.get(power.id, 0)),
            conduct=turn.players.get(power.id, ConductView()).words,
            is_gone=not counts[power.id] and power.id not in alive,
            place=places.get(power.id),
        )
        for power in (powers[each] for each in places or powers)
    ]


def orders_by_power(
    game: GameView, turn: TurnView
) -> Sequence[tuple[PowerView, Sequence[OrderView]]]:
    """Return the orders of each power that gave any, in the order of the powers."""
    found = [
        (power, [order for order in turn.orders if order.power == power.id])
        for power in game.powers
    ]
    return [(power, orders) for power, orders in found if orders]


@frozen
class SaidInTurn:
    """What was said in a turn (`None`: after the end), with what became of it."""

    turn: TurnView | None
    said: Sequence[tuple[PressView, Sequence[tuple[PromiseView, str]]]]
    """Messages with the promises that they made, and the verdict on each in words."""


def press_by_turn(game: GameView, turn: TurnView) -> Sequence[SaidInTurn]:
    """Return what was said up to *turn*, the turn itself first; the latest messages."""
    titles = {power.id: power.title for power in game.powers}
    titles |= {each.id: each.title for each in game.turns}
    promised: dict[int, list[tuple[PromiseView, str]]] = {}
    for promise in game.promises:
        words = f"{titles[promise.power]}: {promise.verdict}"
        words += f" in {titles[promise.decided]}" if promise.decided else ""
        promised.setdefault(promise.message, []).append((promise, words))
    by_turn: dict[str, list[PressView]] = {}
    for said in game.press:
        by_turn.setdefault(said.turn, []).append(said)
    at = [each.id for each in game.turns].index(turn.id)
    order: list[TurnView | None] = [None] if is_final(game, turn) else []
    order += game.turns[at::-1]
    found, left = [], MAX_PRESS
    for shown in order:
        told = by_turn.get("" if shown is None else shown.id, [])[:left]
        left -= len(told)
        if told or shown is turn:
            pairs = [(each, promised.get(each.number, ())) for each in told]
            found.append(SaidInTurn(shown, pairs))
    return found


def centres_after(turn: TurnView) -> Counter[str]:
    """Return the number of centres of each power after *turn*."""
    counts = Counter({power: len(owned) for power, owned in turn.owners.items()})
    for change in turn.after.centres:
        counts[change.before] -= 1
        counts[change.after] += 1
    return counts


def _last_year(game: GameView, turn: TurnView) -> dict[str, int]:
    """Return the centres at the end of the year before that of *turn*."""
    year = int(turn.id[1:-1])
    known = [
        each for each in game.years if each.year == "start" or int(each.year) < year
    ]
    return known[-1].centres if known else {}


def _signed(change: int) -> str:
    return "" if change == 0 else f"+{change}" if change > 0 else f"\u2212{-change}"
