"""The Plackett-Luce model with a term for the power, and its fit by Newton's method.

The places in a game are drawn one after the other, each among the seats that are left,
with a chance in proportion to exp(skill of the bot + strength of the power). Seats
that share a place each count as the first of them (Breslow). A Gaussian prior with
precision 0.01 keeps a bot that always wins finite.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby, repeat
from math import exp, log
from operator import add, mul, sub
from statistics import fmean
from typing import Final

from attrs import field

from daide_server.board.names import Power
from daide_server.classes import frozen

from .figures import GameFigures, SeatFigures

PRIOR_PRECISION: Final = 0.01
"""Of the prior: one over its variance."""
TOLERANCE: Final = 1e-7
"""The fit ends with the step that would add less than this to the logarithm."""
NEWTON_STEPS: Final = 100
SHORTEST_STEP: Final = 1e-3
ROUNDING_LOSS: Final = 1e-7
SAMPLE_GAMES: Final = 1000
"""The curvature is estimated from about that many games, evenly chosen."""

Vector = list[float]
Matrix = list[Vector]


@frozen
class RankedGame:
    """The parameters of each seat (bot, power), best place first, and tie sizes.

    `ties` has for each seat how many share its place: 0 for all but the first of them.
    """

    seats: tuple[tuple[int, int], ...]
    ties: tuple[int, ...]


@frozen
class Model:
    """Parameters are the bots, then the powers; anchors are fixed ones.

    `powers` has the number of each power's parameter.
    """

    bots: int
    powers: Mapping[Power, int]
    anchors: Mapping[int, float] = field(repr=False)

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.bots + len(self.powers)

    @property
    def centre(self) -> Vector:
        """Where the prior is: bots at the mean of the anchors, powers at 0."""
        middle = fmean(self.anchors.values()) if self.anchors else 0.0
        return [middle] * self.bots + [0.0] * len(self.powers)

    @property
    def start(self) -> Vector:
        """Parameters to begin with: the anchors', and the centre of the prior."""
        return [self.anchors.get(at, x) for at, x in enumerate(self.centre)]

    def ranked(self, game: GameFigures) -> RankedGame:
        """Return what of *game* the likelihood needs."""
        order = sorted(game, key=_place)
        return RankedGame(
            tuple((seat.bot, self.powers[seat.power]) for seat in order),
            tuple(
                size
                for _, tied in groupby(order, _place)
                for size in _first_of(len(list(tied)))
            ),
        )


def _first_of(tied: int) -> Iterator[int]:
    yield tied
    yield from repeat(0, tied - 1)


def _place(seat: SeatFigures) -> float:
    return seat.place


@frozen
class Peak:
    """Parameters with the largest likelihood times prior, and the curvature there."""

    at: Vector
    curvature: Matrix


def peak(model: Model, games: Sequence[RankedGame]) -> Peak:
    """Return where likelihood times prior is largest.

    The search among many games begins at the peak of a sample, and keeps its curvature:
    steps are so short from there that it hardly changes.
    """
    sample = _evenly(games)
    is_sampled = len(sample) < len(games)
    at = peak(model, sample).at if is_sampled else model.start
    value, slope = _penalized(model, games, at)
    matrix = _curvature(model, games, at)
    for _ in range(NEWTON_STEPS):
        step = solved(matrix, slope)
        gain = sum(map(mul, slope, step))
        if gain < TOLERANCE:
            return Peak(list(map(add, at, step)), matrix)
        at, value, slope = _better(model, games, (at, value), _limited(step))
        if not is_sampled:
            matrix = _curvature(model, games, at)
    return Peak(at, matrix)


def _evenly(games: Sequence[RankedGame]) -> Sequence[RankedGame]:
    """Return about `SAMPLE_GAMES` of *games*, evenly chosen, or all of fewer."""
    return games[:: max(1, len(games) // SAMPLE_GAMES)]


def _better(
    model: Model,
    games: Sequence[RankedGame],
    start: tuple[Vector, float],
    step: Vector,
) -> tuple[Vector, float, Vector]:
    """Return a point on the way from *start* with a larger value, and its slope.

    The step is halved until it is one, or too short to matter.
    """
    at, value = start
    factor = 1.0
    while True:
        new = [x + factor * s for x, s in zip(at, step, strict=True)]
        new_value, slope = _penalized(model, games, new)
        if new_value >= value - ROUNDING_LOSS or factor < SHORTEST_STEP:
            return new, new_value, slope
        factor /= 2


def _limited(step: Vector) -> Vector:
    """Return *step*, shortened so that no parameter moves by more than one."""
    factor = 1 / max(1.0, *map(abs, step))
    return [factor * each for each in step]


def _penalized(
    model: Model, games: Iterable[RankedGame], at: Vector
) -> tuple[float, Vector]:
    """Return the logarithm of likelihood times prior, and its slope."""
    off = list(map(sub, at, model.centre))
    value = -PRIOR_PRECISION / 2 * sum(x * x for x in off)
    slope = [-PRIOR_PRECISION * x for x in off]
    for game in games:
        value += add_slope(game, at, slope)
    for anchor in model.anchors:
        slope[anchor] = 0.0
    return value, slope


def add_slope(game: RankedGame, at: Vector, slope: Vector) -> float:
    """Add the slope of *game* to *slope*; return its logarithmic likelihood."""
    worths = [at[bot] + at[power] for bot, power in game.seats]
    weights = list(map(exp, worths))
    value, rate = sum(worths), 0.0
    seats = zip(game.seats, weights, _sums_left(weights), game.ties, strict=True)
    for (bot, power), weight, left, ties in seats:
        if ties:
            rate += ties / left
            value -= ties * log(left)
        change = 1 - weight * rate
        slope[bot] += change
        slope[power] += change
    return value


def _sums_left(weights: Vector) -> Vector:
    """Return for each seat the sum of its weight and of those after it."""
    return list(accumulate(reversed(weights)))[::-1]


def _curvature(model: Model, games: Sequence[RankedGame], at: Vector) -> Matrix:
    """Return the negative second derivatives, with 1 on the diagonal for anchors."""
    matrix = [[0.0] * model.size for _ in range(model.size)]
    chosen = _evenly(games)
    for game in chosen:
        _add_curvature(game, at, matrix)
    scale = len(games) / max(1, len(chosen))
    for row, line in enumerate(matrix):
        line[:] = [scale * value for value in line]
        line[row] += PRIOR_PRECISION
    for anchor in model.anchors:
        matrix[anchor] = [0.0] * model.size
        for line in matrix:
            line[anchor] = 0.0
        matrix[anchor][anchor] = 1.0
    return matrix


def _add_curvature(game: RankedGame, at: Vector, matrix: Matrix) -> None:
    """Add the negative second derivatives of *game* to *matrix*.

    The share of a seat at each draw is its weight over the sum of those left; what is
    added is the covariance of the draws.
    """
    weights = [exp(at[bot] + at[power]) for bot, power in game.seats]
    rates, squares = _rates(game, weights)
    for place, (bot, power) in enumerate(game.seats):
        own = weights[place] * rates[place]
        for parameter in (bot, power):
            row = matrix[parameter]
            row[bot] += own
            row[power] += own
            for other, (other_bot, other_power) in enumerate(game.seats):
                both = weights[place] * weights[other] * squares[min(place, other)]
                row[other_bot] -= both
                row[other_power] -= both


def _rates(game: RankedGame, weights: Vector) -> tuple[Vector, Vector]:
    """Return for each seat the sums, over the draws that it was in, of 1 / S, 1 / S^2.

    S is the sum of the weights that were left.
    """
    rates, squares = [], []
    rate, square = 0.0, 0.0
    for left, ties in zip(_sums_left(weights), game.ties, strict=True):
        if ties:
            rate += ties / left
            square += ties / left**2
        rates.append(rate)
        squares.append(square)
    return rates, squares


def solved(matrix: Matrix, right: Vector) -> Vector:
    """Return x with matrix x = right; the matrix is positive definite."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at in range(size):
        pivot = rows[at]
        for row in rows[at + 1 :]:
            factor = row[at] / pivot[at]
            if factor:
                for column in range(at, size + 1):
                    row[column] -= factor * pivot[column]
    result = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][k] * result[k] for k in range(at + 1, size))
        result[at] = (rows[at][size] - known) / rows[at][at]
    return result
