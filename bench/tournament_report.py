"""What the table and the report of a large tournament cost: time, and memory.

The games are drawn, not played; they are in a store, and the commands are those of a
user, each in a process of its own.

Usage: python bench/tournament_report.py [GAMES] [BOTS]
"""

import argparse
import os
import sys
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from daide_server.tournament.game_outcomes import scored  # noqa: E402
from daide_server.tournament.run.tournament_state import playing  # noqa: E402
from tests.support.tournaments import drawn_game  # noqa: E402
from tests.tournament.cups import write_cup  # noqa: E402

GAMES = 10_000
BOTS = 8


def fill(folder: Path, strengths: list[float]) -> None:
    """Store the outcomes of all games of the tournament in *folder*."""
    with playing(folder) as (state, _):
        assert state.store is not None
        for planned in state.plan.all_games():
            game = scored(drawn_game(planned, strengths), state.plan.description)
            state.store.add(game, seconds=1)


def show(*words: str) -> None:
    """Run a command of the program; print what it took."""
    command = [sys.executable, "-m", "daide_server", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    begin = perf_counter()
    process = Popen(command, stdout=DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert not process.returncode
    print(
        f"{' '.join(words[:2])}: {usage.ru_utime + usage.ru_stime:.1f} s of processor "
        f"time, {perf_counter() - begin:.1f} s, {usage.ru_maxrss / 1000:.0f} MB"
    )


def main() -> None:
    """Fill a store, then print the table, then write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=GAMES)
    parser.add_argument("bots", type=int, nargs="?", default=BOTS)
    chosen = parser.parse_args()
    games, bots = chosen.games, chosen.bots
    with TemporaryDirectory() as folder:
        cup = write_cup(Path(folder) / "cup", games=games, bots=bots)
        fill(cup, [0.6 + 0.1 * bot for bot in range(bots)])
        print(f"{games} games of {bots} bots in the store")
        show("tournament", "status", str(cup))
        show("tournament", "report", str(cup))
        sizes = [path.stat().st_size for path in (cup / "report").iterdir()]
        print(f"files of the report: {sum(sizes) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
