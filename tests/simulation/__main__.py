"""Run seeds until one fails: `make simulate SEEDS=10000`.

`python -m tests.simulation --first 7 --seeds 1` repeats a run; with a file of a
scenario it runs that; `--bugs` runs each planted bug until it is found.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median

from .faults import CELLS, STAGES
from .planted import BUGS
from .scenario import KINDS, Fault, Scenario, as_json, draw, read
from .shrinking import shrink
from .simulate import Outcome, simulate

REPORT_SECONDS = 5.0
"""How often the progress is printed."""
RARE = 1.0
"""What too few of 100 seeds reach: a fault of `scenario.draw`."""
WANTED = 0.9
"""The share of the planted bugs that must be found."""


def main() -> int:
    """Return the exit code: 1 after a failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("scenario", nargs="?", type=Path, help="a file of one scenario")
    parser.add_argument("--seeds", type=int, default=10_000, help="how many to run")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--bugs", action="store_true", help="find the planted bugs")
    given = parser.parse_args()
    if given.scenario is not None:
        outcome = simulate(read(given.scenario.read_bytes()))
        print("\n".join(outcome.problems) or f"all invariants held: {outcome.digest}")
        return 1 if outcome.problems else 0
    if given.bugs:
        return _find_bugs(given.seeds)
    return _run_seeds(given.first, given.seeds)


def _run_seeds(first: int, count: int) -> int:
    began = reported = time.monotonic()
    met: Counter[tuple[type[Fault], str]] = Counter()
    for done in range(count):
        scenario = draw(first + done)
        outcome = simulate(scenario)
        met.update(outcome.met)
        if outcome.problems:
            return _fail(first + done, scenario, outcome)
        now = time.monotonic()
        if now - reported > REPORT_SECONDS or done + 1 == count:
            reported = now
            rate = (done + 1) / (now - began)
            print(f"{done + 1} of {count} seeds, {rate:.1f} a second", flush=True)
    _print_reached(met, count)
    return 0


def _fail(seed: int, scenario: Scenario, outcome: Outcome) -> int:
    print(f"seed {seed} failed:", *outcome.problems[:10], sep="\n  ")
    print(f"repeat it: python -m tests.simulation --first {seed} --seeds 1")
    print("the smallest scenario found, to be kept in tests/simulation/found:")
    print(as_json(shrink(scenario)).decode())
    return 1


def _print_reached(met: Counter[tuple[type[Fault], str]], count: int) -> None:
    """Print in how many seeds each fault met a game in each stage."""
    shares = {cell: 100 * met[cell] / count for cell in CELLS}
    print(f"in how many seeds of 100 a fault met a game, {', '.join(STAGES)}:")
    for kind in KINDS:
        row = [shares.get((kind, stage)) for stage in STAGES]
        cells = ["-" if share is None else f"{share:.1f}" for share in row]
        print(f"{kind.__name__:12}", *(f"{cell:>11}" for cell in cells))
    rare = [
        f"{kind.__name__} {stage}"
        for (kind, stage), share in shares.items()
        if share < RARE
    ]
    print(f"in less than {RARE} of 100:", ", ".join(rare) or "none")


def _find_bugs(seeds: int) -> int:
    needed: list[int] = []
    for name, plant in BUGS.items():
        with plant():
            found = next(
                (at for at in range(seeds) if simulate(draw(at)).problems), None
            )
        print(
            f"{name}: {'not found' if found is None else f'seed {found}'}", flush=True
        )
        needed += [] if found is None else [found + 1]
    after = f", median after {median(needed)} seeds" if needed else ""
    print(f"{len(needed)} of {len(BUGS)} found{after}")
    return 0 if len(needed) >= WANTED * len(BUGS) else 1


if __name__ == "__main__":
    sys.exit(main())
