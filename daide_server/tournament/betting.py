"""The any-time interval: it holds for all looks together, however many there are.

docs/statistics.md has the argument, the assumptions, and the choice of the stakes. A
player who bets against a lower candidate never has less money: the factors are at least
as large at the same stake, and a player with more before a block has more after it, or
has won. So candidates are dropped in order, and bisection finds the first one left.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from math import log, prod, sqrt

from attrs import define, field, frozen

from .intervals import ERROR, Interval

GRID = 2000
"""The number of candidates between the smallest and the largest possible mean; ends are
rounded outwards."""

PRIOR_MEAN = 1 / 2
PRIOR_VARIANCE = 1 / 16

MOST_AT_RISK = 3 / 4
"""The largest share of its money that a player may lose in one game."""

REACH = 0.8
"""The approximate half width at the planned end, in units of
sqrt(2 log(2 / error) variance / count)."""

CHUNK = 64
"""The number of factors, each at least 1/4, whose product is still a normal float."""


@define
class BettingInterval:
    """The any-time interval for the mean of values from *least* to *most*.

    It only ever gets narrower. If no candidate is left, which a violated assumption may
    cause, it stays as it was before. All bets since the last look are computed
    together, which takes a tenth of the time for a thousand blocks, with the same
    result.
    """

    error: float = ERROR
    least: float = 0.0
    most: float = 1.0
    count: int = field(default=0, init=False)
    """The number of values added."""
    blocks: int = field(default=0, init=False)
    _total: float = field(default=0.0, init=False)
    _squares: float = field(default=0.0, init=False)
    _bets: "list[_Bet]" = field(factory=list, init=False, repr=False)
    _mirrored: "list[_Bet]" = field(factory=list, init=False, repr=False)
    _is_refuted: bool = field(default=False, init=False, repr=False)
    """Whether no candidate is left."""
    _lower: "_LowerEdge" = field(init=False, repr=False)
    _upper: "_LowerEdge" = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._lower = self._upper = _LowerEdge(log(2 / self.error))

    @property
    def interval(self) -> Interval:
        """The interval after all blocks added so far."""
        self._look()
        length = self.most - self.least
        low, high = self._lower.low, self._upper.low
        return Interval(self.least + length * low, self.most - length * high, "betting")

    def add(self, block: Sequence[float], planned: float) -> None:
        """Bet on the values of a complete *block*.

        *planned* is the total number of planned values when the block began.
        """
        self.blocks += 1
        if not block:
            return
        length = self.most - self.least
        block = [(value - self.least) / length for value in block]
        # The total variance of all values from now to the planned end.
        left = self._variance * max(planned - self.count, len(block))
        self._bets.append((block, left))
        # To bet on "lower" is to bet on "higher" with everything mirrored.
        self._mirrored.append(([1 - value for value in block], left))
        count, total, squares = self.count, self._total, self._squares
        for value in block:
            count += 1
            total += value
            mean = (PRIOR_MEAN + total) / (count + 1)
            squares += (value - mean) ** 2
        self.count, self._total, self._squares = count, total, squares

    def _look(self) -> None:
        """Narrow the interval by the bets since the last look."""
        looked, placed = self._lower.count, len(self._bets)
        if looked == placed or self._is_refuted:
            return
        # The approximate ends if all planned games were played now.
        reach = REACH * sqrt(2 * self._lower.limit * self._variance / self.count)
        if self._follow(placed, reach if placed > looked + 1 else 1.0):
            return
        self._is_refuted = True
        for count in range(looked + 1, placed):
            if not self._follow(count):
                break

    def _follow(self, count: int, reach: float = 1.0) -> bool:
        """Narrow the interval by the first *count* bets, if a candidate is then left.

        Return whether one is: if not, the interval is that of fewer bets. The search
        for the ends starts at the mean minus and plus *reach*.
        """
        mean = self._total / self.count
        lower = self._lower.after(self._bets, count, mean - reach)
        upper = self._upper.after(self._mirrored, count, 1 - mean - reach)
        is_left = lower.low <= 1 - upper.low
        if is_left:
            self._lower, self._upper = lower, upper
        return is_left

    @property
    def _variance(self) -> float:
        return (PRIOR_VARIANCE + self._squares) / (self.count + 1)


_Bet = tuple[Sequence[float], float]
"""The values of a block, and the remaining variance when it began."""


@frozen
class _LowerEdge:
    """The smallest candidate against which betting on "higher" has not won `limit`.

    `won` is the logarithm of the capital against it after the first `count` bets.
    """

    limit: float
    candidate: int = 0
    won: float = 0.0
    count: int = 0

    @property
    def low(self) -> float:
        """The largest dropped candidate, below which all are dropped; or 0."""
        return max(0, self.candidate - 1) / GRID

    def after(self, bets: Sequence[_Bet], count: int, guess: float) -> "_LowerEdge":
        """Return the edge after the first *count* of *bets*.

        If this candidate is dropped, the next is sought in growing steps from *guess*
        (a mean), or by bisection once that is nearer.
        """
        new = bets[self.count : count]
        won = _won(new, self.won, self.candidate / GRID, self.limit)
        if won < self.limit:
            return _LowerEdge(self.limit, self.candidate, won, count)
        # A bet on more than 1 never wins.
        dropped, left = self.candidate, GRID + 1
        probe, step = max(dropped + 1, int(GRID * guess)), 1
        while left - dropped > 1:
            found = _won(islice(bets, count), 0.0, probe / GRID, self.limit)
            if found >= self.limit:
                dropped = probe
            else:
                left, won = probe, found
            step *= 2
            probe = min(max((dropped + left) // 2, probe - step), probe + step)
        return _LowerEdge(self.limit, left, won, count)


def _won(bets: Iterable[_Bet], won: float, mean: float, limit: float) -> float:
    """Return the logarithm of the money of a player who bets on more than *mean*.

    It was *won* before; the player stops at *limit*. A large tournament has many
    thousands of bets, hence the single loop.
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
