"""The table of a tournament for a terminal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from rich.table import Table

from daide_server.tournament.intervals import Interval
from daide_server.tournament.ratings import Rating, points_text
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


Columns = Mapping[str, Callable[[BotStanding], str]]
"""What a cell says of a bot, by the head of its column."""


def standings_table(rows: Sequence[BotStanding], *, is_ladder: bool = False) -> Table:
    """Return the table of bots: scores with intervals, endings, troubles.

    The interval for a fixed number of games, and each kind of trouble, have a column if
    any bot has one; `~` marks an interval that is rough. In a ladder ratings have
    intervals, and scores none.
    """
    figures = _ladder_columns() if is_ladder else _score_columns(rows)
    troubles = [
        each for each in TROUBLE_COLUMNS if any(map(TROUBLE_COLUMNS[each], rows))
    ]
    columns = ("games", *figures, *ENDING_COLUMNS, *troubles)
    made = table("", "bot", *columns, numbers=("", *columns))
    for rank, row in enumerate(rows, start=1):
        cells = (cell(row) for cell in figures.values())
        counts = (str(TROUBLE_COLUMNS[each](row)) for each in troubles)
        add_row(
            made,
            (str(rank), bot_title(row), str(row.games), *cells, *_ends(row), *counts),
            style="bold" if rank == 1 and row.results else "",
        )
    return made


def _score_columns(rows: Sequence[BotStanding]) -> Columns:
    columns: dict[str, Callable[[BotStanding], str]] = {
        "score": lambda row: score_text(row.score),
        "any time 95 %": lambda row: interval_text(row.any_time),
    }
    if any(row.fixed for row in rows):
        columns["fixed 95 %"] = lambda row: interval_text(row.fixed)
    return columns


def _ladder_columns() -> Columns:
    return {
        "rating": lambda row: rating_text(row.rating),
        "95 %": lambda row: rating_ends(row.rating),
        "score": lambda row: score_text(row.score),
    }


def score_text(score: float | None) -> str:
    """Return a score, or what stands for one that is not known."""
    return UNKNOWN if score is None else f"{score:.3f}"


def interval_text(interval: Interval | None) -> str:
    """Return the ends of *interval*; `~` marks one that is rough."""
    if interval is None:
        return UNKNOWN
    rough = "~" if interval.is_rough else ""
    return f"{rough}{interval.low:.3f}-{interval.high:.3f}"


def rating_text(rating: Rating | None) -> str:
    """Return a rating in points, or what stands for one that is not known."""
    return UNKNOWN if rating is None else points_text(rating.points)


def rating_ends(rating: Rating | None) -> str:
    """Return the ends of the interval of *rating*; an anchor has none."""
    if rating is not None and rating.is_anchor:
        return "anchor"
    if rating is None or rating.low is None or rating.high is None:
        return UNKNOWN
    return f"{points_text(rating.low)} to {points_text(rating.high)}"


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
