"""What only a report needs of the games, added up in one pass over the outcomes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import field

from daide_server.classes import define, frozen
from daide_server.tournament.game_outcomes import (
    GameOutcome,
    Ledger,
    PlayedGame,
    SeatOutcome,
    ThinkTimes,
)


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
    times = [_Times() for _ in bots]
    centres = [_Centres() for _ in bots]
    finished = ledger.plan.block_games(ledger.finished_blocks + 1).start
    first_year = 0
    for outcome in outcomes:
        if not isinstance(outcome, PlayedGame) or not _counts(ledger, outcome):
            continue
        first_year = outcome.result.first_year
        copies = Counter(seat.bot for seat in outcome.seats)
        for seat in outcome.seats:
            times[seat.bot].add(seat)
            if outcome.game < finished:
                counts = outcome.centres_by_year.get(seat.power, ())
                centres[seat.bot].add(counts, 1 / copies[seat.bot])
    return ReportDetails(
        {bot: ThinkTimes(each.counts, each.longest) for bot, each in enumerate(times)},
        {bot: each.means() for bot, each in enumerate(centres)},
        first_year,
    )


def _counts(ledger: Ledger, outcome: PlayedGame) -> bool:
    counted = ledger.played.get(outcome.game)
    return counted is not None and counted.attempt == outcome.attempt


@define
class _Times:
    counts: Counter[int] = field(factory=Counter)
    longest: float = 0.0

    def add(self, seat: SeatOutcome) -> None:
        self.counts.update(seat.think_times.counts)
        self.longest = max(self.longest, seat.think_times.longest)


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
