"""The Plackett-Luce model with a term for the power, and its fit by Newton's method.

The places in a game are drawn one after the other, each among the seats that are left,
with a chance in proportion to exp(skill of the bot + strength of the power). Seats
that share a place each count as the first of them (Breslow). A Gaussian prior with
precision 0.01 keeps a bot that always wins finite.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import exp, log
from operator import mul, sub
from statistics import fmean
from typing import Final

from attrs import field

from daide_server.classes import frozen

from .figures import GameFigures, SeatFigures

PRIOR_PRECISION: Final = 0.01
"""Of the prior: one over its variance."""
TOLERANCE: Final = 1e-14
"""The fit ends when a step would add less than this to the logarithm."""
NEWTON_STEPS: Final = 100
SHORTEST_STEP: Final = 1e-3
ROUNDING_LOSS: Final = 1e-7
CURVATURE_GAMES: Final = 2000
"""The curvature is estimated from about that many games, evenly chosen."""

Vector = list[float]
Matrix = list[Vector]


@frozen
class RankedGame:
    """The parameters of each seat (bot, power), best place first, and tie sizes.

    `ties` has the number of seats that share each place.
    """

    seats: tuple[tuple[int, int], ...]
    ties: tuple[int, ...]


@frozen
class Model:
    """Parameters are the bots, then the powers; anchors are fixed ones."""

    bots: int
    powers: tuple[str, ...]
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
            tuple(
                (seat.bot, self.bots + self.powers.index(seat.power)) for seat in order
            ),
            tuple(len(list(tied)) for _, tied in groupby(order, _place)),
        )


def _place(seat: SeatFigures) -> float:
    return seat.place


def maximum(model: Model, games: Sequence[RankedGame]) -> Vector:
    """Return the parameters with the largest likelihood times prior."""
    at = model.start
    value, slope = _penalized(model, games, at)
    for _ in range(NEWTON_STEPS):
        step = solved(curvature(model, games, at), slope)
        gain = sum(map(mul, slope, step))
        if gain < TOLERANCE:
            break
        at, value, slope = _better(model, games, (at, value), _limited(step))
    return at


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
    weights = [exp(at[bot] + at[power]) for bot, power in game.seats]
    first, rate, value = 0, 0.0, 0.0
    for ties in game.ties:
        left = sum(weights[first:])
        rate += ties / left
        value -= ties * log(left)
        for place in range(first, first + ties):
            bot, power = game.seats[place]
            value += at[bot] + at[power]
            change = 1 - weights[place] * rate
            slope[bot] += change
            slope[power] += change
        first += ties
    return value


def curvature(model: Model, games: Sequence[RankedGame], at: Vector) -> Matrix:
    """Return the negative second derivatives, with 1 on the diagonal for anchors."""
    matrix = [[0.0] * model.size for _ in range(model.size)]
    chosen = games[:: max(1, len(games) // CURVATURE_GAMES)]
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
    first, rate, square = 0, 0.0, 0.0
    for ties in game.ties:
        left = sum(weights[first:])
        rate += ties / left
        square += ties / left**2
        rates += [rate] * ties
        squares += [square] * ties
        first += ties
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
