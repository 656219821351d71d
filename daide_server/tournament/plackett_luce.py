"""The Plackett-Luce model with a term for the power, and its fit by Newton's method.

The places in a game are drawn one after the other, each among the seats that are left,
with a chance in proportion to exp(skill of the bot + strength of the power). Seats
that share a place each count as the first of them (Breslow). A Gaussian prior with
precision 0.01 keeps a bot that always wins finite.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import exp, log
from typing import Final

from attrs import field, frozen

from .figures import GameFigures, SeatFigures

PRECISION: Final = 0.01
"""Of the prior: one over its variance."""
TOLERANCE: Final = 1e-9
STEPS: Final = 100
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
    def start(self) -> Vector:
        """Parameters to begin with: anchors, and 0 otherwise."""
        return [self.anchors.get(at, 0.0) for at in range(self.size)]

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
    for _ in range(STEPS):
        step = solved(curvature(model, games, at), slope)
        factor = 1.0
        while True:
            new = [x + factor * s for x, s in zip(at, step, strict=True)]
            new_value, new_slope = _penalized(model, games, new)
            if new_value >= value or factor < TOLERANCE:
                break
            factor /= 2
        at, value, slope = new, new_value, new_slope
        if max(map(abs, step)) < TOLERANCE:
            break
    return at


def _penalized(
    model: Model, games: Iterable[RankedGame], at: Vector
) -> tuple[float, Vector]:
    """Return the logarithm of likelihood times prior, and its slope."""
    value = -PRECISION / 2 * sum(x * x for x in at)
    slope = [-PRECISION * x for x in at]
    for game in games:
        value += add_slope(game, at, slope)
    for anchor in model.anchors:
        slope[anchor] = 0.0
    return value, slope


def add_slope(game: RankedGame, at: Vector, slope: Vector) -> float:
    """Add the slope of *game* to *slope*; return its logarithmic likelihood."""
    weights = [exp(at[bot] + at[power]) for bot, power in game.seats]
    left, first, rate, value = sum(weights), 0, 0.0, 0.0
    for ties in game.ties:
        rate += ties / left
        value -= ties * log(left)
        for place in range(first, first + ties):
            bot, power = game.seats[place]
            value += at[bot] + at[power]
            change = 1 - weights[place] * rate
            slope[bot] += change
            slope[power] += change
        first += ties
        left = sum(weights[first:])
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
        line[row] += PRECISION
    for anchor in model.anchors:
        matrix[anchor] = [0.0] * model.size
        for line in matrix:
            line[anchor] = 0.0
        matrix[anchor][anchor] = 1.0
    return matrix


def _add_curvature(game: RankedGame, at: Vector, matrix: Matrix) -> None:
    weights = [exp(at[bot] + at[power]) for bot, power in game.seats]
    first = 0
    for ties in game.ties:
        left = sum(weights[first:])
        for place in range(first, len(weights)):
            share = ties * weights[place] / left
            own = game.seats[place]
            for parameter in own:
                for same in own:
                    matrix[parameter][same] += share
                row = matrix[parameter]
                for other in range(first, len(weights)):
                    part = share * weights[other] / left
                    bot, power = game.seats[other]
                    row[bot] -= part
                    row[power] -= part
        first += ties


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
