"""Student's t distribution: probabilities and quantiles, to about ten digits.

The probability is a regularised incomplete beta function, by its continued fraction
(Lentz's method); the quantile inverts it by Newton's method.
"""

from functools import cache
from math import exp, lgamma, log, pi
from statistics import NormalDist
from typing import Final

TINY: Final = 1e-300
CONVERGED: Final = 1e-14
MOST_STEPS: Final = 500


def tail(t: float, freedom: float) -> float:
    """Return the chance that |T| exceeds |*t*|, with *freedom* degrees of freedom."""
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
    t = min(max(NormalDist().inv_cdf(probability), low), high)
    for _ in range(MOST_STEPS):
        excess = tail(t, freedom) - outside
        low, high = (t, high) if excess > 0 else (low, t)
        step = t + excess / (2 * density(t, freedom))
        new = step if low < step < high else (low + high) / 2
        if abs(new - t) <= CONVERGED * max(1.0, t):
            return new
        t = new
    return t


def density(t: float, freedom: float) -> float:
    """Return the density of Student's distribution at *t*."""
    scale = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * pi) / 2
    return exp(scale - (freedom + 1) / 2 * log(1 + t * t / freedom))


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return it at *x*; *rest* is 1 - x, which may be too small for a difference."""
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
