"""The files of a report: tables as CSV and Markdown, results as JSON, the page.

Numbers are not rounded, so that the mean of a column equals the figure in the report.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os.path import relpath
from pathlib import Path
from urllib.parse import quote

import msgspec
from attrs import asdict, astuple

from daide_server.board.names import Power
from daide_server.library.archive import replace
from daide_server.records.formats.tables import csv_line
from daide_server.scoring.systems import points, score
from daide_server.tournament.game_outcomes import Incident, PlayedGame
from daide_server.tournament.pairs import Comparison, VersionResult
from daide_server.tournament.plan import PlannedGame
from daide_server.tournament.standings import BotStatus
from daide_server.usage import USAGE_COLUMNS, usage_cells

from .report_page import RecordLinks, ReportFacts, page, template
from .standing_columns import MARKDOWN_STYLE, columns_of

Cell = str | float | int | None

STANDING_COLUMNS = (
    *("rank", "entrant", "bot", "version", "games", "score", "low", "high"),
    *("low_fixed", "high_fixed", "fixed_is_rough"),
    *("rating", "rating_low", "rating_high"),
    *("win", "draw", "shared", "survived", "eliminated", "centres", "place"),
    *("won_seats", "won_low", "won_high"),
    *("clean_games", "clean_score", "forfeits", "voids", "refused", "late"),
    *("think_p50", "think_p99", "think_longest", "never_ordered"),
    *(*USAGE_COLUMNS, "cost_per_game"),
)
"""The mean score with each power follows. Times are in seconds."""

GAME_COLUMNS = (
    *("game", "tournament", "number", "block", "counted", "attempt", "ending"),
    *("winners", "first_year", "last_year", "years"),
)
POWER_COLUMNS = (
    *("game", "tournament", "number", "block", "counted", "ending"),
    *("power", "entrant", "bot", "version", "forfeit", "stand_in"),
    *("end", "centres", "eliminated", "place", "refused", "late"),
    *("never_ordered", *USAGE_COLUMNS, "score"),
)
"""The words are those of the tables of records. `score` is the score that counts: 0 for
a forfeited seat, if the tournament scores forfeits so. The share by each system of
`also` follows, which ignores forfeits."""


def standings_csv(found: ReportFacts) -> str:
    """Return a row for each bot, in the order of the table."""
    powers = found.ledger.plan.description.powers
    rows = [
        [rank, *_standing(found, row), *_by_power(row, powers)]
        for rank, row in enumerate(found.rows, start=1)
    ]
    head = (*STANDING_COLUMNS, *(f"score_{power}" for power in powers))
    return _csv(head, rows)


def _standing(found: ReportFacts, row: BotStatus) -> Iterator[Cell]:
    rate, times = row.win_rate, found.think_times[row.bot]
    yield from (row.name, " ".join(row.said_names), " ".join(row.versions))
    yield from (row.games, row.score, row.low, row.high)
    yield from (row.low_fixed, row.high_fixed)
    yield None if row.low_fixed is None else int(row.fixed_is_rough)
    yield from (row.rating, row.rating_low, row.rating_high)
    yield from astuple(row.endings) if row.endings else (None,) * 5
    yield from (row.centres, row.place)
    ends = (rate.share, rate.interval.low, rate.interval.high) if rate else (None,) * 3
    yield from ends
    yield from (row.clean_games if row.games else None, row.clean_score)
    yield from (row.forfeits, row.voids, row.refused, row.late)
    yield from (times.quantile(0.5), times.quantile(0.99))
    yield times.longest if times.turns else None
    yield row.never_ordered
    yield from (*usage_cells(row.usage), row.cost_per_game)


def _by_power(row: BotStatus, powers: Iterable[Power]) -> Iterator[Cell]:
    for power in powers:
        yield row.by_power[power].score if power in row.by_power else None


def games_csv(found: ReportFacts) -> str:
    """Return a row for each played game, in the order of the plan."""
    rows = []
    for planned, game in _games(found):
        result = game.result
        winners = [result.soloist] if result.soloist else sorted(result.sharing)
        rows.append(
            [
                *_head(found, planned)[:5],
                *(game.attempt, _ending(game), " ".join(winners)),
                *(result.first_year, result.last_year),
                result.last_year - result.first_year + 1,
            ]
        )
    return _csv(GAME_COLUMNS, rows)


def powers_csv(found: ReportFacts) -> str:
    """Return a row for each power of each played game, in the order of the plan."""
    also = found.ledger.plan.description.also
    rows = (
        row for planned, game in _games(found) for row in _seats(found, planned, game)
    )
    return _csv((*POWER_COLUMNS, *also), rows)


def _games(found: ReportFacts) -> Iterator[tuple[PlannedGame, PlayedGame]]:
    for number, game in sorted(found.ledger.played.items()):
        yield found.ledger.plan.game(number), game


def _head(found: ReportFacts, planned: PlannedGame) -> list[Cell]:
    """Return the first cells of the tables of games and powers."""
    name, number = found.ledger.plan.description.name, planned.number
    is_counted = planned.block <= found.ledger.finished_blocks
    return [f"{name}-{number:06}", name, number, planned.block, is_counted]


def _ending(game: PlayedGame) -> str:
    if game.ending or game.result.soloist:
        return game.ending or "solo"
    return "draw" if game.result.by_vote else "year limit"


def _seats(
    found: ReportFacts, planned: PlannedGame, game: PlayedGame
) -> Iterator[list[Cell]]:
    described, result = found.ledger.plan.description, game.result
    others = [score(points(system, result)) for system in described.also]
    for seat in game.seats:
        forfeit = seat.forfeit.text if seat.forfeit else None
        yield [
            *(*_head(found, planned), _ending(game), seat.power),
            *(described.bots[seat.bot].name, seat.said_name, seat.version, forfeit),
            *(seat.stand_in, seat.end.value, seat.centres),
            *(result.eliminated.get(seat.power), seat.place),
            *(seat.refused, seat.late, seat.never_ordered),
            *(*usage_cells(seat.usage), seat.score),
            *(float(each[seat.power]) for each in others),
        ]


def standings_markdown(found: ReportFacts) -> str:
    """Return the table of standings for a text in Markdown."""
    return template("standings.md.jinja").render(
        found=found,
        status=found.status,
        columns=columns_of("markdown", found.status.kind),
        style=MARKDOWN_STYLE,
    )


def _csv(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    return "".join(csv_line(row) + "\n" for row in (head, *rows))


def results_json(found: ReportFacts) -> str:
    """Return the object of `status --json`, with pairs, incidents, versions."""
    names = [bot.name for bot in found.ledger.plan.description.bots]
    result = {
        **asdict(found.status),
        "pairs": [_pair(each, names) for each in found.pairs],
        "incidents": [_incident(each) for each in found.incidents],
        "versions": [_version(each, names) for each in found.versions],
    }
    return msgspec.json.format(msgspec.json.encode(result), indent=1).decode() + "\n"


def _pair(pair: Comparison, names: list[str]) -> dict[str, object]:
    one, other = pair.pair
    return {
        "bot": names[one],
        "against": names[other],
        "games": pair.games,
        "difference": pair.difference,
        "low": pair.interval and pair.interval.low,
        "high": pair.interval and pair.interval.high,
        "better": pair.better,
        "holds": pair.holds,
    }


def _version(result: VersionResult, names: list[str]) -> dict[str, object]:
    interval, change = result.interval, result.change_interval
    return {
        "bot": names[result.bot],
        "version": result.version,
        "games": result.games,
        "score": result.score,
        "low": interval and interval.low,
        "high": interval and interval.high,
        "change": result.change,
        "change_low": change and change.low,
        "change_high": change and change.high,
    }


def _incident(incident: Incident) -> dict[str, object]:
    attempt = incident.attempt
    values = asdict(incident, recurse=False) | {"attempt": attempt.number}
    return {"game": attempt.game, **values}


PAGE = "index.html"

REPORT_FILES: Mapping[str, Callable[[ReportFacts], str]] = {
    "standings.csv": standings_csv,
    "games.csv": games_csv,
    "powers.csv": powers_csv,
    "results.json": results_json,
    "standings.md": standings_markdown,
}


def write_report(
    found: ReportFacts, folder: Path, *, has_replays: bool = False
) -> Path:
    """Write the report to *folder*; return the path of its page.

    If it *has_replays* in the folder `games` beside it, it links to them instead of
    logs. Existing files are replaced. Raises `OSError`, and `ScoringError` if a scoring
    system does not fit the board.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in REPORT_FILES.items():
        replace(folder / name, make(found).encode())
    path = folder / PAGE
    home = found.home.path if found.home and not has_replays else folder
    above = quote(Path(relpath(home, folder)).as_posix())
    links = RecordLinks(found.home, above, has_replays=has_replays)
    replace(path, page(found, tuple(REPORT_FILES), links).encode())
    return path
