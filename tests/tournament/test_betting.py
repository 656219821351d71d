"""The any-time interval against its formula, closed forms and a simulation."""

from collections.abc import Iterator
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.tournament.betting import GRID, BettingInterval
from daide_server.tournament.chance import NumberStream


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
