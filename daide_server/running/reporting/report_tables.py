"""The tables of a report: standings as CSV and Markdown, games as CSV."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from daide_server.board.names import Power
from daide_server.formats.tables import csv_line
from daide_server.scoring.systems import points, score
from daide_server.tournament.figures import SeatFigures
from daide_server.tournament.game_outcomes import PlayedGame
from daide_server.tournament.standings import BotStanding

from .report_charts import interval_note, signed_text
from .report_facts import ReportFacts

Cell = str | float | int | None

STANDING_COLUMNS: Final = (
    *("rank", "bot", "version", "games", "score", "low", "high"),
    *("low_fixed", "high_fixed", "fixed_is_rough"),
    *("rating", "rating_low", "rating_high"),
    *("wins", "draws", "survivals", "eliminations", "centres", "place"),
    *("clean_games", "clean_score", "forfeits", "voids", "refused", "late"),
    *("think_p50", "think_p99", "think_longest"),
)
"""Then the mean score with each power. Times are in seconds."""

GAME_COLUMNS: Final = (
    *("game", "block", "counted", "attempt", "ending", "winner"),
    *("first_year", "last_year", "forfeits"),
)
"""Then for each power its bot, centres, and score by each system."""

DECIMALS: Final = 6

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~])")
"""What Markdown may read as more than text."""


def standings_csv(found: ReportFacts) -> str:
    """Return a row for each bot, in the order of the table."""
    powers = found.ledger.plan.description.powers
    rows = [
        [rank, *_standing(found, row), *_by_power(row, powers)]
        for rank, row in enumerate(found.rows, start=1)
    ]
    head = (*STANDING_COLUMNS, *(f"score_{power}" for power in powers))
    return _csv(head, rows)


def _standing(found: ReportFacts, row: BotStanding) -> Iterator[Cell]:
    results, fixed, times = row.results, row.fixed, found.think_times(row)
    yield from (row.name, " ".join(row.versions), row.games, row.score)
    yield from (row.any_time.low, row.any_time.high)
    yield from (fixed.low, fixed.high, int(fixed.is_rough)) if fixed else (None,) * 3
    rating = row.rating
    yield from (rating.points, rating.low, rating.high) if rating else (None,) * 3
    if results is None:
        yield from (None,) * 8
    else:
        ends = results.endings
        yield from (ends.wins, ends.draws, ends.survivals, ends.eliminations)
        yield from (results.centres, results.place)
        yield from (results.clean_games, results.clean_score)
    troubles = row.troubles
    yield from (troubles.forfeits, troubles.voids, troubles.refused, troubles.late)
    yield from (times.quantile(0.5), times.quantile(0.99))
    yield times.longest if times.turns else None


def _by_power(row: BotStanding, powers: Iterable[Power]) -> Iterator[Cell]:
    by_power = row.results.by_power if row.results else {}
    for power in powers:
        yield by_power[power].score if power in by_power else None


def games_csv(found: ReportFacts) -> str:
    """Return a row for each played game, in plan order.

    The score by the system that ranks is 0 for a seat that was forfeited, if the
    tournament is scored so; the other systems score what is on the board.
    """
    described = found.ledger.plan.description
    systems = (described.rank_by, *described.also)
    columns = ("bot", "centres", *(f"score_{system}" for system in systems))
    head = (
        *GAME_COLUMNS,
        *(f"{power}_{column}" for power in described.powers for column in columns),
    )
    played = found.ledger.played
    return _csv(head, (_game_row(found, played[game]) for game in sorted(played)))


def _game_row(found: ReportFacts, game: PlayedGame) -> list[Cell]:
    described, result = found.ledger.plan.description, game.result
    planned = found.ledger.plan.game(game.game)
    forfeits = " ".join(seat.power for seat in game.seats if seat.forfeit)
    row: list[Cell] = [
        *(game.game, planned.block, int(planned.block <= found.ledger.finished_blocks)),
        *(game.attempt, "solo" if result.soloist else "draw", result.soloist),
        *(result.first_year, result.last_year, forfeits),
    ]
    others = [score(points(system, result)) for system in described.also]
    seats = {seat.power: seat for seat in found.figures_of(game)}
    for power in described.powers:
        seat: SeatFigures = seats[power]
        row += [described.bots[seat.bot].name, seat.centres, seat.score]
        row += [float(each[power]) for each in others]
    return row


def standings_markdown(found: ReportFacts) -> str:
    """Return the table of standings for a text in Markdown."""
    status = found.status
    played = f"{status.played} of {status.games} games played"
    figures = RATED if status.is_ladder else SCORED
    head = ["", "bot", "games", *figures, "forfeits"]
    lines = [
        f"# {_literal(status.name)}",
        "",
        f"{played}, by {_literal(status.rank_by)}.",
        "",
        _markdown_row(head),
        _markdown_row(["--:", ":--", *["--:"] * (len(head) - 2)]),
        *(_markdown_row(cells) for cells in _markdown_cells(found.rows, figures)),
    ]
    return "\n".join(lines) + "\n"


Figures = Mapping[str, Callable[[BotStanding], str]]
"""What a cell says of a bot, by the head of its column."""


def _score(row: BotStanding) -> str:
    return "" if row.score is None else f"{row.score:.3f}"


def _fixed(row: BotStanding) -> str:
    return f"{row.fixed.low:.3f} to {row.fixed.high:.3f}" if row.fixed else ""


SCORED: Final[Figures] = {
    "score": _score,
    "any time 95 %": lambda row: f"{row.any_time.low:.3f} to {row.any_time.high:.3f}",
    "fixed 95 %": _fixed,
}
RATED: Final[Figures] = {
    "rating": lambda row: signed_text(row.rating.points) if row.rating else "",
    "95 %": lambda row: interval_note(row.rating) if row.rating else "",
    "score": _score,
}


def _markdown_cells(
    rows: Sequence[BotStanding], figures: Figures
) -> Iterator[Sequence[str]]:
    for rank, row in enumerate(rows, start=1):
        cells = (cell(row) for cell in figures.values())
        forfeits = str(row.troubles.forfeits)
        yield str(rank), _literal(row.name), str(row.games), *cells, forfeits


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _literal(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _csv(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    return "".join(csv_line(map(_rounded, row)) + "\n" for row in (head, *rows))


def _rounded(cell: Cell) -> Cell:
    return round(cell, DECIMALS) if isinstance(cell, float) else cell
