"""What the page of a game says of its powers and orders at a turn, without scripts."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import frozen

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

MAX_PRESS: Final = 400
"""Messages that the page shows at the same time, as `static/press.js` does."""
SLOW: Final = 1.0
"""Seconds of thinking from which the page mentions them."""
SHORT: Final = 10.0
"""Seconds that are written with a decimal."""


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
            conduct=_conduct(turn.players.get(power.id, ConductView())),
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


def _conduct(player: ConductView) -> str:
    """Return what a player did badly, in words."""
    words = []
    if player.silent:
        words.append("silent")
    elif player.late:
        words.append(f"{player.late} late")
    if player.refused:
        words.append(f"{player.refused} refused")
    if player.syntax_errors:
        words.append(f"{player.syntax_errors} HUH")
    if player.think_longest is not None and player.think_longest >= SLOW:
        words.append(_seconds(player.think_longest))
    return ", ".join(words)


def _seconds(time: float) -> str:
    """Return a time as `static/panels.js` writes it."""
    return f"{time:.1f} s" if time < SHORT else f"{time:.0f} s"
