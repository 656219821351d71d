"""What the page of a game says of a turn, also to those without scripts."""

from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Any, Final

from attrs import frozen

from daide_server.reports.curves import Axis, Tick, line_path, spaced
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

from .library import NotThereError

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


def turn_of(view: GameView, wanted: str | None) -> TurnView:
    """Return the turn that is *wanted*, else the last one. Raises `NotThereError`."""
    for turn in reversed(view.turns):
        if wanted in {None, turn.id}:
            return turn
    message = f"no turn {wanted!r} in game {view.id!r}"
    raise NotThereError(message)


def game_context(view: GameView, turn: TurnView, majority: int) -> dict[str, Any]:
    """Return what `game.html` says of a game at *turn*; *majority* wins it."""
    return {
        "game": view,
        "turn": turn,
        "rows": power_rows(view, turn),
        "orders": orders_by_power(view, turn),
        "talk": press_by_turn(view, turn),
        "is_final": is_final(view, turn),
        "majority": majority,
        "chart": centres_chart(view, majority),
        "headline": view.headline,
    }


YEARS_NAMED: Final = 8
"""Years below the chart, about."""


def centres_chart(view: GameView, majority: int) -> dict[str, Any]:
    """Return the centres of each power over the years, as lines with letters.

    Places are in per cent of the chart's width and height.
    """
    counts = {
        power: [year.centres.get(power.id, 0) for year in view.years]
        for power in view.powers
    }
    across = Axis(0, max(1, len(view.years) - 1))
    up = Axis(0, max(majority, *map(max, counts.values())))
    alive = {
        power: 100 - up.at(found[-1]) for power, found in counts.items() if found[-1]
    }
    years = [Tick(across.at(at), year.year) for at, year in enumerate(view.years)]
    return {
        "goal": 100 - up.at(majority),
        "years": years[:: ceil(len(years) / YEARS_NAMED)],
        "lines": [
            (
                power,
                line_path(
                    (across.at(at) / 100, 1 - up.at(count) / 100)
                    for at, count in enumerate(found)
                ),
            )
            for power, found in counts.items()
        ],
        "letters": list(zip(alive, spaced([*alive.values()]), strict=True)),
    }


def is_final(game: GameView, turn: TurnView) -> bool:
    """Return whether the game is over after *turn*."""
    played = [each.id for each in game.turns if not each.open]
    return bool(game.ending) and (turn.open or played[-1:] == [turn.id])


def power_rows(game: GameView, turn: TurnView) -> Sequence[PowerAtTurn]:
    """Return a row for each power of *game* after *turn*, at the end best first."""
    places = {each.power: each for each in game.places} if is_final(game, turn) else {}
    counts = centres_after(turn)
    # What a power had before the first turn of the year.
    first = next(each for each in game.turns if each.id[1:-1] == turn.id[1:-1])
    alive = {unit.power for unit in turn.units}
    powers = {power.id: power for power in game.powers}
    return [
        PowerAtTurn(
            power=power,
            centres=counts[power.id],
            change=_signed(counts[power.id] - len(first.owners.get(power.id, ()))),
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


def _signed(change: int) -> str:
    return "" if change == 0 else f"+{change}" if change > 0 else f"\u2212{-change}"
