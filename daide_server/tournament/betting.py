"""The any-time interval: it holds for all looks together, however many there are.

For each candidate mean m one player bets, game after game, that the true mean is higher
than m, and another that it is lower. If m is true, neither can expect to win, so the
chance that one of them ever multiplies its capital by 2 / error is at most the error
(Ville's inequality). A candidate for which that happens is dropped for good.

A stake is fixed at the start of a block. A bot's expected score differs from game to
game of a block (powers and opponents are unequal), but the product of the growths can
only be smaller than if all games had the mean of the block. Assumed: that mean is the
same for each block (no learning between games), and the planned number was fixed before
the block.

The stake is the best one to reach the limit at the planned end, from the capital that
the player has: who has lost bets more, who is close to the limit less (Voracek and
Orabona 2025, "STaR-Bets"). The argument holds for any stake that depends on what came
before the block only; this one makes narrower intervals than one that depends on the
number of games alone.
"""

from collections.abc import Sequence
from math import log, prod, sqrt
from typing import Final

from attrs import define, field, frozen

from .intervals import ERROR, Interval

GRID: Final = 2000
"""The candidates are 0, 1/2000, ... 1; ends of intervals are rounded outwards."""

PRIOR_MEAN: Final = 1 / 2
PRIOR_VARIANCE: Final = 1 / 16

MOST_AT_RISK: Final = 3 / 4
"""The part of its capital that a player may lose in one game."""

CHUNK: Final = 64
"""So many factors, 1/4 at least, can be multiplied without leaving the floats."""


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

    def add(self, block: Sequence[float], planned: float) -> None:
        """Bet on the values of a whole *block*.

        *planned* is how many values were planned in all when the block began.
        """
        if not block:
            return
        # The variance that all values from now to the planned end have together.
        left = self._variance * max(planned - self.count, len(block))
        self._lower.add(_Bet(block, left))
        # To bet on "lower" is to bet on "higher" with everything mirrored.
        self._upper.add(_Bet([1 - value for value in block], left))
        if self._lower.low <= 1 - self._upper.low:
            self.low, self.high = self._lower.low, 1 - self._upper.low
        for value in block:
            self.count += 1
            self._total += value
            mean = (PRIOR_MEAN + self._total) / (self.count + 1)
            self._squares += (value - mean) ** 2

    @property
    def _variance(self) -> float:
        return (PRIOR_VARIANCE + self._squares) / (self.count + 1)


@frozen
class _Bet:
    """The values of a block, and the variance that was left when it began."""

    block: Sequence[float]
    variance_left: float


@define
class _LowerEdge:
    """The smallest candidate against which betting on "higher" has not won `limit`.

    Only this one is followed; the next one is computed from the beginning when it has
    been dropped. `won` is the logarithm of the capital against it.
    """

    limit: float
    candidate: int = 0
    won: float = 0.0
    bets: list[_Bet] = field(factory=list)

    @property
    def low(self) -> float:
        """The largest candidate that was dropped, with all below it; or 0."""
        return max(0, self.candidate - 1) / GRID

    def add(self, bet: _Bet) -> None:
        """Place *bet*; drop candidates beyond the limit."""
        self.bets.append(bet)
        self.won = self._after(bet, self.won)
        while self.won >= self.limit:
            self.candidate += 1
            self.won = self._replayed()

    def _replayed(self) -> float:
        """Return the capital against the candidate, up to where it was dropped."""
        won = 0.0
        for bet in self.bets:
            won = self._after(bet, won)
            if won >= self.limit:
                break
        return won

    def _after(self, bet: _Bet, won: float) -> float:
        """Return the capital after *bet*, of a player who had *won* before."""
        mean = self.candidate / GRID
        stake = sqrt(2 * (self.limit - won) / bet.variance_left)
        if stake * mean > MOST_AT_RISK:
            stake = MOST_AT_RISK / mean
        return won + _growth(bet.block, stake, mean)


def _growth(block: Sequence[float], stake: float, mean: float) -> float:
    """Return the logarithm of what a bet on more than *mean* grows to over *block*."""
    least = 1 - stake * mean
    if len(block) <= CHUNK:
        return log(prod([least + stake * value for value in block]))
    return sum(log(least + stake * value) for value in block)
