"""The page of a report: its charts, the values of the template, and the page itself.

Everything in it came from bots and files of strangers, so the template escapes all
text. The page loads nothing and has no script.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen
from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    StrictUndefined,
    Template,
)

import daide_server
from daide_server import __version__
from daide_server.pictures.palette import STANDARD_PAIRS
from daide_server.records.entries import Ending
from daide_server.reports.curves import (
    Axis,
    Plot,
    Tick,
    colour_numbers,
    percent_text,
    plot,
    rating_axis,
    score_axis,
)
from daide_server.running.tournament_folder import TournamentFolder
from daide_server.tournament.description import TournamentDescription
from daide_server.tournament.game_outcomes import Incident, IncidentKind, Ledger
from daide_server.tournament.pairs import both_ways
from daide_server.tournament.ratings import points_text
from daide_server.tournament.standings import BotStatus

from .report_facts import ReportFacts

Span = tuple[float, float]


@frozen
class Bar:
    """A bot in a chart; `at` and the intervals are in per cent of the axis.

    `rank` counts from 0, `colour` is that of `colour_numbers`. `text` and `note` are
    the value and its interval in words.
    """

    name: str
    rank: int
    colour: int
    text: str
    note: str
    at: float | None
    interval: Span | None
    fixed: Span | None = None
    is_rough: bool = False


@frozen
class Chart:
    """Bars, the ticks of their axis, and where a bot that is like all others is."""

    bars: Sequence[Bar]
    ticks: Sequence[Tick]
    even: float | None


def score_chart(rows: Sequence[BotStatus], powers: int) -> Chart:
    """Return the scores of *rows* with both intervals; *powers* share each game."""
    axis = score_axis(max(row.high for row in rows))
    colours = colour_numbers(row.name for row in rows)
    bars = [
        _score_bar(row, rank, colours[row.name], axis) for rank, row in enumerate(rows)
    ]
    return Chart(bars, axis.ticks(_short_percent), axis.at(1 / powers))


def _short_percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _score_bar(row: BotStatus, rank: int, colour: int, axis: Axis) -> Bar:
    score, low, high = row.score, row.low_fixed, row.high_fixed
    return Bar(
        name=row.name,
        rank=rank,
        colour=colour,
        text=percent_text(score),
        note=f"{100 * row.low:.1f}\N{EN DASH}{percent_text(row.high)}",
        at=None if score is None else axis.at(score),
        interval=_ends(axis, row.low, row.high) if score is not None else None,
        fixed=_ends(axis, low, high),
        is_rough=row.fixed_is_rough,
    )


def rating_chart(rows: Sequence[BotStatus]) -> Chart | None:
    """Return the ratings of *rows*, the best first; `None` if there are none."""
    rated = [
        (row.rating, rank, row)
        for rank, row in enumerate(rows)
        if row.rating is not None
    ]
    if not rated:
        return None
    axis = rating_axis(
        end
        for rating, _, row in rated
        for end in (row.rating_low, rating, row.rating_high)
    )
    colours = colour_numbers(row.name for row in rows)
    bars = [
        Bar(
            name=row.name,
            rank=rank,
            colour=colours[row.name],
            text=signed_text(rating),
            note=interval_note(row),
            at=axis.at(rating),
            interval=_ends(axis, row.rating_low, row.rating_high),
        )
        for rating, rank, row in sorted(rated, key=lambda each: -each[0])
    ]
    # With anchors, 0 is wherever their ratings say.
    is_free = not any(row.anchor for row in rows)
    return Chart(bars, axis.ticks(signed_text), axis.at(0.0) if is_free else None)


def _ends(axis: Axis, low: float | None, high: float | None) -> Span | None:
    return None if low is None or high is None else (axis.at(low), axis.at(high))


def signed_text(points: float) -> str:
    """Return *points* of Elo's scale, with the sign of a printed text."""
    return points_text(points).replace("-", "\N{MINUS SIGN}")


def interval_note(row: BotStatus) -> str:
    """Return the interval of the rating of a bot in words."""
    if row.anchor:
        return "anchor"
    if row.rating_low is None or row.rating_high is None:
        return "too few blocks"
    return f"{signed_text(row.rating_low)} to {signed_text(row.rating_high)}"


LOOK_FOLDER: Final = Path(daide_server.__file__).with_name("web") / "static"
"""It has `look.css`, which the report shares with the page."""
MOST_LISTED: Final = 500
"""Incidents of one kind on the page; `results.json` has all."""
MOST_CURVES: Final = 12
"""Of the best bots: more lines cannot be told from each other."""


@frozen
class Listed:
    """An incident with the links to its log and its record (`None`: there is none)."""

    incident: Incident
    log: str | None
    record: str | None


@frozen
class RecordLinks:
    """Where the links of incidents go: to logs and records in the folder `home`.

    `above` is its address, from the page. With replays they go to these only.
    """

    home: TournamentFolder | None
    above: str
    has_replays: bool = False

    def of(self, incident: Incident) -> Listed:
        """Return *incident* with its links."""
        if self.home is None:
            return Listed(incident, None, None)
        logs = self.home.logs(incident.attempt)
        record = self.home.record(incident.attempt.game)
        has_record = incident.kind != "void" and record.is_file()
        has_logs = logs.is_dir() and not self.has_replays
        name = f"{record.stem}.html" if self.has_replays else record.name
        return Listed(
            incident,
            f"{self.above}/logs/{logs.name}/" if has_logs else None,
            f"{self.above}/games/{name}" if has_record else None,
        )


def page(found: ReportFacts, files: Sequence[str], links: RecordLinks) -> str:
    """Return the report as HTML, with links to the *files* beside it."""
    described = found.ledger.plan.description
    return _template().render(
        found=found,
        described=described,
        status=found.status,
        plan=found.ledger.plan,
        powers=described.powers,
        power_colours=STANDARD_PAIRS,
        even=1 / len(described.powers),
        scores=score_chart(found.rows, len(described.powers)),
        ratings=rating_chart(found.rows),
        hottest=_hottest(found.rows),
        colours=_colours(found),
        cells=both_ways(found.pairs),
        course=_course(found),
        centres=_centres(found),
        listings={kind: listing(found, kind, links) for kind in INCIDENT_KINDS},
        has_deadlines=_has_deadlines(described),
        summary=_summary(found),
        unplayed=unplayed_games(found.ledger),
        files=files,
        has_replays=links.has_replays,
        version=__version__,
    )


INCIDENT_KINDS: Final[Sequence[IncidentKind]] = ("forfeit", "void", "stand-in")


def listing(
    found: ReportFacts, kind: IncidentKind, links: RecordLinks
) -> Mapping[str, object]:
    """Return the first incidents of *kind* with their links, and how many there are."""
    chosen = [each for each in found.incidents if each.kind == kind]
    return {"shown": list(map(links.of, chosen[:MOST_LISTED])), "count": len(chosen)}


def _has_deadlines(described: TournamentDescription) -> bool:
    limits = (described.terms.get(f"game.{key}", "") for key in ("mtl", "rtl", "btl"))
    return any(limit not in {"", "0", "None"} for limit in limits)


def _hottest(rows: Sequence[BotStatus]) -> float:
    cells = (each.score for row in rows for each in row.by_power.values())
    return max(cells, default=0.0) or 1.0


def _course(found: ReportFacts) -> Plot | None:
    best = found.rows[:MOST_CURVES]
    lines = {
        row.name: [(game, 100 * score) for game, score in found.course[row.bot]]
        for row in best
    }
    return plot(lines, "{:.1f} %".format, _colours(found))


def _centres(found: ReportFacts) -> Plot | None:
    start = found.details.first_year - 1
    lines = {
        row.name: list(enumerate(found.details.centres[row.bot], start=start))
        for row in found.rows[:MOST_CURVES]
    }
    return plot(lines, "{:.1f}".format, _colours(found))


def _colours(found: ReportFacts) -> Mapping[str, int]:
    return colour_numbers(row.name for row in found.rows)


def _summary(found: ReportFacts) -> Mapping[str, float]:
    """Return shares of how all counted games ended, and their mean last year."""
    games, kinds = found.counted, Counter(each.kind for each in found.incidents)
    count = len(games) or 1
    solos = sum(game.result.soloist is not None for game in games) / count
    draws = sum(game.result.by_vote for game in games) / count
    stalemates = sum(game.ending == Ending.STALEMATE.value for game in games) / count
    return {
        "counted": len(games),
        "solos": solos,
        "draws": draws,
        "stalemates": stalemates,
        "shared": len(games) / count - solos - draws - stalemates,
        "last_year": sum(game.result.last_year for game in games) / count,
        "forfeits": kinds["forfeit"],
        "voids": kinds["void"],
    }


def unplayed_games(ledger: Ledger) -> Mapping[str, str]:
    """Return the games that are not played, as ranges, by the reason."""
    by_reason: dict[str, list[int]] = {}
    for game in ledger.unplayed:
        reason = "because their retries are used up"
        for bot in sorted(ledger.left_out_of(game)):
            name = ledger.plan.description.bots[bot].name
            why = "was removed" if bot in ledger.retired else "forfeited too often"
            reason = f"because {name} {why}"
        by_reason.setdefault(reason, []).append(game)
    return {reason: ranges(games) for reason, games in by_reason.items()}


def ranges(numbers: Sequence[int]) -> str:
    """Return sorted *numbers* as people list them: 3, 7 to 9, 12."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join(" to ".join(map(str, run)) for run in runs)


@cache
def _template() -> Template:
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader(__package__, "templates"), FileSystemLoader(LOOK_FOLDER)]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent_text
    environment.filters["seconds"] = seconds_text
    environment.filters["signed"] = signed_text
    environment.filters["interval_note"] = interval_note
    return environment.get_template("report.html.jinja")


def seconds_text(seconds: float | None) -> str:
    """Return a time with a unit, or a dash for one that was not measured."""
    if seconds is None:
        return "-"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
