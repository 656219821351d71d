"""What a report is made of: the results, and everything that follows from them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field, frozen

from daide_server.running.tournament_folder import TournamentFolder
from daide_server.tournament.game_outcomes import (
    GameOutcome,
    Incident,
    Ledger,
    PlayedGame,
    incidents,
)
from daide_server.tournament.pairs import (
    Comparison,
    VersionResult,
    cross_table,
    version_results,
)
from daide_server.tournament.standings import (
    BotStatus,
    TournamentStatus,
    standings,
    status_object,
    tally_blocks,
)
from daide_server.usage import ThinkTimes, all_think_times


@frozen
class ReportDetails:
    """By bot: its times in all games, and its mean centres by year in finished blocks.

    A bot with copies counts with its mean per game. The first entry of `centres` is the
    start of the game. A game that is over keeps its last centres, so that each mean is
    of the same games. Without records of centres the sequences are empty.
    """

    think_times: Mapping[int, ThinkTimes]
    centres: Mapping[int, Sequence[float]]
    first_year: int


def details_of(ledger: Ledger, outcomes: Iterable[GameOutcome]) -> ReportDetails:
    """Return the sums over those of *outcomes* that count in *ledger*."""
    bots = range(len(ledger.plan.description.bots))
    times: list[list[ThinkTimes]] = [[] for _ in bots]
    centres = [_Centres() for _ in bots]
    finished = ledger.plan.block_games(ledger.finished_blocks + 1).start
    first_year = 0
    for outcome in outcomes:
        if not isinstance(outcome, PlayedGame) or not _counts(ledger, outcome):
            continue
        first_year = outcome.result.first_year
        copies = Counter(seat.bot for seat in outcome.seats)
        for seat in outcome.seats:
            times[seat.bot].append(seat.think_times)
            if outcome.game < finished:
                counts = outcome.centres_by_year.get(seat.power, ())
                centres[seat.bot].add(counts, 1 / copies[seat.bot])
    return ReportDetails(
        dict(enumerate(map(all_think_times, times))),
        {bot: each.means() for bot, each in enumerate(centres)},
        first_year,
    )


def _counts(ledger: Ledger, outcome: PlayedGame) -> bool:
    counted = ledger.played.get(outcome.game)
    return counted is not None and counted.attempt == outcome.attempt


@define
class _Centres:
    """Sums by year; `kept` has what games that ended in the year before keep."""

    games: float = 0.0
    sums: dict[int, float] = field(factory=lambda: defaultdict(float))
    kept: dict[int, float] = field(factory=lambda: defaultdict(float))

    def add(self, counts: Sequence[int], share: float) -> None:
        """Add a seat that is a *share* of the bot's game."""
        if not counts:
            return
        self.games += share
        for year, count in enumerate(counts):
            self.sums[year] += count * share
        self.kept[len(counts)] += counts[-1] * share

    def means(self) -> Sequence[float]:
        found: list[float] = []
        kept = 0.0
        for year in range(max(self.kept, default=0)):
            kept += self.kept.get(year, 0.0)
            found.append((self.sums.get(year, 0.0) + kept) / self.games)
        return found


@frozen
class ReportFacts:
    """All that a report shows.

    `course` has the mean score of each bot after each finished block, by the number of
    the last game of the block. Links go to the records and logs in `home`; `None`:
    there are none.
    """

    ledger: Ledger
    home: TournamentFolder | None
    status: TournamentStatus
    pairs: Sequence[Comparison]
    incidents: Sequence[Incident]
    details: ReportDetails
    versions: Sequence[VersionResult]
    course: Mapping[int, Sequence[tuple[int, float]]] = field(repr=False)

    @property
    def rows(self) -> Sequence[BotStatus]:
        """The table, with ratings."""
        return self.status.bots

    @property
    def counted(self) -> Sequence[PlayedGame]:
        """The games of finished blocks."""
        return [game for block in self.ledger.blocks() for game in block]

    def think_times(self, row: BotStatus) -> ThinkTimes:
        """Return how long a bot thought, in all games."""
        return self.details.think_times[row.bot]


def facts(
    ledger: Ledger,
    detailed: Iterable[GameOutcome] | None = None,
    home: TournamentFolder | None = None,
    *,
    running: int = 0,
    stopped: str | None = None,
) -> ReportFacts:
    """Return all that a report of *ledger* shows.

    *detailed* are the outcomes again, with the think times and the centres by year that
    those of the ledger may lack.
    """
    rows = standings(ledger, rated=True)
    if detailed is None:
        detailed = ledger.played.values()
    return ReportFacts(
        ledger=ledger,
        home=home,
        status=status_object(ledger, rows, running=running, stopped=stopped),
        pairs=cross_table(ledger),
        incidents=tuple(incidents(ledger)),
        details=details_of(ledger, detailed),
        versions=version_results(ledger),
        course=course_of(ledger),
    )


def course_of(ledger: Ledger) -> Mapping[int, Sequence[tuple[int, float]]]:
    """Return `ReportFacts.course`."""
    ends = [
        ledger.plan.block_games(block)[-1]
        for block in range(1, ledger.finished_blocks + 1)
    ]
    found: dict[int, list[tuple[int, float]]] = {}
    for bot, tally in enumerate(tally_blocks(ledger)):
        total, count, course = 0.0, 0, found.setdefault(bot, [])
        for end, scores in zip(ends, tally.scores, strict=True):
            total, count = total + sum(scores), count + len(scores)
            if count:
                course.append((end, total / count))
    return found
