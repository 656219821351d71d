"""The table of a tournament: scores and ratings with their intervals, and forfeits.

Scores, intervals and endings are those of the finished blocks at the beginning of the
plan: short games finish first, so all games finished so far would be a biased sample.
Forfeits, voids and times are of all games. A bot with copies counts with its mean per
game. A ladder is ranked by ratings: its bots meet their like, so their scores are means
over different games, and the intervals of scores do not hold.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import perm
from statistics import fmean
from typing import Final

import msgspec
from attrs import asdict, frozen

from daide_server.board.names import Power
from daide_server.scoring.game_result import SeatEnd
from daide_server.usage import Usage, total_usage

from .betting import BettingInterval
from .designs import DesignKind
from .figures import FiguresOf, Tally, figures_by, tally_blocks
from .game_outcomes import (
    Ledger,
    PlayedGame,
    SeatOutcome,
    ThinkTimes,
    all_think_times,
    void_counts,
    worker_deaths,
)
from .intervals import ERROR, Interval, fixed_interval, share_interval
from .plan import Plan
from .ratings import Rating, bot_ratings

NOTHING_KNOWN: Final = Interval(0.0, 1.0, "betting")
"""Before the first block is finished, and in a ladder."""

DUEL: Final = 2
"""The bots of a game in which one plays against six."""

PlannedGames = Sequence[tuple[int, int]]
"""From which block on how many games were planned, in the order of the blocks."""


@frozen
class Endings:
    """Shares of a bot's games, together 1: see `SeatEnd`."""

    wins: float
    draws: float
    shared: float
    survived: float
    eliminated: float


@frozen
class WinRate:
    """The share of the seats of a bot that won alone, with its interval.

    Of the games in which the bot had the fewest seats, such as those in which it stood
    alone against six; `seats` counts these.
    """

    seats: int
    share: float
    interval: Interval


@frozen
class PowerScore:
    """The seats that a bot had with one power, and their mean score."""

    games: int
    score: float


@frozen
class Results:
    """The results of a bot in the games of finished blocks.

    `clean_games` are those that nobody forfeited, `clean_score` is their mean
    (`None`: there are none).
    """

    games: int
    score: float
    endings: Endings
    win_rate: WinRate
    centres: float
    place: float
    by_power: Mapping[Power, PowerScore]
    clean_games: int
    clean_score: float | None


@frozen
class Troubles:
    """Forfeits, voids, refused and late orders of a bot in all games, and its times.

    `played` counts these games, `never_ordered` those in which it gave no order;
    `usage` is what it said that a language model used in them.
    `worker_deaths` are the void games whose worker was killed while it was running.
    """

    forfeits: int
    voids: int
    worker_deaths: int
    refused: int
    late: int
    think_times: ThinkTimes
    played: int = 0
    never_ordered: int = 0
    usage: Usage | None = None

    @property
    def cost_per_game(self) -> float | None:
        """What a game cost the bot, in all of its seats; `None` if it said nothing."""
        return self.usage.cost / self.played if self.usage else None


@frozen
class BotStanding:
    """A row of the table; `results` is `None` before the first block is finished.

    `said_names` and `versions` are those of NME, `boxes` what it was started in.

    So is `rating`, which a fixed line-up never has, and other designs but the ladder
    have in reports only. In a ladder there is no `fixed` interval, and the one for any
    time says nothing.
    """

    bot: int
    name: str
    said_names: tuple[str, ...]
    versions: tuple[str, ...]
    boxes: tuple[str, ...]
    results: Results | None
    any_time: Interval
    fixed: Interval | None
    troubles: Troubles
    rating: Rating | None

    @property
    def games(self) -> int:
        """Its games in finished blocks."""
        return self.results.games if self.results else 0

    @property
    def score(self) -> float | None:
        """Its mean score."""
        return self.results.score if self.results else None


def standings(
    ledger: Ledger,
    planned: PlannedGames = (),
    figures_of: FiguresOf | None = None,
    *,
    rated: bool = False,
) -> tuple[BotStanding, ...]:
    """Return a row for each bot, the best first: by score, in a ladder by rating.

    *planned* has the number of games that was planned when a block began, if the plan
    has changed since. *figures_of* may return cached figures. A ladder has ratings;
    other tables if they are to be *rated*, which takes half a second for 10,000 games.
    """
    plan = ledger.plan
    figures_of = figures_of or figures_by(plan.description)
    tallies = tally_blocks(ledger, figures_of)
    is_ladder = plan.description.is_ladder
    ratings = bot_ratings(ledger, figures_of) if rated or is_ladder else ()
    rows = _Rows(
        ledger,
        tallies,
        planned or ((1, plan.games),),
        _seats(ledger),
        Counter(bot for game in ledger.played.values() for bot in game.forfeits),
        {rating.bot: rating for rating in ratings},
        Counter(chain.from_iterable(map(_bots, ledger.played.values()))),
    )
    found = map(rows.row, range(len(plan.description.bots)))
    worth = _points if is_ladder else _score
    return tuple(sorted(found, key=lambda row: (-worth(row), row.bot)))


def _score(row: BotStanding) -> float:
    return row.score or 0.0


def _points(row: BotStanding) -> float:
    return row.rating.points if row.rating else 0.0


def any_time_interval(
    plan: Plan,
    scores: Iterable[Sequence[float]],
    planned: PlannedGames,
    error: float = ERROR,
) -> Interval:
    """Return the any-time interval for a bot with *scores* in each block."""
    betting = BettingInterval(error, most=most_score(plan))
    share = share_of_games(plan, 1)
    betting.add_all(
        (values, share * planned_at(planned, block))
        for block, values in enumerate(scores, start=1)
    )
    return betting.interval if betting.count else NOTHING_KNOWN


def most_score(plan: Plan) -> float:
    """Return the most that a bot can score in a game, as the mean of its copies.

    The scores of a game add up to 1, so bots with two copies have half at most.
    """
    if plan.description.design.kind != "line-ups":
        return 1.0
    return 1 / max(1, plan.design.seats // plan.design.bots)


def share_of_games(plan: Plan, together: int) -> float:
    """Return in which share of the games *together* given bots play, on average."""
    bots, design = len(plan.description.bots), plan.description.design.kind
    if design == "fixed":
        return 1.0
    if plan.description.design.opponent is not None:
        return 1 / (bots - 1)
    at_once = DUEL if design == "one-against-six" else plan.design.seats
    return min(1.0, perm(at_once, together) / perm(bots, together))


def planned_at(planned: PlannedGames, block: int) -> int:
    """Return how many games were planned when *block* began."""
    return [games for first, games in planned if first <= block][-1]


@frozen
class _Rows:
    """Makes the rows of the table; its fields are common to all rows."""

    ledger: Ledger
    tallies: Sequence[Tally]
    planned: PlannedGames
    seats: Sequence[Sequence[SeatOutcome]]
    forfeits: Counter[int]
    ratings: Mapping[int, Rating]
    games: Counter[int]

    def row(self, bot: int) -> BotStanding:
        """Return the row of *bot*."""
        plan, tally = self.ledger.plan, self.tallies[bot]
        played = self.seats[bot]
        any_time, fixed = self._intervals(tally)
        return BotStanding(
            bot=bot,
            name=plan.description.bots[bot].name,
            said_names=_said(seat.said_name for seat in played),
            versions=_said(seat.version for seat in played),
            boxes=_said(seat.box for seat in played),
            results=_results(tally) if tally.games else None,
            any_time=any_time,
            fixed=fixed,
            troubles=self._troubles(bot, played),
            rating=self.ratings.get(bot),
        )

    def _intervals(self, tally: Tally) -> tuple[Interval, Interval | None]:
        """Return the intervals of a score, for any time and a fixed number of games."""
        plan = self.ledger.plan
        if plan.description.is_ladder:
            return NOTHING_KNOWN, None
        fixed = fixed_interval(tally.block_means)
        return (
            any_time_interval(plan, tally.scores, self.planned),
            fixed.within(0, 1) if fixed else None,
        )

    def _troubles(self, bot: int, played: Sequence[SeatOutcome]) -> Troubles:
        return Troubles(
            forfeits=self.forfeits[bot],
            voids=void_counts(self.ledger)[bot],
            worker_deaths=worker_deaths(self.ledger)[bot],
            refused=sum(seat.refused for seat in played),
            late=sum(seat.late for seat in played),
            think_times=all_think_times(seat.think_times for seat in played),
            played=self.games[bot],
            never_ordered=sum(seat.never_ordered for seat in played),
            usage=total_usage(seat.usage for seat in played),
        )


def _said(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*texts} - {""}))


def _bots(game: PlayedGame) -> set[int]:
    return {seat.bot for seat in game.seats}


def _seats(ledger: Ledger) -> Sequence[Sequence[SeatOutcome]]:
    """Return the seats that each bot had, in all games."""
    seats: list[list[SeatOutcome]] = [[] for _ in ledger.plan.description.bots]
    for game in ledger.played.values():
        for seat in game.seats:
            seats[seat.bot].append(seat)
    return seats


def _results(tally: Tally) -> Results:
    games = tally.games
    return Results(
        games=games,
        score=tally.score,
        endings=Endings(*(tally.ends[end] / games for end in SeatEnd)),
        win_rate=_win_rate(tally),
        centres=tally.centres / games,
        place=tally.places / games,
        by_power={
            power: PowerScore(len(scores), fmean(scores))
            for power, scores in tally.by_power.items()
        },
        clean_games=len(tally.clean),
        clean_score=fmean(tally.clean) if tally.clean else None,
    )


def _win_rate(tally: Tally) -> WinRate:
    """Return the share of won seats; at most one of several in a game can win."""
    copies = min(tally.won)
    won = tally.won[copies]
    found = share_interval(sum(won), len(won))
    interval = Interval(found.low / copies, found.high / copies, found.method)
    return WinRate(copies * len(won), fmean(won) / copies, interval)


@frozen
class BotStatus:
    """A bot, in the order of the table.

    `games` and `score` are of finished blocks (`score` is `None` before the first);
    `low` and `high` the any-time interval at 95 %, `low_fixed` and `high_fixed` that
    for a fixed number of games (`None`: too few blocks). Counts are of all games.
    `endings` and `win_rate` are of finished blocks: see these classes.
    `rating` is in points of Elo's scale, with its 95 % interval (`None`: too few
    blocks, or an `anchor`, whose rating was given). Only a ladder has ratings, and
    the `results.json` of a report. `never_ordered` and `usage` are of all games.
    """

    name: str
    version: str
    games: int
    score: float | None
    low: float
    high: float
    low_fixed: float | None
    high_fixed: float | None
    forfeits: int
    voids: int
    refused: int
    late: int
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    anchor: bool
    worker_deaths: int
    endings: Endings | None
    win_rate: WinRate | None
    never_ordered: int = 0
    usage: Usage | None = None
    cost_per_game: float | None = None


@frozen
class TournamentStatus:
    """How far a tournament is, and its table.

    `games` are planned: `played`, `running`, `remaining`, or `unplayed` because they
    were void too often. `stopped` is why it ended before all were played, or `None`.
    `kind` is that of its design: a ladder is ranked by ratings, others by scores.
    """

    name: str
    rank_by: str
    games: int
    played: int
    running: int
    remaining: int
    unplayed: int
    stopped: str | None
    bots: tuple[BotStatus, ...]
    kind: DesignKind

    @property
    def is_ladder(self) -> bool:
        """Whether the table is one of ratings."""
        return self.kind == "ladder"


def status_object(
    ledger: Ledger,
    rows: Sequence[BotStanding],
    *,
    running: int = 0,
    stopped: str | None = None,
) -> TournamentStatus:
    """Return the state of the tournament of *ledger*, whose table has *rows*.

    *running* games are being played now; *stopped* is the verdict of the stop rule.
    """
    described, games = ledger.plan.description, ledger.plan.games
    played, unplayed = len(ledger.played), len(ledger.unplayed)
    return TournamentStatus(
        name=described.name,
        rank_by=described.rank_by,
        games=games,
        played=played,
        running=running,
        remaining=max(0, games - played - unplayed - running),
        unplayed=unplayed,
        stopped=stopped,
        bots=tuple(map(_status_of, rows)),
        kind=described.design.kind,
    )


def status_json(status: TournamentStatus) -> bytes:
    """Return *status* as one line of JSON, its keys in the order of the fields."""
    return msgspec.json.encode(asdict(status))


def _status_of(row: BotStanding) -> BotStatus:
    rating, results = row.rating, row.results
    return BotStatus(
        name=row.name,
        version=" ".join(row.versions),
        games=row.games,
        score=row.score,
        low=row.any_time.low,
        high=row.any_time.high,
        low_fixed=row.fixed.low if row.fixed else None,
        high_fixed=row.fixed.high if row.fixed else None,
        forfeits=row.troubles.forfeits,
        voids=row.troubles.voids,
        refused=row.troubles.refused,
        late=row.troubles.late,
        rating=rating.points if rating else None,
        rating_low=rating.low if rating else None,
        rating_high=rating.high if rating else None,
        anchor=rating is not None and rating.is_anchor,
        worker_deaths=row.troubles.worker_deaths,
        endings=results.endings if results else None,
        win_rate=results.win_rate if results else None,
        never_ordered=row.troubles.never_ordered,
        usage=row.troubles.usage,
        cost_per_game=row.troubles.cost_per_game,
    )
