"""What a report of a large tournament costs: time and memory, on synthetic outcomes.

Usage: python bench/tournament_report.py [GAMES] [BOTS]
"""

import resource
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from daide_server.running.reporting.report_facts import ReportSource  # noqa: E402
from daide_server.running.reporting.report_files import write_report  # noqa: E402
from daide_server.tournament.figures import figures_by  # noqa: E402
from daide_server.tournament.standings import standings  # noqa: E402
from tests.support.tournaments import played_ledger  # noqa: E402

GAMES = 10_000
BOTS = 8


def memory() -> float:
    """Return the most memory that the process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    """Draw the outcomes, then make the table, then the report."""
    games, bots = (*map(int, sys.argv[1:3]), *(GAMES, BOTS)[len(sys.argv) - 1 :])
    strengths = [0.6 + 0.1 * bot for bot in range(bots)]
    ledger = played_ledger(games=games, strengths=strengths)
    print(f"{len(ledger.played)} games of {bots} bots, {memory():.0f} MB")
    start = process_time()
    make = figures_by(ledger.plan.description)
    known = {game: make(played) for game, played in ledger.played.items()}
    print(f"scores from results: {process_time() - start:.1f} s of processor time")
    start = process_time()
    standings(ledger, figures_of=lambda played: known[played.game])
    print(f"table with intervals: {process_time() - start:.1f} s")
    with TemporaryDirectory() as folder:
        begin, start = perf_counter(), process_time()
        page = write_report(ReportSource(ledger), Path(folder))
        took = process_time() - start
        sizes = [path.stat().st_size for path in page.parent.iterdir()]
        print(
            f"report: {took:.1f} s of processor time, {perf_counter() - begin:.1f} s"
            f" in all, at most {memory():.0f} MB; files: {sum(sizes) / 1e6:.1f} MB"
        )


if __name__ == "__main__":
    main()
