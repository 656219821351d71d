"""The data of a report, and its page: the values of the template.

All data came from bots and files of strangers, so the template escapes all text. The
page loads nothing and has no script.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import jinja2
from attrs import field, frozen

import daide_server
from daide_server import __version__
from daide_server.pictures.palette import STANDARD_PAIRS
from daide_server.records.record import Ending
from daide_server.tournament import game_outcomes, pairs, standings
from daide_server.tournament.description import TournamentDescription
from daide_server.tournament.pairs import Comparison, VersionResult
from daide_server.tournament.run.tournament_state import TournamentFolder
from daide_server.tournament.standings import BotStatus, TournamentStatus
from daide_server.usage import ThinkTimes, all_think_times

from . import curves
from . import standing_columns as columns


def _details(
    ledger: game_outcomes.Ledger, outcomes: Iterable[game_outcomes.GameOutcome]
) -> tuple[Mapping[int, ThinkTimes], Mapping[int, Sequence[float]], int]:
    """Return the think times and mean centres of each bot, and the first year."""
    bots = range(len(ledger.plan.description.bots))
    times: list[list[ThinkTimes]] = [[] for _ in bots]
    centres: list[list[tuple[float, Sequence[int]]]] = [[] for _ in bots]
    finished = ledger.plan.block_games(ledger.finished_blocks + 1).start
    first_year = 0
    for outcome in outcomes:
        counted = ledger.played.get(outcome.game)
        if not isinstance(outcome, game_outcomes.PlayedGame) or counted is None:
            continue
        if counted.attempt != outcome.attempt:
            continue
        first_year = outcome.result.first_year
        copies = Counter(seat.bot for seat in outcome.seats)
        for seat in outcome.seats:
            times[seat.bot].append(seat.think_times)
            counts = outcome.centres_by_year.get(seat.power)
            if outcome.game < finished and counts:
                centres[seat.bot].append((1 / copies[seat.bot], counts))
    means = dict(enumerate(map(_mean_centres, centres)))
    return dict(enumerate(map(all_think_times, times))), means, first_year


def _mean_centres(seats: Sequence[tuple[float, Sequence[int]]]) -> Sequence[float]:
    """Return the mean centres of each year; *seats* have weights and centres."""
    games = sum(share for share, _ in seats)
    return [
        sum(share * counts[min(year, len(counts) - 1)] for share, counts in seats)
        / games
        for year in range(max((len(counts) for _, counts in seats), default=0))
    ]


@frozen
class ReportFacts:
    """All data of a report.

    `course` has the mean score of each bot after each finished block, by the number of
    the last game of the block. `think_times` are of all games; `centres` are means by
    year from the start on, in finished blocks, and empty if records have none. A bot
    with several seats counts with its mean per game. A finished game keeps its last
    centres, so that all means are over the same games. Links go to the records and logs
    in `home`; `None`: there are none.
    """

    ledger: game_outcomes.Ledger
    home: TournamentFolder | None
    status: TournamentStatus
    pairs: Sequence[Comparison]
    incidents: Sequence[game_outcomes.Incident]
    think_times: Mapping[int, ThinkTimes]
    centres: Mapping[int, Sequence[float]]
    first_year: int
    versions: Sequence[VersionResult]
    course: Mapping[int, Sequence[tuple[int, float]]] = field(repr=False)

    @property
    def rows(self) -> Sequence[BotStatus]:
        """The table, with ratings."""
        return self.status.bots

    @property
    def counted(self) -> Sequence[game_outcomes.PlayedGame]:
        """The games of finished blocks."""
        return [game for block in self.ledger.blocks() for game in block]


def facts(
    ledger: game_outcomes.Ledger,
    detailed: Iterable[game_outcomes.GameOutcome] | None = None,
    home: TournamentFolder | None = None,
    *,
    running: int = 0,
    stopped: str | None = None,
) -> ReportFacts:
    """Return the data of a report of *ledger*.

    *detailed* are the same outcomes with think times and centres by year, which those
    in the ledger may lack.
    """
    rows = standings.standings(ledger, rated=True)
    if detailed is None:
        detailed = ledger.played.values()
    times, centres, first_year = _details(ledger, detailed)
    return ReportFacts(
        ledger=ledger,
        home=home,
        status=standings.status_object(ledger, rows, running=running, stopped=stopped),
        pairs=pairs.cross_table(ledger),
        incidents=tuple(game_outcomes.incidents(ledger)),
        think_times=times,
        centres=centres,
        first_year=first_year,
        versions=pairs.version_results(ledger),
        course=course_of(ledger),
    )


def course_of(
    ledger: game_outcomes.Ledger,
) -> Mapping[int, Sequence[tuple[int, float]]]:
    """Return each bot's (last game, mean score so far) of the finished blocks."""
    ends = [
        ledger.plan.block_games(block)[-1]
        for block in range(1, ledger.finished_blocks + 1)
    ]
    found: dict[int, list[tuple[int, float]]] = {}
    for bot, tally in enumerate(standings.tally_blocks(ledger)):
        total, count, course = 0.0, 0, found.setdefault(bot, [])
        for end, scores in zip(ends, tally.scores, strict=True):
            total, count = total + sum(scores), count + len(scores)
            if count:
                course.append((end, total / count))
    return found


TEMPLATES = Path(__file__).with_name("templates")
LOOK_FOLDER = Path(daide_server.__file__).with_name("web") / "static"
"""The folder of `look.css`, which the report and the page share."""
MOST_LISTED = 500
"""Incidents of one kind that the page lists; `results.json` has all."""
MOST_CURVES = 12
"""The maximum number of curves, of the best bots: more lines look alike."""


@frozen
class RecordLinks:
    """Links of incidents to logs and records in the folder `home`.

    `above` is its address, relative to the page. With replays there are only links to
    these.
    """

    home: TournamentFolder | None
    above: str
    has_replays: bool = False

    def log(self, incident: game_outcomes.Incident) -> str | None:
        """Return the link to the logs of *incident*; `None` if there are none."""
        if self.home is None or self.has_replays:
            return None
        logs = self.home.logs(incident.attempt)
        return f"{self.above}/logs/{logs.name}/" if logs.is_dir() else None

    def record(self, incident: game_outcomes.Incident) -> str | None:
        """Return the link to the record of its game; `None` if there is none."""
        if self.home is None or incident.kind == "void":
            return None
        record = self.home.record(incident.attempt.game)
        name = f"{record.stem}.html" if self.has_replays else record.name
        return f"{self.above}/games/{name}" if record.is_file() else None


def page(found: ReportFacts, files: Sequence[str], links: RecordLinks) -> str:
    """Return the report as HTML, with links to the *files* beside it."""
    described, kind = found.ledger.plan.description, found.status.kind
    course = {
        bot: [(game, 100 * score) for game, score in line]
        for bot, line in found.course.items()
    }
    start = found.first_year - 1
    centres = {bot: list(enumerate(line, start)) for bot, line in found.centres.items()}
    listings = defaultdict[str, list[game_outcomes.Incident]](list)
    for incident in found.incidents:
        listings[incident.kind].append(incident)
    return template("report.html.jinja").render(
        found=found,
        described=described,
        status=found.status,
        plan=found.ledger.plan,
        powers=described.powers,
        power_colours=STANDARD_PAIRS,
        even=1 / len(described.powers),
        score_columns=columns.columns_of("report", kind, columns.SCORE_COLUMNS),
        ending_columns=columns.columns_of("report", kind, columns.ENDING_COLUMNS),
        trouble_columns=columns.columns_of("report", kind, columns.TROUBLE_COLUMNS),
        style=columns.HTML_STYLE,
        hottest=_hottest(found.rows),
        colours=curves.colour_numbers(row.name for row in found.rows),
        cells=pairs.both_ways(found.pairs),
        course=_plot(found, "{:.1f} %", course),
        centres=_plot(found, "{:.1f}", centres),
        listings=listings,
        most_listed=MOST_LISTED,
        links=links,
        has_deadlines=_has_deadlines(described),
        summary=_summary(found),
        unplayed=unplayed_games(found.ledger),
        files=files,
        version=__version__,
        **_axes(found.rows),
    )


def _axes(rows: Sequence[BotStatus]) -> Mapping[str, object]:
    """Return the axes of scores and ratings, and which bots are on that of ratings."""
    rated = [row for row in rows if row.rating is not None]
    ends = ((row.rating_low, row.rating, row.rating_high) for row in rated)
    return {
        # A ladder may have no bots yet.
        "scores": curves.score_axis(max((row.high for row in rows), default=1.0)),
        "ratings": curves.rating_axis(chain.from_iterable(ends)),
        "rated": sorted(rated, key=lambda row: -(row.rating or 0.0)),
        # With anchors, their ratings determine what 0 means.
        "is_free": not any(row.anchor for row in rows),
        "texts": {
            "signed": columns.signed_text,
            "share": lambda each: f"{100 * each:.3g} %",
        },
    }


def _has_deadlines(described: TournamentDescription) -> bool:
    limits = (described.terms.get(f"game.{key}", "") for key in ("mtl", "rtl", "btl"))
    return any(limit not in {"", "0", "None"} for limit in limits)


def _hottest(rows: Sequence[BotStatus]) -> float:
    cells = (each.score for row in rows for each in row.by_power.values())
    return max(cells, default=0.0) or 1.0


def _plot(
    found: ReportFacts, form: str, points: Mapping[int, curves.CurvePoints]
) -> curves.Plot | None:
    """Return the curves of the best bots, through the *points* of each."""
    lines = {row.name: points[row.bot] for row in found.rows}
    return curves.plot(lines, form.format, MOST_CURVES)


def _summary(found: ReportFacts) -> Mapping[str, float]:
    """Return the shares of endings over all counted games, and the mean last year."""
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


def unplayed_games(ledger: game_outcomes.Ledger) -> Mapping[str, str]:
    """Return the unplayed games as ranges, by reason."""
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
    """Return sorted *numbers* as a list in words: 3, 7 to 9, 12."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join(" to ".join(map(str, run)) for run in runs)


@cache
def template(name: str) -> jinja2.Template:
    """Return a template of the report; text is escaped in HTML."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader((TEMPLATES, LOOK_FOLDER)),
        autoescape=jinja2.select_autoescape(["html.jinja", "css"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": columns.percent_text,
        "seconds": seconds_text,
        "signed": columns.signed_text,
        "literal": lambda text: SPECIAL.sub(r"\\\1", " ".join(text.split())),
    }
    return environment.get_template(name)


SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~])")
"""Characters with a meaning in Markdown."""


def seconds_text(seconds: float | None) -> str:
    """Return a time with its unit, or a dash if it was not measured."""
    if seconds is None:
        return "-"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
