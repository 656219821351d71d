"""The parts of formulas: points for each power, scaled and added.

A formula makes points of a result. Every power has some, the eliminated too.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import lcm

from daide_server.board.names import Power

from .game_result import GameResult, Points, Ranking, shared

Formula = Callable[[GameResult], Points]


def each(game: GameResult, worth: Callable[[Power], Fraction | int]) -> Points:
    """Return *worth* of every power."""
    return {power: Fraction(worth(power)) for power in game.centres}


def living(game: GameResult, worth: Callable[[Power], Fraction | int]) -> Points:
    """Return *worth* of every power that owns a centre, and nothing for the dead."""
    return each(game, lambda at: worth(at) if game.centres[at] else 0)


def ranked(
    game: GameResult, worth: tuple[int, ...], ranking: Ranking | None = None
) -> Points:
    """Return the worth of the places, ranked by centres unless *ranking* is given."""
    return shared(ranking or game.by_centres, tuple(game.centres), worth)


def added(*parts: Points) -> Points:
    """Return the sum for each power."""
    return {
        power: sum((part[power] for part in parts), Fraction(0)) for power in parts[0]
    }


def scaled(points: Points, total: int) -> Points:
    """Return *points* in the same proportions, with the sum *total*."""
    # With one denominator for all there is one fraction to reduce for each power.
    unit = lcm(*(value.denominator for value in points.values()))
    parts = {
        power: value.numerator * (unit // value.denominator)
        for power, value in points.items()
    }
    whole = sum(parts.values()) or unit
    return {power: Fraction(total * part, whole) for power, part in parts.items()}


def of_hundred(formula: Formula) -> Formula:
    """Return *formula* brought to a sum of 100."""
    return lambda game: scaled(formula(game), 100)


def with_dead(game: GameResult, points: Points, dead: Formula) -> Points:
    """Return *points*, but those of *dead* for the eliminated."""
    consolation = dead(game)
    return each(
        game,
        lambda at: points[at] if game.centres[at] else consolation[at],
    )


def _won(game: GameResult, worth: int, others: Formula | None) -> Points:
    rest = others(game) if others else {}
    return each(game, lambda at: worth if at == game.soloist else rest.get(at, 0))


def won(worth: int, others: Formula | None = None) -> Formula:
    """Return *worth* for the soloist, and the points of *others* for the rest."""
    return partial(_won, worth=worth, others=others)
