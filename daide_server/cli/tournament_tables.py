"""The table of a tournament for a terminal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from attrs import astuple
from rich.table import Table

from daide_server.tournament.designs import DesignKind
from daide_server.tournament.intervals import Interval
from daide_server.tournament.ratings import Rating, points_text
from daide_server.tournament.standings import BotStanding, Results

from .styled_output import add_row, table

UNKNOWN: Final = "-"
"""What is not known yet."""

ENDING_COLUMNS: Final = ("win", "draw", "shared", "survived", "out", "centres")

TROUBLE_COLUMNS: Final[Mapping[str, Callable[[BotStanding], int]]] = {
    "forfeits": lambda row: row.troubles.forfeits,
    "voids": lambda row: row.troubles.voids,
    "refused": lambda row: row.troubles.refused,
    "late": lambda row: row.troubles.late,
}


Columns = dict[str, Callable[[BotStanding], str]]
"""What a cell says of a bot, by the head of its column."""


def standings_table(
    rows: Sequence[BotStanding], kind: DesignKind = "line-ups"
) -> Table:
    """Return the table of bots: scores with intervals, endings, troubles.

    The interval for a fixed number of games, and each kind of trouble, have a column if
    any bot has one; `~` marks an interval that is rough. In a ladder ratings have
    intervals, and scores none. One against six, the share of won seats has one.
    """
    figures = _ladder_columns() if kind == "ladder" else _score_columns(rows)
    if kind == "one-against-six":
        figures["won seats 95 %"] = win_rate_text
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


def win_rate_text(row: BotStanding) -> str:
    """Return the share of seats that won alone, and its interval."""
    if row.results is None:
        return UNKNOWN
    rate = row.results.win_rate
    ends = f"{100 * rate.interval.low:.1f}-{100 * rate.interval.high:.1f}"
    return f"{100 * rate.share:.1f}% ({ends})"


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
    return (f"{share:.1%}" for share in astuple(results.endings))
