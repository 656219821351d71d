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

from collections.abc import Iterable, Sequence
from math import log, prod, sqrt
from typing import Final

from attrs import field

from daide_server.classes import define

from .intervals import ERROR, Interval

GRID: Final = 2000
"""There are so many candidates from the least possible mean to the most.

Ends of intervals are rounded outwards to the next one.
"""

PRIOR_MEAN: Final = 1 / 2
PRIOR_VARIANCE: Final = 1 / 16

MOST_AT_RISK: Final = 3 / 4
"""The part of its capital that a player may lose in one game."""

CHUNK: Final = 64
"""So many factors, 1/4 at least, can be multiplied without leaving the floats."""


@define
class BettingInterval:
    """The any-time interval for the mean of values from *least* to *most*.

    It only ever gets narrower. If no candidate is left, which an untrue assumption
    may cause, it stays as it was before.
    """

    error: float = ERROR
    least: float = 0.0
    most: float = 1.0
    low: float = field(init=False)
    high: float = field(init=False)
    count: int = field(default=0, init=False)
    _total: float = field(default=0.0, init=False)
    _squares: float = field(default=0.0, init=False)
    _lower: "_LowerEdge" = field(init=False, repr=False)
    _upper: "_LowerEdge" = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.low, self.high = self.least, self.most
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
        length = self.most - self.least
        block = [(value - self.least) / length for value in block]
        # The variance that all values from now to the planned end have together.
        left = self._variance * max(planned - self.count, len(block))
        self._lower.add((block, left))
        # To bet on "lower" is to bet on "higher" with everything mirrored.
        self._upper.add(([1 - value for value in block], left))
        if self._lower.low <= 1 - self._upper.low:
            self.low = self.least + length * self._lower.low
            self.high = self.most - length * self._upper.low
        for value in block:
            self.count += 1
            self._total += value
            mean = (PRIOR_MEAN + self._total) / (self.count + 1)
            self._squares += (value - mean) ** 2

    @property
    def _variance(self) -> float:
        return (PRIOR_VARIANCE + self._squares) / (self.count + 1)


_Bet = tuple[Sequence[float], float]
"""The values of a block, and the variance that was left when it began."""


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
        self.won = _won([bet], self.won, self.candidate / GRID, self.limit)
        while self.won >= self.limit:
            self.candidate += 1
            self.won = _won(self.bets, 0.0, self.candidate / GRID, self.limit)


def _won(bets: Iterable[_Bet], won: float, mean: float, limit: float) -> float:
    """Return what a player who bets on more than *mean* has, in logarithms.

    It had *won* before, and stops where it reaches the *limit*. Millions of bets are
    computed here for a large tournament, hence the single loop.
    """
    for block, variance_left in bets:
        stake = sqrt(2 * (limit - won) / variance_left)
        if stake * mean > MOST_AT_RISK:
            stake = MOST_AT_RISK / mean
        least = 1 - stake * mean
        if len(block) <= CHUNK:
            won += log(prod([least + stake * value for value in block]))
        else:
            won += sum(log(least + stake * value) for value in block)
        if won >= limit:
            break
    return won
