"""Intervals against closed forms, known values and a small simulation."""

from collections.abc import Iterator
from math import log, pi, sqrt, tan
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.tournament.betting import GRID, BettingInterval
from daide_server.tournament.chance import NumberStream
from daide_server.tournament.intervals import (
    bootstrap_t,
    chance_of_none,
    expected_half_width,
    fixed_interval,
    student_t,
)
from daide_server.tournament.student import density, quantile, tail

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


@given(st.floats(0.5, 0.9999), st.integers(1, 500))
def test_the_quantile_inverts_the_probability(probability: float, freedom: int) -> None:
    t = quantile(probability, freedom)
    assert 1 - tail(t, freedom) / 2 == pytest.approx(probability, abs=1e-10)


def test_many_degrees_are_normal() -> None:
    assert quantile(0.975, 1e7) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-6)
    assert density(0.0, 1e7) == pytest.approx(1 / sqrt(2 * pi), abs=1e-6)


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


def test_planning_knows_what_to_expect() -> None:
    assert expected_half_width(420) == pytest.approx(0.026, abs=0.001)


# Betting


def stakes(
    blocks: list[list[float]], planned: int, error: float
) -> Iterator[tuple[list[float], float]]:
    """Yield each block with its stake, which the values before it decide."""
    seen: list[float] = []
    for block in blocks:
        means = [(0.5 + sum(seen[:i])) / (i + 1) for i in range(1, len(seen) + 1)]
        off = sum((x - mean) ** 2 for x, mean in zip(seen, means, strict=True))
        v = (1 / 16 + off) / (len(seen) + 1)
        yield block, sqrt(2 * log(2 / error) / (v * planned))
        seen += block


def reference(blocks: list[list[float]], planned: int, error: float) -> list[int]:
    """Return the candidates that are left, by the formula word for word."""
    bets = list(stakes(blocks, planned, error))
    alive = []
    for at in range(GRID + 1):
        m, up, down, kept = at / GRID, 1.0, 1.0, True
        for block, stake in bets:
            for x in block:
                up *= 1 + min(stake, 1 / (2 * m) if m else stake) * (x - m)
                down *= 1 - min(stake, 1 / (2 * (1 - m)) if m < 1 else stake) * (x - m)
            kept = kept and max(up, down) / 2 < 1 / error
        if kept:
            alive.append(at)
    return alive


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.9])
def test_the_interval_is_that_of_the_formula(chance: float) -> None:
    """To the step of the grid that was dropped last."""
    draws = NumberStream(5)
    blocks = [[float(draws.unit() < chance) for _ in range(7)] for _ in range(20)]
    betting = BettingInterval()
    for block in blocks:
        betting.add(block, 140)
    alive = reference(blocks, 140, 0.05)
    assert (alive[0] - 1) / GRID - 1e-12 <= betting.low <= alive[0] / GRID
    assert alive[-1] / GRID <= betting.high <= (alive[-1] + 1) / GRID + 1e-12


def test_what_always_wins_has_a_closed_form() -> None:
    """All 1, stakes 1 / (2 m): (1 + (1 - m) / (2 m))^200 = 40 at the lower end."""
    betting = BettingInterval()
    betting.add([1.0] * 200, 200)
    growth = 40 ** (1 / 200) - 1
    assert betting.low == pytest.approx(1 / (1 + 2 * growth), abs=1e-5)
    assert betting.high == 1.0


@given(st.lists(st.lists(st.floats(0, 1), max_size=9), max_size=30))
def test_it_only_ever_gets_narrower(blocks: list[list[float]]) -> None:
    betting = BettingInterval()
    low, high = 0.0, 1.0
    for block in blocks:
        betting.add(block, 100)
        assert low <= betting.low <= betting.high <= high
        low, high = betting.low, betting.high


def test_a_bot_that_always_loses_has_an_interval_from_zero() -> None:
    betting = BettingInterval()
    for _ in range(60):
        betting.add([0.0] * 7, 420)
    assert betting.low == 0.0
    assert betting.high < 0.03


def test_long_blocks_stay_within_the_floats() -> None:
    betting = BettingInterval()
    betting.add([0.0, 1.0] * 2500, 5000)
    assert 0.4 < betting.low < 0.5 < betting.high < 0.6


@pytest.mark.parametrize(
    ("tournaments", "most"), [(50, 7), pytest.param(200, 18, marks=pytest.mark.long)]
)
def test_coverage_at_all_looks_together(tournaments: int, most: int) -> None:
    """At most 5 % of tournaments of 30 blocks, unequal powers, ever exclude the mean.

    A true 5 % would exceed *most* in about one run of 200; the seed is fixed.
    """
    draws = NumberStream(11)
    chances = [0.05, 0.1, 0.1, 0.2, 0.3, 0.4, 0.6]
    mean = sum(chances) / 7
    missed = 0
    for _ in range(tournaments):
        betting = BettingInterval()
        for _ in range(30):
            betting.add([float(draws.unit() < chance) for chance in chances], 210)
        missed += not betting.low <= mean <= betting.high
    assert missed <= most


def test_t_covers_at_one_look() -> None:
    """400 times 40 blocks: 95 % within four standard errors."""
    draws = NumberStream(12)
    hit = 0
    for _ in range(400):
        means = [sum(draws.unit() ** 3 for _ in range(7)) / 7 for _ in range(40)]
        interval = student_t(means)
        hit += interval.low <= 0.25 <= interval.high
    assert 0.905 <= hit / 400 <= 0.99
