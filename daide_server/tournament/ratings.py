"""Ratings of bots: skills fitted to the places in all games at once, in Elo's points.

The order of the games does not matter, unlike in Elo's system. Intervals come from a
bootstrap over blocks that takes one Newton step from the fit for each resample.
"""

from collections.abc import Mapping, Sequence
from math import log, sqrt
from operator import sub
from statistics import NormalDist
from typing import Final

from daide_server.classes import frozen

from .chance import NumberStream
from .figures import FiguresOf, GameFigures
from .game_outcomes import Ledger
from .intervals import ERROR
from .plackett_luce import (
    PRIOR_PRECISION,
    Model,
    Peak,
    RankedGame,
    Vector,
    add_slope,
    peak,
    solved,
)
from .student import quantile

PARTS: Final = 100
"""Blocks in succession are joined to at most that many parts, which are resampled."""
FEWEST_PARTS: Final = 10
RATING_RESAMPLES: Final = 499
RESAMPLING_SEED: Final = 2
POINTS_PER_UNIT: Final = 400 / log(10)
"""Points of Elo's scale for a unit of skill, which means e times the odds."""

Blocks = Sequence[Sequence[GameFigures]]


@frozen
class Rating:
    """What a bot is worth in points of Elo's scale, and the 95 % interval of that.

    400 points more mean ten times the odds; 0 is the mean of all bots, unless there are
    anchors. Without at least ten blocks there is no interval, and an anchor needs none.
    """

    bot: int
    points: float
    low: float | None
    high: float | None
    is_anchor: bool = False


@frozen
class RatingFit:
    """The ratings of all bots, in the order of their numbers, and of the powers.

    Those of the powers are points on the same scale.
    """

    ratings: tuple[Rating, ...]
    powers: Mapping[str, float]


def fit_ratings(
    blocks: Blocks, bots: int, anchors: Mapping[int, float] | None = None
) -> RatingFit:
    """Return the ratings of *bots* from the games of *blocks*.

    *anchors* are known ratings in points, which the fit does not change.
    """
    powers = sorted({seat.power for block in blocks for game in block for seat in game})
    given = anchors or {}
    skills = {bot: points / POINTS_PER_UNIT for bot, points in given.items()}
    numbers = {power: bots + at for at, power in enumerate(powers)}
    model = Model(bots, numbers, skills)
    ranked = [[model.ranked(game) for game in block] for block in blocks]
    fit = peak(model, [game for block in ranked for game in block])
    ends = _intervals(model, ranked, fit)
    ratings = tuple(
        Rating(bot, given.get(bot, _points(fit.at[bot])), *ends[bot], bot in given)
        for bot in range(bots)
    )
    strengths = map(_points, fit.at[bots:])
    return RatingFit(ratings, dict(zip(powers, strengths, strict=True)))


def bot_ratings(ledger: Ledger, figures_of: FiguresOf) -> Sequence[Rating]:
    """Return the ratings of all bots from the finished blocks of *ledger*.

    None before the first one, and none for a fixed line-up, in which the skill of a bot
    cannot be told from the strength of its powers.
    """
    described = ledger.plan.description
    if not ledger.finished_blocks or described.design.kind == "fixed":
        return ()
    blocks = [[figures_of(game) for game in block] for block in ledger.blocks()]
    anchors = {
        number: bot.anchor
        for number, bot in enumerate(described.bots)
        if bot.anchor is not None
    }
    return fit_ratings(blocks, len(described.bots), anchors).ratings


def points_text(points: float) -> str:
    """Return *points* as people read them: whole, with a sign unless they are 0."""
    whole = round(points)
    return f"{whole:+d}" if whole else "0"


def _points(skill: float) -> float:
    return POINTS_PER_UNIT * skill


Ends = tuple[float | None, float | None]


def _intervals(
    model: Model, blocks: Sequence[Sequence[RankedGame]], fit: Peak
) -> list[Ends]:
    """Return the ends of the interval of each bot, by a bootstrap over blocks."""
    parts = _parts(blocks)
    if len(parts) < FEWEST_PARTS:
        return [(None, None)] * model.bots
    moves = _moves(model, parts, fit)
    draws = NumberStream(RESAMPLING_SEED)
    resampled = [_resampled(moves, draws) for _ in range(RATING_RESAMPLES)]
    scale = _expansion(len(parts))
    return [
        (None, None)
        if bot in model.anchors
        else _ends(fit.at[bot], sorted(scale * move[bot] for move in resampled))
        for bot in range(model.bots)
    ]


def _expansion(parts: int) -> float:
    """Return by how much wider an interval is than the quantiles of its resamples.

    Those are too narrow for few parts, as the normal distribution is for a mean, and
    the parts of a resample vary by one in so many less than the parts themselves.
    """
    outer = 1 - ERROR / 2
    t, normal = quantile(outer, parts - 1), NormalDist().inv_cdf(outer)
    return sqrt(parts / (parts - 1)) * t / normal


def _ends(middle: float, moves: Vector) -> Ends:
    cut = round((RATING_RESAMPLES + 1) * ERROR / 2)
    return _points(middle + moves[cut - 1]), _points(middle + moves[-cut])


def _parts(blocks: Sequence[Sequence[RankedGame]]) -> list[list[RankedGame]]:
    """Return *blocks*, those in succession joined, in at most `PARTS` parts."""
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
