"""What a report is made of: the results, and everything that follows from them."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import field

from daide_server.classes import frozen
from daide_server.running.tournament_folder import TournamentFolder
from daide_server.tournament.figures import (
    FiguresOf,
    Remembered,
    figures_by,
    tally_blocks,
)
from daide_server.tournament.game_outcomes import (
    GameOutcome,
    Incident,
    Ledger,
    PlayedGame,
    ThinkTimes,
    incidents,
)
from daide_server.tournament.pairs import (
    Comparison,
    VersionResult,
    cross_table,
    version_results,
)
from daide_server.tournament.standings import (
    BotStanding,
    PlannedGames,
    TournamentStatus,
    standings,
    status_object,
)

from .report_details import ReportDetails, details_of


@frozen
class ReportSource:
    """The results of a tournament, to be reported.

    `figures_of` may have cached figures. `detailed` returns the outcomes again, with
    the think times and the centres by year that those of the ledger may lack. Links
    go to the records and logs in `home`; `None`: there are none.
    """

    ledger: Ledger
    planned: PlannedGames = ()
    figures_of: FiguresOf | None = None
    detailed: Callable[[], Iterable[GameOutcome]] | None = None
    home: TournamentFolder | None = None
    running: int = 0
    stopped: str | None = None


@frozen
class ReportFacts:
    """All that a report shows.

    `course` has the mean score of each bot after each finished block, by the number of
    the last game of the block.
    """

    source: ReportSource
    figures_of: FiguresOf
    rows: Sequence[BotStanding]
    pairs: Sequence[Comparison]
    status: TournamentStatus
    incidents: Sequence[Incident]
    details: ReportDetails
    versions: Sequence[VersionResult]
    course: Mapping[int, Sequence[tuple[int, float]]] = field(repr=False)

    @property
    def ledger(self) -> Ledger:
        """The outcomes that count."""
        return self.source.ledger

    @property
    def counted(self) -> Sequence[PlayedGame]:
        """The games of finished blocks."""
        return [game for block in self.ledger.blocks() for game in block]

    def think_times(self, row: BotStanding) -> ThinkTimes:
        """Return how long a bot thought, in all games."""
        return self.details.think_times[row.bot]


def facts(source: ReportSource) -> ReportFacts:
    """Return all that a report of *source* shows."""
    ledger = source.ledger
    figures_of = source.figures_of or Remembered(figures_by(ledger.plan.description))
    rows = standings(ledger, source.planned, figures_of, rated=True)
    outcomes = source.detailed() if source.detailed else ledger.played.values()
    return ReportFacts(
        source=source,
        figures_of=figures_of,
        rows=rows,
        pairs=cross_table(ledger, figures_of),
        status=status_object(
            ledger, rows, running=source.running, stopped=source.stopped
        ),
        incidents=tuple(incidents(ledger)),
        details=details_of(ledger, outcomes),
        versions=version_results(ledger, figures_of),
        course=course_of(ledger, figures_of),
    )


def course_of(
    ledger: Ledger, figures_of: FiguresOf
) -> Mapping[int, Sequence[tuple[int, float]]]:
    """Return `ReportFacts.course`."""
    ends = [
        ledger.plan.block_games(block)[-1]
        for block in range(1, ledger.finished_blocks + 1)
    ]
    found: dict[int, list[tuple[int, float]]] = {}
    for bot, tally in enumerate(tally_blocks(ledger, figures_of)):
        total, count, course = 0.0, 0, found.setdefault(bot, [])
        for end, scores in zip(ends, tally.scores, strict=True):
            total, count = total + sum(scores), count + len(scores)
            if count:
                course.append((end, total / count))
    return found
