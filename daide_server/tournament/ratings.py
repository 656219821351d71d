"""Ratings of bots: skills fitted to the places in all games, in points of Elo's scale.

The Plackett-Luce model: the places in a game are drawn one after the other, each among
the remaining seats, with a probability in proportion to exp(skill of the bot + strength
of the power). Tied seats each count as the first of them (Breslow). A Gaussian prior
keeps the rating of a bot that always wins finite; the fit uses Newton's method.
Intervals come from a bootstrap over blocks, one Newton step for each resample.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import exp, log, sqrt
from operator import add, attrgetter, mul, sub
from statistics import NormalDist, fmean

from attrs import field, frozen

from daide_server.board.names import Power

from .chance import NumberStream
from .game_outcomes import Ledger, SeatOutcome
from .intervals import ERROR, quantile

PRIOR_PRECISION = 0.01
"""One over the variance of the prior."""
TOLERANCE = 1e-7
"""The fit ends if a step would add less than this to the logarithm."""
NEWTON_STEPS = 100
SHORTEST_STEP = 1e-3
ROUNDING_LOSS = 1e-7
"""The smallest part of a step that is tried, and the accepted loss by rounding."""
SAMPLE_GAMES = 1000
"""The approximate number of games from which the curvature is first estimated."""

Vector = list[float]
Matrix = list[Vector]
Seats = Sequence[SeatOutcome]


@frozen
class RankedGame:
    """The parameters of each seat (bot, power), best place first, and tie sizes.

    `ties` has for each seat the number of seats that share its place: 0 for all but the
    first of them.
    """

    seats: tuple[tuple[int, int], ...]
    ties: tuple[int, ...]


@frozen
class Model:
    """Parameters are the bots, then the powers; those of anchors are fixed.

    `powers` has the number of each power's parameter.
    """

    bots: int
    powers: Mapping[Power, int]
    anchors: Mapping[int, float] = field(repr=False)

    @property
    def size(self) -> int:
        """The number of parameters."""
        return self.bots + len(self.powers)

    @property
    def centre(self) -> Vector:
        """The centre of the prior: the mean of the anchors for bots, 0 for powers."""
        middle = fmean(self.anchors.values()) if self.anchors else 0.0
        return [middle] * self.bots + [0.0] * len(self.powers)

    @property
    def start(self) -> Vector:
        """The initial parameters: those of anchors, else the centre of the prior."""
        return [self.anchors.get(at, x) for at, x in enumerate(self.centre)]

    def ranked(self, game: Seats) -> RankedGame:
        """Return the part of *game* that the likelihood needs."""
        order = sorted(game, key=attrgetter("place"))
        places = [seat.place for seat in order]
        return RankedGame(
            tuple((seat.bot, self.powers[seat.power]) for seat in order),
            tuple(
                0 if place in places[:at] else places.count(place)
                for at, place in enumerate(places)
            ),
        )


@frozen
class Peak:
    """Parameters with the largest likelihood times prior, and the curvature there."""

    at: Vector
    curvature: Matrix


def peak(model: Model, games: Sequence[RankedGame]) -> Peak:
    """Return the maximum of likelihood times prior.

    With many games the search begins at the peak of a sample, and keeps its curvature,
    because the remaining steps are so short that it hardly changes.
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
    """Return about `SAMPLE_GAMES` of *games*, evenly spaced, or all of fewer."""
    return games[:: max(1, len(games) // SAMPLE_GAMES)]


def _better(
    model: Model, games: Sequence[RankedGame], start: tuple[Vector, float], step: Vector
) -> tuple[Vector, float, Vector]:
    """Return a point on the way from *start* with a larger value, and its slope.

    The step is halved until the value is larger, or the step too short to matter.
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
    """Return for each seat the sum of its weight and all later ones."""
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

    The share of a seat at each draw is its weight over the sum of the remaining
    weights; what is added is the covariance of the draws.
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
    """Return for each seat the sums of 1 / S and 1 / S^2 over the draws that it was in.

    S is the sum of the remaining weights.
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


PARTS = 100
"""Consecutive blocks are joined into at most this many parts, which are resampled."""
FEWEST_PARTS = 10
RATING_RESAMPLES = 499
POINTS_PER_UNIT = 400 / log(10)
"""Points of Elo's scale for a unit of skill, which multiplies the odds by e."""

Blocks = Sequence[Sequence[Seats]]
"""The seats of each game of each block."""


@frozen
class Rating:
    """The strength of a bot in points of Elo's scale, with its 95 % interval.

    400 points more mean ten times the odds; 0 is the mean of all bots, unless there are
    anchors. Without at least ten blocks there is no interval, and an anchor needs none.
    """

    bot: int
    points: float
    low: float | None
    high: float | None
    is_anchor: bool = False


def fit_ratings(
    blocks: Blocks, bots: int, anchors: Mapping[int, float] | None = None
) -> tuple[Rating, ...]:
    """Return the ratings of *bots*, in order, from the games of *blocks*.

    *anchors* are fixed ratings in points.
    """
    powers = sorted({seat.power for block in blocks for game in block for seat in game})
    given = anchors or {}
    skills = {bot: points / POINTS_PER_UNIT for bot, points in given.items()}
    numbers = {power: bots + at for at, power in enumerate(powers)}
    model = Model(bots, numbers, skills)
    ranked = [[model.ranked(game) for game in block] for block in blocks]
    fit = peak(model, [game for block in ranked for game in block])
    ends = _intervals(model, ranked, fit)
    return tuple(
        Rating(
            bot, given.get(bot, POINTS_PER_UNIT * fit.at[bot]), *ends[bot], bot in given
        )
        for bot in range(bots)
    )


def bot_ratings(ledger: Ledger) -> Sequence[Rating]:
    """Return the ratings of all bots from the finished blocks of *ledger*.

    Empty before the first block, and for a fixed line-up, where the skill of a bot
    cannot be separated from the strength of its powers.
    """
    described = ledger.plan.description
    if not ledger.finished_blocks or described.design.kind == "fixed":
        return ()
    blocks = [[game.seats for game in block] for block in ledger.blocks()]
    anchors = {
        number: bot.anchor
        for number, bot in enumerate(described.bots)
        if bot.anchor is not None
    }
    return fit_ratings(blocks, len(described.bots), anchors)


def points_text(points: float) -> str:
    """Return *points* as an integer with a sign, except for 0."""
    whole = round(points)
    return f"{whole:+d}" if whole else "0"


Ends = tuple[float | None, float | None]


def _intervals(
    model: Model, blocks: Sequence[Sequence[RankedGame]], fit: Peak
) -> list[Ends]:
    """Return the ends of the interval of each bot, by a bootstrap over blocks."""
    parts = _parts(blocks)
    if len(parts) < FEWEST_PARTS:
        return [(None, None)] * model.bots
    moves = _moves(model, parts, fit)
    draws = NumberStream(2)
    resampled = [_resampled(moves, draws) for _ in range(RATING_RESAMPLES)]
    scale = _expansion(len(parts))
    return [
        (None, None)
        if bot in model.anchors
        else _ends(fit.at[bot], sorted(scale * move[bot] for move in resampled))
        for bot in range(model.bots)
    ]


def _expansion(parts: int) -> float:
    """Return by which factor to widen the quantiles of the resamples.

    They are too narrow for few parts, as the normal distribution is for a mean, and the
    variance of n resampled parts is too small by a factor of 1 - 1/n.
    """
    outer = 1 - ERROR / 2
    t, normal = quantile(outer, parts - 1), NormalDist().inv_cdf(outer)
    return sqrt(parts / (parts - 1)) * t / normal


def _ends(middle: float, moves: Vector) -> Ends:
    cut = round((RATING_RESAMPLES + 1) * ERROR / 2)
    low, high = middle + moves[cut - 1], middle + moves[-cut]
    return POINTS_PER_UNIT * low, POINTS_PER_UNIT * high


def _parts(blocks: Sequence[Sequence[RankedGame]]) -> list[list[RankedGame]]:
    """Return *blocks*, consecutive ones joined, in at most `PARTS` parts."""
    size = -(-len(blocks) // PARTS) or 1
    joined = (blocks[at : at + size] for at in range(0, len(blocks), size))
    return [[game for block in part for game in block] for part in joined]


def _moves(
    model: Model, parts: Sequence[Sequence[RankedGame]], fit: Peak
) -> list[Vector]:
    """Return by how much each part of the games moves the skills, in a Newton step."""
    at, slopes = fit.at, []
    for part in parts:
        off = map(sub, at, model.centre)
        slope = [-PRIOR_PRECISION * x / len(parts) for x in off]
        for game in part:
            add_slope(game, at, slope)
        for anchor in model.anchors:
            slope[anchor] = 0.0
        slopes.append(slope)
    return [solved(fit.curvature, slope)[: model.bots] for slope in slopes]


def _resampled(moves: Sequence[Vector], draws: NumberStream) -> Vector:
    drawn = [moves[draws.below(len(moves))] for _ in moves]
    return list(map(sum, zip(*drawn, strict=True)))
