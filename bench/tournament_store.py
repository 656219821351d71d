"""What a store of 10,000 games costs: its size, storing a game, and `status`.

The games are not played: results are drawn, with the details that real ones have.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from attrs import evolve

sys.path.insert(0, str(Path(__file__).parents[1]))

from daide_server.tournament.game_outcomes import PlayedGame, scored
from daide_server.tournament.plan import Plan, plan_of
from daide_server.tournament.run.store import open_store
from daide_server.tournament.run.tournament_file import read_tournament
from daide_server.usage import think_times
from tests.support.tournaments import POWERS, played
from tests.tournament.cups import write_cup

GAMES = 10_000
TURNS = 50
YEARS = 20


def with_details(game: PlayedGame, draws: Random) -> PlayedGame:
    """Return *game* with times of its turns, and centres of its years."""
    seats = tuple(
        evolve(
            seat, think_times=think_times([draws.expovariate(10) for _ in range(TURNS)])
        )
        for seat in game.seats
    )
    years = {power: tuple(range(YEARS)) for power in POWERS}
    return evolve(game, seats=seats, centres_by_year=years)


def fill(folder: Path) -> tuple[Plan, float]:
    """Store all games; return the plan and the seconds for each."""
    described = read_tournament(folder / "tournament.toml").description()
    plan = plan_of(described, ())
    store = open_store(folder, described)
    store.change(plan, 0)
    draws = Random(1)
    drawn = (with_details(played(game), draws) for game in plan.all_games())
    games = [scored(game, described) for game in drawn]
    spent = 0.0
    for game in games:
        began = time.perf_counter()
        store.add(game, seconds=3)
        spent += time.perf_counter() - began
    store.close()
    return plan, spent / plan.games


def measured(*command: str) -> tuple[float, float, float]:
    """Return seconds, seconds of CPU, and MB of a command, each the least of three."""
    code = (
        "import resource, subprocess, sys; "
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    )
    found = []
    for _ in range(3):
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", code, *command],
            check=True,
            capture_output=True,
            text=True,
        )
        cpu, memory = map(float, done.stdout.split())
        found.append((time.perf_counter() - began, cpu, memory))
    seconds, cpus, memories = zip(*found, strict=True)
    return min(seconds), min(cpus), min(memories)


def report(title: str, *command: str) -> None:
    """Print what *command* costs."""
    seconds, cpu, memory = measured(*command)
    print(f"{title}: {seconds:.2f} s, CPU {cpu:.2f} s, {memory:.0f} MB", flush=True)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = write_cup(Path(name), games=GAMES)
        plan, each = fill(folder)
        size = (folder / "results.db").stat().st_size / 1e6
        print(f"{plan.games} games: {size:.0f} MB, {1000 * each:.1f} ms to store one")
        python = (sys.executable, "-m", "daide_server")
        status = ("tournament", "status", name, "--json")
        report("--help", *python, "--help")
        report("status, computed anew", *python, *status)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"this program: {own:.0f} MB")


if __name__ == "__main__":
    main()
