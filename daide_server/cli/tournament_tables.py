"""The table of a tournament for a terminal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from rich.table import Table

from daide_server.tournament.intervals import Interval
from daide_server.tournament.standings import BotStanding, Results

from .styled_output import add_row, table

UNKNOWN: Final = "-"
"""What is not known yet."""

ENDING_COLUMNS: Final = ("win", "draw", "survive", "out", "centres")

TROUBLE_COLUMNS: Final[Mapping[str, Callable[[BotStanding], int]]] = {
    "forfeits": lambda row: row.troubles.forfeits,
    "voids": lambda row: row.troubles.voids,
    "refused": lambda row: row.troubles.refused,
    "late": lambda row: row.troubles.late,
}


def standings_table(rows: Sequence[BotStanding]) -> Table:
    """Return the table of bots: scores with intervals, endings, troubles.

    The interval for a fixed number of games, and each kind of trouble, have a column if
    any bot has one; `~` marks an interval that is rough.
    """
    fixed = ("fixed 95 %",) if any(row.fixed for row in rows) else ()
    troubles = [
        each for each in TROUBLE_COLUMNS if any(map(TROUBLE_COLUMNS[each], rows))
    ]
    columns = ("games", "score", "any time 95 %", *fixed, *ENDING_COLUMNS, *troubles)
    made = table("", "bot", *columns, numbers=("", *columns))
    for rank, row in enumerate(rows, start=1):
        cells = (str(row.games), score_text(row.score), interval_text(row.any_time))
        between = (interval_text(row.fixed),) if fixed else ()
        counts = (str(TROUBLE_COLUMNS[each](row)) for each in troubles)
        add_row(
            made,
            (str(rank), bot_title(row), *cells, *between, *_ends(row), *counts),
            style="bold" if rank == 1 and row.results else "",
        )
    return made


def score_text(score: float | None) -> str:
    """Return a score, or what stands for one that is not known."""
    return UNKNOWN if score is None else f"{score:.3f}"


def interval_text(interval: Interval | None) -> str:
    """Return the ends of *interval*; `~` marks one that is rough."""
    if interval is None:
        return UNKNOWN
    rough = "~" if interval.is_rough else ""
    return f"{rough}{interval.low:.3f}-{interval.high:.3f}"


def bot_title(row: BotStanding) -> str:
    """Return the bot's name with its versions."""
    return " ".join((row.name, *row.versions))


def _ends(row: BotStanding) -> tuple[str, ...]:
    if row.results is None:
        return (UNKNOWN,) * len(ENDING_COLUMNS)
    return (*_shares(row.results), f"{row.results.centres:.1f}")


def _shares(results: Results) -> Iterable[str]:
    ends = results.endings
    shares = (ends.wins, ends.draws, ends.survivals, ends.eliminations)
    return (f"{share:.0%}" for share in shares)
