"""The spread of outcomes of games that went on from one position. Pure.

Quantiles are those of Hyndman and Fan's definition 7, as `statistics.quantiles` has
them with the method "inclusive".
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, quantiles
from typing import Final

from attrs import frozen

from daide_server.board.names import Power
from daide_server.records.entries import Ending

TWENTIETHS: Final = 20


@frozen
class Continuation:
    """How one game ended: the centres and the score, from 0 to 1, of each power.

    `forfeits` has a line for each bot that forfeited.
    """

    ending: Ending
    winners: tuple[Power, ...]
    centres: Mapping[Power, int]
    scores: Mapping[Power, float]
    forfeits: tuple[str, ...] = ()


@frozen
class Distribution:
    """A few numbers instead of many."""

    mean: float
    low: float
    """Of twenty games one is below."""
    median: float
    high: float
    """Of twenty games one is above."""


@frozen
class PowerSpread:
    """What became of one power; shares are of all games."""

    centres: Distribution
    scores: Distribution
    solos: float
    draws: float
    """Draws by vote in which it had a part."""
    shared: float
    """Games that it shared at the year limit, or by a stalemate."""
    eliminations: float


def distribution(values: Sequence[float]) -> Distribution:
    """Return the mean and the quantiles of *values*, of which there must be one."""
    if len(values) == 1:
        (value,) = values
        return Distribution(value, value, value, value)
    cuts = quantiles(values, n=TWENTIETHS, method="inclusive")
    return Distribution(fmean(values), cuts[0], cuts[TWENTIETHS // 2 - 1], cuts[-1])


def spread_of(games: Sequence[Continuation], power: Power) -> PowerSpread:
    """Return what became of *power* in *games*, of which there must be one."""
    won = [each.ending for each in games if power in each.winners]
    solos, draws = won.count(Ending.SOLO), won.count(Ending.DRAW)
    centres = [each.centres.get(power, 0) for each in games]
    return PowerSpread(
        centres=distribution(centres),
        scores=distribution([each.scores.get(power, 0.0) for each in games]),
        solos=solos / len(games),
        draws=draws / len(games),
        shared=(len(won) - solos - draws) / len(games),
        eliminations=centres.count(0) / len(games),
    )


def endings_of(games: Sequence[Continuation]) -> Mapping[Ending, int]:
    """Return how many of *games* ended how, the most frequent ending first."""
    return dict(Counter(each.ending for each in games).most_common())
