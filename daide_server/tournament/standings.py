"""The table of a tournament: scores and ratings with their intervals, and forfeits.

Scores, intervals and endings are those of the finished blocks at the beginning of the
plan: short games finish first, so all games finished so far would be a biased sample.
Forfeits, voids and usage are of all games. A bot with several seats counts with its
mean per game. A ladder is ranked by ratings, because its bots meet opponents of their
strength.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean

import msgspec
from attrs import asdict, define, field, frozen

from daide_server.board.names import Power
from daide_server.scoring.game_result import SeatEnd
from daide_server.usage import Usage, total_usage

from .betting import BettingInterval
from .designs import DesignKind
from .game_outcomes import Ledger, PlayedGame, SeatOutcome
from .intervals import Interval, deviation, fixed_interval, share_interval
from .ratings import Rating, bot_ratings

NOTHING_KNOWN = Interval(0.0, 1.0, "betting")
"""The interval before the first block is finished, and in a ladder."""


@define
class Tally:
    """Totals of the games of one bot; `scores` has a list of its games per block.

    A bot with several seats counts with its mean per game. `played`, `forfeits` and
    `seats` are of all games, in finished blocks or not.

    `clean` has the scores of the games without a forfeit; `won` tells for each number
    of seats that the bot had in a game whether it won each such game.
    """

    scores: list[list[float]] = field(factory=list)
    ends: dict[SeatEnd, float] = field(factory=lambda: dict.fromkeys(SeatEnd, 0.0))
    centres: float = 0.0
    places: float = 0.0
    by_power: defaultdict[Power, list[float]] = field(factory=lambda: defaultdict(list))
    clean: list[float] = field(factory=list)
    won: defaultdict[int, list[bool]] = field(factory=lambda: defaultdict(list))
    played: int = 0
    forfeits: int = 0
    seats: list[SeatOutcome] = field(factory=list)

    @property
    def games(self) -> int:
        """The number of games in which the bot had a seat."""
        return sum(map(len, self.scores))

    @property
    def score(self) -> float:
        """The mean score; there must be at least one game."""
        return sum(map(sum, self.scores)) / self.games

    @property
    def block_means(self) -> list[float]:
        """The mean score of each block in which the bot played."""
        return [sum(scores) / len(scores) for scores in self.scores if scores]

    def add(self, seats: Sequence[SeatOutcome], *, is_clean: bool) -> None:
        """Add a game of the last block, in which the bot had *seats*."""
        share, total = 1 / len(seats), 0.0
        for seat in seats:
            total += seat.score
            self.ends[seat.end] += share
            self.centres += seat.centres * share
            self.places += seat.place * share
            self.by_power[seat.power].append(seat.score)
        self.won[len(seats)].append(SeatEnd.WIN in [seat.end for seat in seats])
        self.scores[-1].append(total * share)
        if is_clean:
            self.clean.append(total * share)


def tally_blocks(ledger: Ledger) -> tuple[Tally, ...]:
    """Return the tally of each bot over the finished blocks of *ledger*."""
    tallies = tuple(Tally() for _ in ledger.plan.description.bots)
    for block in ledger.blocks():
        for tally in tallies:
            tally.scores.append([])
        for game in block:
            is_clean = not game.forfeits
            for bot, seats in seats_of_bots(game).items():
                tallies[bot].add(seats, is_clean=is_clean)
    return tallies


def score_deviation(tallies: Sequence[Tally]) -> float | None:
    """Return the standard deviation of a bot's scores between games, over all bots.

    `None` if no bot has ten games.
    """
    return deviation(chain(*tally.scores) for tally in tallies)


def seats_of_bots(game: PlayedGame) -> dict[int, list[SeatOutcome]]:
    """Return the seats of each bot that plays in *game*."""
    seats: defaultdict[int, list[SeatOutcome]] = defaultdict(list)
    for seat in game.seats:
        seats[seat.bot].append(seat)
    return seats


def game_scores(game: PlayedGame) -> dict[int, float]:
    """Return the mean score of each bot that plays in *game*."""
    return {
        bot: seats[0].score if len(seats) == 1 else fmean([s.score for s in seats])
        for bot, seats in seats_of_bots(game).items()
    }


@frozen
class Endings:
    """Shares of a bot's games, with a sum of 1: see `SeatEnd`."""

    wins: float
    draws: float
    shared: float
    survived: float
    eliminated: float


@frozen
class WinRate:
    """The share of the seats of a bot that won alone, with its interval.

    Over the games in which the bot had the fewest seats, such as those in which it
    played alone against six; `seats` counts these.
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
class BotStatus:
    """A bot: a row of the table, and of the JSON of `status`.

    `games` and `score` are of finished blocks (`score` is `None` before the first), as
    are `endings`, `win_rate`, `centres`, `place`, `by_power`, and the `clean_games`
    without a forfeit with their mean. `low` and `high` are the any-time interval at 95
    %, `low_fixed` and `high_fixed` that for a fixed number of games (`None`: too few
    blocks), which may be rough. A ladder has neither.

    `rating` is in points of Elo's scale, with its 95 % interval (`None`: too few
    blocks, or an `anchor`). Only ladders and reports have ratings. All other fields are
    of all games: those `played`, the attempts that lost their worker while the bot was
    running (`worker_deaths`), the names and versions in NME, its sandboxes (`boxes`).
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
    fixed_is_rough: bool = False
    centres: float | None = None
    place: float | None = None
    clean_games: int = 0
    clean_score: float | None = None
    by_power: Mapping[Power, PowerScore] = {}
    played: int = 0
    said_names: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    bot: int = 0
    """Its number."""


def standings(ledger: Ledger, *, rated: bool = False) -> tuple[BotStatus, ...]:
    """Return a row for each bot, the best first: by score, in a ladder by rating.

    Other tables than a ladder's have ratings only if they are *rated*, which takes half
    a second for 10,000 games.
    """
    is_ladder = ledger.plan.description.is_ladder
    ratings = bot_ratings(ledger) if rated or is_ladder else ()
    by_bot = {rating.bot: rating for rating in ratings}
    tallies = tally_blocks(ledger)
    for game in ledger.played.values():
        forfeits = game.forfeits
        for bot in {*game.bots}:
            tallies[bot].played += 1
            tallies[bot].forfeits += bot in forfeits
        for seat in game.seats:
            tallies[seat.bot].seats.append(seat)
    rows = [
        _row(ledger, tally, bot, by_bot.get(bot)) for bot, tally in enumerate(tallies)
    ]

    def rank(row: BotStatus) -> tuple[float, int]:
        return -((row.rating if is_ladder else row.score) or 0.0), row.bot

    return tuple(sorted(rows, key=rank))


def _any_time_interval(ledger: Ledger, scores: Iterable[Sequence[float]]) -> Interval:
    """Return the any-time interval for a bot with *scores* in each block."""
    design = ledger.plan.design
    betting = BettingInterval(most=design.most_score)
    for block, values in enumerate(scores, start=1):
        betting.add(values, design.bot_share * ledger.planned_at(block))
    return betting.interval if betting.count else NOTHING_KNOWN


def _row(ledger: Ledger, tally: Tally, bot: int, rating: Rating | None) -> BotStatus:
    """Return the row of *bot*."""
    any_time, fixed = _intervals(ledger, tally)
    games, seats = tally.games, tally.seats
    usage = total_usage(seat.usage for seat in seats)
    versions = _distinct(seat.version for seat in seats)
    voids = [void for void in chain(*ledger.voids.values()) if bot in void.bots]
    return BotStatus(
        name=ledger.plan.description.bots[bot].name,
        version=" ".join(versions),
        games=games,
        score=tally.score if games else None,
        low=any_time.low,
        high=any_time.high,
        low_fixed=fixed.low if fixed else None,
        high_fixed=fixed.high if fixed else None,
        forfeits=tally.forfeits,
        voids=len(voids),
        refused=sum(seat.refused for seat in seats),
        late=sum(seat.late for seat in seats),
        rating=rating.points if rating else None,
        rating_low=rating.low if rating else None,
        rating_high=rating.high if rating else None,
        anchor=rating is not None and rating.is_anchor,
        worker_deaths=sum(bot in void.suspects for void in voids),
        endings=Endings(*(tally.ends[end] / games for end in SeatEnd))
        if games
        else None,
        win_rate=_win_rate(tally) if games else None,
        never_ordered=sum(seat.never_ordered for seat in seats),
        usage=usage,
        cost_per_game=usage.cost / tally.played if usage else None,
        fixed_is_rough=fixed is not None and fixed.is_rough,
        centres=tally.centres / games if games else None,
        place=tally.places / games if games else None,
        clean_games=len(tally.clean),
        clean_score=fmean(tally.clean) if tally.clean else None,
        by_power={
            power: PowerScore(len(scores), fmean(scores))
            for power, scores in tally.by_power.items()
        },
        played=tally.played,
        said_names=_distinct(seat.said_name for seat in seats),
        versions=versions,
        boxes=_distinct(seat.box for seat in seats),
        bot=bot,
    )


def _intervals(ledger: Ledger, tally: Tally) -> tuple[Interval, Interval | None]:
    """Return the intervals of a score, for any time and a fixed number of games."""
    if ledger.plan.description.is_ladder:
        return NOTHING_KNOWN, None
    fixed = fixed_interval(tally.block_means)
    any_time = _any_time_interval(ledger, tally.scores)
    return any_time, fixed.within(0, 1) if fixed else None


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*texts} - {""}))


def _win_rate(tally: Tally) -> WinRate:
    """Return the share of won seats; at most one of several in a game can win."""
    copies = min(tally.won)
    won = tally.won[copies]
    found = share_interval(sum(won), len(won))
    interval = Interval(found.low / copies, found.high / copies, found.method)
    return WinRate(copies * len(won), fmean(won) / copies, interval)


@frozen
class TournamentStatus:
    """The progress of a tournament, and its table.

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
        """Whether the table shows ratings."""
        return self.kind == "ladder"


def status_object(
    ledger: Ledger,
    rows: Sequence[BotStatus],
    *,
    running: int = 0,
    stopped: str | None = None,
) -> TournamentStatus:
    """Return the state of the tournament of *ledger*, whose table has *rows*.

    *running* is the number of games in progress; *stopped* the verdict of the stop
    rule.
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
        bots=tuple(rows),
        kind=described.design.kind,
    )


def status_json(status: TournamentStatus) -> bytes:
    """Return *status* as one line of JSON, its keys in the order of the fields."""
    return msgspec.json.encode(asdict(status))
