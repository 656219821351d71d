"""The any-time interval: it holds at all looks together, however often one looks.

For each candidate mean m somebody bets, game after game, that the true mean is higher
than m, and somebody else that it is lower. If m is true, neither can expect to win, so
the chance that one of them ever multiplies the money by 2 / error is at most the error
(Ville's inequality); candidates against whom that happened are dropped for good.

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
    _first: int = field(default=0, init=False)
    _last: int = field(default=GRID, init=False)
    _above: list[float] = field(init=False, repr=False)
    _below: list[float] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        # Logarithms of the money that was won by betting on "higher" and on "lower".
        self._above = [0.0] * (GRID + 1)
        self._below = [0.0] * (GRID + 1)

    @property
    def interval(self) -> Interval:
        """The interval after all blocks that were added."""
        return Interval(self.low, self.high, "betting")

    def add(self, block: Sequence[float], planned: int) -> None:
        """Bet on the values of a whole *block*.

        *planned* is how many values were planned in all when the block began.
        """
        if block and self._first <= self._last:
            self._bet(block, self._stake(planned))
            self._narrow()
        for value in block:
            self.count += 1
            self._total += value
            mean = (PRIOR_MEAN + self._total) / (self.count + 1)
            self._squares += (value - mean) ** 2

    def _stake(self, planned: int) -> float:
        variance = (PRIOR_VARIANCE + self._squares) / (self.count + 1)
        return sqrt(2 * log(2 / self.error) / (variance * planned))

    def _bet(self, block: Sequence[float], stake: float) -> None:
        """Let both sides bet against each candidate that is left, and the next ones."""
        chunks = [block[at : at + CHUNK] for at in range(0, len(block), CHUNK)]
        for at in range(max(0, self._first - 1), min(GRID, self._last + 1) + 1):
            mean = at / GRID
            up = min(stake, 1 / (2 * mean)) if at else stake
            down = min(stake, 1 / (2 * (1 - mean))) if at < GRID else stake
            for chunk in chunks:
                self._above[at] += log(prod([1 + up * (x - mean) for x in chunk]))
                self._below[at] += log(prod([1 - down * (x - mean) for x in chunk]))

    def _narrow(self) -> None:
        """Drop candidates from both ends.

        What is won by betting on "higher" falls with the candidate, so the candidates
        that it excludes are those below some point.
        """
        limit = log(2 / self.error)
        first, last = self._first, self._last
        while first <= last and self._above[first] >= limit:
            first += 1
        while first <= last and self._below[last] >= limit:
            last -= 1
        self._first, self._last = first, last
        if first <= last:
            low = (first - _part(self._above, first, first - 1, limit)) / GRID
            high = (last + _part(self._below, last, last + 1, limit)) / GRID
            self.low, self.high = max(self.low, low), min(self.high, high)


def _part(won: Sequence[float], kept: int, dropped: int, limit: float) -> float:
    """Return how far from *kept* towards *dropped* the limit is crossed, 0 to 1."""
    if not 0 <= dropped <= GRID:
        return 0.0
    if won[dropped] < limit:
        return 1.0
    return (limit - won[kept]) / (won[dropped] - won[kept])
