"""Intervals for a mean, from the means of blocks whose number is fixed in advance.

Student's t from 30 blocks on, the bootstrap-t from 10, and none below: there only the
any-time interval of `betting` is available. These intervals hold for one look at the
end; for repeated looks use `betting`. Student's distribution is implemented here to
about ten digits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import ceil, copysign, exp, inf, lgamma, log, sqrt
from operator import itemgetter, mul
from statistics import NormalDist, fmean, pvariance
from typing import Literal

from attrs import evolve, frozen

from .chance import NumberStream

ERROR = 0.05
T_BLOCKS = 30
"""The minimum number of blocks for Student's t."""
BOOTSTRAP_BLOCKS = 10
"""The minimum number of blocks for the bootstrap-t."""
FEWEST_SEEN = 10
"""The minimum number of values for estimating their deviation."""
TYPICAL_DEVIATION = 0.27
"""The deviation of a bot's score between games, as simulated for seven bots of mixed
strength."""
RESAMPLES = 999
NO_SPREAD = 1e-9
"""A smaller standard error is due to rounding of equal values."""

Method = Literal["t", "bootstrap-t", "betting", "wilson"]

MOST_LOPSIDED: Mapping[Method, float] = {"t": 0.03, "bootstrap-t": 0.05}
"""Lopsidedness above which coverage fell below 94 % in `bench/intervals.py`."""


@frozen
class Interval:
    """An interval that contains a mean with the stated probability, and its method.

    `is_rough`: the blocks are so few and so skewed, as those of a bot that hardly ever
    wins, that the interval misses the mean more often than stated.
    """

    low: float
    high: float
    method: Method
    is_rough: bool = False

    @property
    def half_width(self) -> float:
        """Half of the distance between the ends."""
        return (self.high - self.low) / 2

    def within(self, low: float, high: float) -> "Interval":
        """Return the part from *low* to *high*, the limits of a possible mean."""
        return evolve(self, low=max(low, self.low), high=min(high, self.high))


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of *values*, two or more, and its standard error."""
    mean = fmean(values)
    squares = sum((value - mean) ** 2 for value in values)
    error = sqrt(squares / (len(values) - 1) / len(values))
    return mean, error if error > NO_SPREAD else 0.0


def deviation(of: Iterable[Iterable[float]]) -> float | None:
    """Return the standard deviation of values around the means of their lists.

    `None` if no list has ten values.
    """
    lists = map(list, of)
    seen = [pvariance(values) for values in lists if len(values) >= FEWEST_SEEN]
    return sqrt(fmean(seen)) if seen else None


def fixed_interval(blocks: Sequence[float], error: float = ERROR) -> Interval | None:
    """Return the interval for the mean of *blocks*, the means of single blocks.

    `None` below ten blocks, and if all blocks are equal: then nothing is known about
    their variance.
    """
    if len(blocks) < BOOTSTRAP_BLOCKS or not spread(blocks)[1]:
        return None
    method = bootstrap_t if len(blocks) < T_BLOCKS else student_t
    interval = method(blocks, error)
    rough = lopsidedness(blocks) > MOST_LOPSIDED[interval.method]
    return evolve(interval, is_rough=rough)


def lopsidedness(blocks: Sequence[float]) -> float:
    """Return the squared skewness of *blocks*, divided by their number.

    The error of an interval that assumes normal means grows with it.
    """
    mean, count = fmean(blocks), len(blocks)
    squares = sum((value - mean) ** 2 for value in blocks) / count
    cubes = sum((value - mean) ** 3 for value in blocks) / count
    return cubes**2 / squares**3 / count


def student_t(blocks: Sequence[float], error: float = ERROR) -> Interval:
    """Return mean -+ t(K - 1) s / sqrt(K) of K *blocks*."""
    mean, spread_of_mean = spread(blocks)
    reach = quantile(1 - error / 2, len(blocks) - 1) * spread_of_mean
    return Interval(mean - reach, mean + reach, "t")


def difference_interval(
    blocks: Sequence[float], others: Sequence[float], error: float = ERROR
) -> Interval | None:
    """Return the interval for the mean of *blocks* minus that of *others* (Welch 1947).

    For blocks of different games; `None` if `fixed_interval` has none for both.
    """
    one, other = fixed_interval(blocks, error), fixed_interval(others, error)
    if one is None or other is None:
        return None
    (mean, own), (less, its) = spread(blocks), spread(others)
    square, minus = own**2, its**2
    freedom = (square + minus) ** 2 / (
        square**2 / (len(blocks) - 1) + minus**2 / (len(others) - 1)
    )
    reach = quantile(1 - error / 2, freedom) * sqrt(square + minus)
    middle = mean - less
    rough = one.is_rough or other.is_rough
    return Interval(middle - reach, middle + reach, "t", is_rough=rough)


def bootstrap_t(blocks: Sequence[float], error: float = ERROR) -> Interval:
    """Return the interval by the quantiles of (m* - m) / se* over resampled blocks.

    If the resampled blocks are all equal, the ratio is infinite, and so may an end of
    the interval be.
    """
    mean, spread_of_mean = spread(blocks)
    centred = [value - mean for value in blocks]
    ratios = sorted(_ratio(chosen(centred)) for chosen in _resamples(len(blocks)))
    cut = round((RESAMPLES + 1) * error / 2)
    low, high = (mean - end * spread_of_mean for end in (ratios[-cut], ratios[cut - 1]))
    return Interval(low, high, "bootstrap-t")


def share_interval(count: int, of: int, error: float = ERROR) -> Interval:
    """Return the interval for a probability, from *count* successes (Wilson 1927)."""
    z = NormalDist().inv_cdf(1 - error / 2)
    share, scale = count / of, 1 + z * z / of
    middle = (share + z * z / (2 * of)) / scale
    reach = z / scale * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    # Rounding must not leave out a share of 0 or 1.
    low, high = min(share, middle - reach), max(share, middle + reach)
    return Interval(low, high, "wilson").within(0, 1)


def expected_half_width(games: int, deviation: float = TYPICAL_DEVIATION) -> float:
    """Return the expected half width of an interval after *games* of a bot.

    *deviation* is that of its scores. The any-time interval is about a third wider.
    """
    return NormalDist().inv_cdf(1 - ERROR / 2) * deviation / sqrt(games)


def games_to_detect(difference: float, power: float, deviation: float) -> int:
    """Return how many shared games tell apart bots that differ by *difference*.

    A test at 5 % detects it with probability *power*, if the differences of their
    scores have the *deviation* from game to game.
    """
    normal = NormalDist()
    reach = normal.inv_cdf(1 - ERROR / 2) + normal.inv_cdf(power)
    return ceil((reach * deviation / difference) ** 2)


def chance_of_none(blocks: Sequence[float]) -> float | None:
    """Return the probability of a mean this large if the true mean were 0 (t test).

    The test is two-sided. `None` if `fixed_interval` has no interval.
    """
    if len(blocks) < BOOTSTRAP_BLOCKS:
        return None
    mean, error = spread(blocks)
    return tail(mean / error, len(blocks) - 1) if error else None


@lru_cache(maxsize=4)
def _resamples(count: int) -> tuple[Callable[[Sequence[float]], Sequence[float]], ...]:
    """Return functions that draw *count* values from as many, with replacement."""
    # The seed is fixed, so that the same blocks have the same interval.
    draws = NumberStream(1)
    drawn = ([draws.below(count) for _ in range(count)] for _ in range(RESAMPLES))
    return tuple(itemgetter(*places) for places in drawn)


def _ratio(resampled: Sequence[float]) -> float:
    """Return mean over standard error; infinite if all values are equal."""
    count = len(resampled)
    mean = sum(resampled) / count
    squares = sum(map(mul, resampled, resampled)) - count * mean * mean
    error = sqrt(max(0.0, squares) / (count - 1) / count)
    if error > NO_SPREAD:
        return mean / error
    return copysign(inf, mean) if abs(mean) > NO_SPREAD else 0.0


TINY = 1e-300
CONVERGED = 1e-14
MOST_STEPS = 500


def tail(t: float, freedom: float) -> float:
    """Return the probability of |T| above |*t*|, with *freedom* degrees of freedom."""
    whole = freedom + t * t
    return _incomplete_beta(freedom / 2, 0.5, freedom / whole, t * t / whole)


@cache
def quantile(probability: float, freedom: float) -> float:
    """Return the t that T stays below with *probability*, from 0 to 1 exclusive."""
    if probability < 1 / 2:
        return -quantile(1 - probability, freedom)
    outside = 2 * (1 - probability)
    low, high = 0.0, 1.0
    while tail(high, freedom) > outside:
        low, high = high, 2 * high
    while high - low > CONVERGED * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > outside else (low, middle)
    return high


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularized function at *x*; *rest* is 1 - x without rounding."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, rest, x)
    factor = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest)
    return exp(factor) / a * _continued_fraction(a, b, x)


def _continued_fraction(a: float, b: float, x: float) -> float:
    result, above, below = 1.0, 1.0, 0.0
    for step in range(1, MOST_STEPS):
        part = _coefficient(a, b, x, step)
        below = 1 / (1 + part * below or TINY)
        above = 1 + part / above or TINY
        result *= above * below
        if abs(1 - above * below) < CONVERGED:
            break
    return 1 / result


def _coefficient(a: float, b: float, x: float, step: int) -> float:
    """Return the numerator of *step* from 1 (Abramowitz and Stegun, 26.5.8)."""
    m, is_odd = divmod(step, 2)
    if is_odd:
        return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
