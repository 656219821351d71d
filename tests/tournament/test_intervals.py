"""Intervals against closed forms, known values and a small simulation."""

from math import pi, sqrt, tan
from statistics import NormalDist

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daide_server.tournament.chance import NumberStream
from daide_server.tournament.intervals import (
    bootstrap_t,
    chance_of_none,
    expected_half_width,
    fixed_interval,
    quantile,
    student_t,
    tail,
)

KNOWN = [
    (0.975, 1, 12.706204736),
    (0.975, 2, 4.302652730),
    (0.975, 5, 2.570581836),
    (0.975, 9, 2.262157163),
    (0.975, 29, 2.045229642),
    (0.975, 59, 2.000995378),
    (0.975, 199, 1.971956544),
    (0.995, 10, 3.169272667),
    (0.95, 4, 2.131846786),
]


@pytest.mark.parametrize(("probability", "freedom", "t"), KNOWN)
def test_quantiles_are_those_of_the_tables(
    probability: float, freedom: int, t: float
) -> None:
    assert quantile(probability, freedom) == pytest.approx(t, abs=1e-8)
    assert quantile(1 - probability, freedom) == pytest.approx(-t, abs=1e-8)


@given(st.floats(0.001, 0.999))
def test_one_and_two_degrees_have_closed_forms(probability: float) -> None:
    """Cauchy's distribution, and (2 p - 1) / sqrt(2 p (1 - p))."""
    one = tan(pi * (probability - 0.5))
    two = (2 * probability - 1) / sqrt(2 * probability * (1 - probability))
    assert quantile(probability, 1) == pytest.approx(one, rel=1e-8, abs=1e-8)
    assert quantile(probability, 2) == pytest.approx(two, rel=1e-8, abs=1e-8)


@example(probability=0.5000063933378188, freedom=69)
@given(st.floats(0.5, 0.9999), st.integers(1, 500))
def test_the_quantile_inverts_the_probability(probability: float, freedom: int) -> None:
    t = quantile(probability, freedom)
    assert 1 - tail(t, freedom) / 2 == pytest.approx(probability, abs=1e-10)


def test_many_degrees_are_normal() -> None:
    assert quantile(0.975, 1e7) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-6)
    assert expected_half_width(420) == pytest.approx(0.026, abs=0.001)


def test_the_t_interval_is_the_textbook_s() -> None:
    """Values 0..40: mean 20, variance 143.5, t(40) = 2.021075."""
    interval = student_t([float(each) for each in range(41)])
    assert interval.half_width == pytest.approx(2.0210754 * sqrt(143.5 / 41), rel=1e-7)
    assert (interval.low + interval.high) / 2 == pytest.approx(20)


@pytest.mark.parametrize(
    ("blocks", "method"),
    [(9, None), (10, "bootstrap-t"), (29, "bootstrap-t"), (30, "t")],
)
def test_the_method_goes_by_the_number_of_blocks(
    blocks: int, method: str | None
) -> None:
    interval = fixed_interval([at % 4 / 4 for at in range(blocks)])
    assert (interval.method if interval else None) == method


def test_an_interval_from_a_few_lucky_blocks_is_rough() -> None:
    """One block in fifteen: with 30 blocks nothing to lean on, with 900 it is."""
    lucky = [1.0] + [0.0] * 14
    few, many = fixed_interval(lucky * 2), fixed_interval(lucky * 60)
    assert few is not None
    assert few.is_rough
    assert few.within(0, 1).is_rough
    assert many is not None
    assert not many.is_rough


def test_equal_blocks_have_no_fixed_interval() -> None:
    assert fixed_interval([1 / 3] * 50) is None
    assert chance_of_none([0.0] * 50) is None


def test_the_bootstrap_reaches_further_to_the_side_of_the_tail() -> None:
    """Rare large values: the truth may be far above what was seen, not far below."""
    values = [0.0] * 16 + [0.1, 0.1, 0.2, 0.8]
    mean = sum(values) / 20
    interval = bootstrap_t(values)
    assert interval.high - mean > 1.5 * (mean - interval.low)
    assert interval == bootstrap_t(values)


def test_the_chance_is_that_of_the_t_test() -> None:
    """A mean that is exactly at the end of the interval has a chance of 5 %."""
    values = [at % 5 - 1.7 for at in range(40)]
    low = student_t(values).low
    assert chance_of_none([value - low for value in values]) == pytest.approx(0.05)


def test_t_covers_at_one_look() -> None:
    """400 times 40 blocks: 95 % within four standard errors."""
    draws = NumberStream(12)
    hit = 0
    for _ in range(400):
        means = [sum(draws.unit() ** 3 for _ in range(7)) / 7 for _ in range(40)]
        interval = student_t(means)
        hit += interval.low <= 0.25 <= interval.high
    assert 0.905 <= hit / 400 <= 0.99
