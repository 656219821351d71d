"""The simulated world: some seeds, and whether it would find what it must find."""

from pathlib import Path

import pytest

from .planted import BUGS
from .scenario import as_json, draw, read
from .shrinking import shrink
from .simulate import simulate

SEEDS = 200
BLOCKS = 10
"""Into how many tests the seeds are cut, which run beside each other."""
FOUND = Path(__file__).with_name("found")
QUICKLY_FOUND = {
    "orders are not kept": 30,
    "press is told twice": 10,
    "press reaches austria too": 10,
    "who leaves takes the orders along": 20,
    "the rest of a frame is forgotten": 20,
}
"""Five of the planted bugs, and within how many seeds each is found."""


@pytest.mark.parametrize("block", range(BLOCKS))
def test_all_invariants_hold(block: int) -> None:
    """`python -m tests.simulation` runs as many as one likes."""
    size = SEEDS // BLOCKS
    for seed in range(block * size, (block + 1) * size):
        assert simulate(draw(seed)).problems == (), f"seed {seed}"


@pytest.mark.parametrize(
    "path", sorted(FOUND.glob("*.json")), ids=lambda path: path.stem
)
def test_what_was_found_once_stays_mended(path: Path) -> None:
    assert simulate(read(path.read_bytes())).problems == ()


@pytest.mark.parametrize(("bug", "seeds"), QUICKLY_FOUND.items())
def test_a_planted_bug_is_found(bug: str, seeds: int) -> None:
    with BUGS[bug]():
        assert any(simulate(draw(seed)).problems for seed in range(seeds))


@pytest.mark.parametrize("seed", [3, 28])
def test_a_seed_has_one_run(seed: int) -> None:
    """Also if another was run in between, and after a way through JSON."""
    first = simulate(draw(seed))
    simulate(draw(seed + 1))
    assert simulate(read(as_json(draw(seed)))) == first


def test_a_failing_scenario_is_made_smaller() -> None:
    with BUGS["the time of a restart counts"]():
        scenario = next(
            found for found in map(draw, range(30)) if simulate(found).problems
        )
        smaller = shrink(scenario)
        assert simulate(smaller).problems
    assert len(smaller.faults) == 1
