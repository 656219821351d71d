"""The tables of a tournament for a terminal: standings, pairs, powers, incidents."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table

from daide_server.board.names import Power
from daide_server.tournament.incidents import Incident
from daide_server.tournament.intervals import Interval
from daide_server.tournament.pairs import Comparison
from daide_server.tournament.standings import BotStanding, Results

from .styled_output import add_row, table, text

UNKNOWN: Final = "-"
"""What is not known yet."""

MOST_INCIDENTS: Final = 20
"""The first so many are printed; the report has all."""

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


def cross_table_view(
    rows: Sequence[BotStanding], pairs: Sequence[Comparison]
) -> RenderableType:
    """Return a matrix of mean differences of scores: the row less the column.

    A star marks those that hold up after Holm's correction.
    """
    cells: Mapping[tuple[int, int], str] = {
        key: cell for pair in pairs for key, cell in _both_ways(pair).items()
    }
    ranks = tuple(str(rank) for rank in range(1, len(rows) + 1))
    made = table("", "bot", *ranks, numbers=("", *ranks))
    for rank, row in zip(ranks, rows, strict=True):
        found = (cells.get((row.bot, other.bot), UNKNOWN) for other in rows)
        add_row(made, (rank, row.name, *found))
    note = "* holds up: with 95 %, all starred differences together are right"
    return Group(made, text(note)) if any(pair.holds for pair in pairs) else made


def power_table(rows: Sequence[BotStanding], powers: Sequence[Power]) -> Table:
    """Return the mean score of each bot with each power."""
    made = table("bot", *powers, numbers=powers)
    for row in rows:
        by_power = row.results.by_power if row.results else {}
        scores = (by_power[each].score if each in by_power else None for each in powers)
        add_row(made, (row.name, *map(score_text, scores)))
    return made


def incident_lines(incidents: Iterable[Incident]) -> list[str]:
    """Return a line for each of the first *incidents*, and how many more there are."""
    found = list(incidents)
    lines = [_incident(each) for each in found[:MOST_INCIDENTS]]
    more = len(found) - len(lines)
    return [*lines, f"and {more} more: see the report"] if more else lines


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


def _both_ways(pair: Comparison) -> dict[tuple[int, int], str]:
    one, other = pair.pair
    star = "*" if pair.holds else " "
    return {
        (one, other): f"{pair.difference:+.3f}{star}",
        (other, one): f"{-pair.difference:+.3f}{star}",
    }


def _incident(incident: Incident) -> str:
    attempt = incident.attempt
    place = f"game {attempt.game}"
    place += f", attempt {attempt.number}" if attempt.number > 1 else ""
    who = f" of {incident.bot} as {incident.power}" if incident.bot else ""
    when = f" in {incident.turn}" if incident.turn else ""
    then = f"; {incident.afterwards}" if incident.afterwards else ""
    return f"{place}: {incident.kind}{who}{when}: {incident.reason}{then}"
