"""The any-time interval: it holds for all looks together, however many there are.

For each candidate mean m one player bets, game after game, that the true mean is higher
than m, and another that it is lower. If m is true, neither can expect to win, so the
chance that one of them ever multiplies its capital by 2 / error is at most the error
(Ville's inequality). A candidate for which that happens is dropped for good.

The stake is fixed at the start of a block. A bot's expected score differs from game to
game of a block (powers are unequal), but the product of the growths can only be smaller
than if all games had the mean of the block. Assumed: that mean is the same for each
block (no learning between games), and the planned number was fixed before the block.
"""

from collections.abc import Sequence
from math import log, prod, sqrt
from typing import Final

from attrs import define, field

from .intervals import ERROR, Interval

GRID: Final = 500
"""The candidates are 0, 1/500, ... 1; between two the logarithms are interpolated."""

PRIOR_MEAN: Final = 1 / 2
PRIOR_VARIANCE: Final = 1 / 16

CHUNK: Final = 64
"""So many factors between 1/2 and 2 can be multiplied without leaving the floats."""


@define
class BettingInterval:
    """The any-time interval for the mean of values from 0 to 1.

    It only ever gets narrower. If no candidate is left, which an untrue assumption
    may cause, it stays as it was before.
    """

    error: float = ERROR
    low: float = field(default=0.0, init=False)
    high: float = field(default=1.0, init=False)
    count: int = field(default=0, init=False)
    _total: float = field(default=0.0, init=False)
    _squares: float = field(default=0.0, init=False)
    _lower: "_LowerEdge" = field(init=False, repr=False)
    _upper: "_LowerEdge" = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._lower = _LowerEdge(log(2 / self.error))
        self._upper = _LowerEdge(log(2 / self.error))

    @property
    def interval(self) -> Interval:
        """The interval after all blocks that were added."""
        return Interval(self.low, self.high, "betting")

    def add(self, block: Sequence[float], planned: int) -> None:
        """Bet on the values of a whole *block*.

        *planned* is how many values were planned in all when the block began.
        """
        if not block:
            return
        stake = self._stake(planned)
        self._lower.add(block, stake)
        # To bet on "lower" is to bet on "higher" with everything mirrored.
        self._upper.add([1 - value for value in block], stake)
        if self._lower.low <= 1 - self._upper.low:
            self.low, self.high = self._lower.low, 1 - self._upper.low
        for value in block:
            self.count += 1
            self._total += value
            mean = (PRIOR_MEAN + self._total) / (self.count + 1)
            self._squares += (value - mean) ** 2

    def _stake(self, planned: int) -> float:
        variance = (PRIOR_VARIANCE + self._squares) / (self.count + 1)
        return sqrt(2 * log(2 / self.error) / (variance * planned))


@define
class _LowerEdge:
    """The smallest candidate against which betting on "higher" has not won `limit`.

    What is won falls with the candidate, so only the candidate at the edge and the one
    that was dropped last are followed; a new edge is computed from the beginning.
    `won` and `won_before` are logarithms.
    """

    limit: float
    low: float = 0.0
    candidate: int = 0
    won: float = 0.0
    won_before: float = 0.0
    bets: list[tuple[Sequence[float], float]] = field(factory=list)

    def add(self, block: Sequence[float], stake: float) -> None:
        """Bet *stake* on each value of *block*; drop candidates beyond the limit."""
        self.bets.append((block, stake))
        self.won += _growth(block, stake, self.candidate)
        if self.candidate:
            self.won_before += _growth(block, stake, self.candidate - 1)
        while self.won >= self.limit:
            self.candidate += 1
            self.won_before = self.won
            self.won = sum(_growth(*bet, self.candidate) for bet in self.bets)
        if self.candidate and self.won_before >= self.limit:
            part = (self.limit - self.won) / (self.won_before - self.won)
            self.low = max(self.low, (self.candidate - part) / GRID)


def _growth(block: Sequence[float], stake: float, candidate: int) -> float:
    """Return the logarithm of what a bet on "higher" grows to over *block*."""
    mean = candidate / GRID
    part = min(stake, 1 / (2 * mean)) if candidate else stake
    least = 1 - part * mean
    if len(block) <= CHUNK:
        return log(prod([least + part * value for value in block]))
    return sum(log(least + part * value) for value in block)
