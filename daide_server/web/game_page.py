"""What the page of a game says of its powers and orders at a turn, without scripts."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from daide_server.classes import frozen
from daide_server.reports.views import (
    ConductView,
    GameView,
    OrderView,
    PowerView,
    TurnView,
)

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


def power_rows(game: GameView, turn: TurnView) -> Sequence[PowerAtTurn]:
    """Return a row for each power of *game* after *turn*."""
    counts = centres_after(turn)
    before = _last_year(game, turn)
    alive = {unit.power for unit in turn.units}
    return [
        PowerAtTurn(
            power=power,
            centres=counts[power.id],
            change=_signed(counts[power.id] - before.get(power.id, 0)),
            conduct=_conduct(turn.players.get(power.id, ConductView())),
            is_gone=not counts[power.id] and power.id not in alive,
        )
        for power in game.powers
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
