"""Which bot is better: pairs of bots, versions of one bot, and the stop rule.

Differences within a game cancel out what all its players had in common; bots that play
alone against one opponent are compared in games with the same seat and seeds. Versions
of one bot (in NME) can be compared because each met the same field, in complete blocks.
The verdicts of the cross table are Holm's, for a number of games fixed in advance. Each
statement of the stop rule has an any-time interval with its share of the error, because
nobody knows in advance which bots will be best.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise
from math import comb
from statistics import fmean, pvariance

from attrs import define, evolve, field, frozen

from daide_server.board.names import Power

from . import intervals
from .betting import BettingInterval
from .description import StopRule
from .game_outcomes import Ledger, PlayedGame
from .intervals import ERROR, Interval, deviation
from .plan import Plan
from .standings import game_scores, tally_blocks

Pair = tuple[int, int]
"""Two bots by their numbers, the smaller first."""

Bots = tuple[int, ...]
"""A bot, or a pair."""

Scores = Sequence[Mapping[int, float]]
"""The scores of bots that compare, such as those of a game, for each game."""

Differences = Mapping[Pair, list[list[float]]]
"""Score of the first minus score of the second, for the shared games of each block."""


@frozen
class Comparison:
    """A cell of the cross table: the result of the first of `pair` against the second.

    `difference` is the mean of score differences, `better` the share of shared games in
    which the first had more (ties count half), `chance` the probability of such a
    difference between equal bots. `holds`: it is significant after Holm's correction.
    """

    pair: Pair
    games: int
    difference: float
    better: float
    interval: Interval | None
    chance: float | None
    holds: bool

    @property
    def reversed(self) -> "Comparison":
        """The result of the second against the first."""
        interval = self.interval
        return evolve(
            self,
            pair=self.pair[::-1],
            difference=-self.difference,
            better=1 - self.better,
            interval=interval
            and evolve(interval, low=-interval.high, high=-interval.low),
        )


def both_ways(pairs: Iterable[Comparison]) -> Mapping[Pair, Comparison]:
    """Return the cells of the cross table: *pairs*, and their reverses."""
    return {each.pair: each for pair in pairs for each in (pair, pair.reversed)}


def cross_table(ledger: Ledger, error: float = ERROR) -> tuple[Comparison, ...]:
    """Return the comparison of each pair that shared a game in a finished block."""
    found = [_comparison(*each) for each in differences(ledger).items()]
    chances = [1.0 if each.chance is None else each.chance for each in found]
    verdicts = zip(found, holm(chances, error), strict=True)
    return tuple(evolve(each, holds=holds) for each, holds in verdicts)


def holm(chances: Sequence[float], error: float = ERROR) -> tuple[bool, ...]:
    """Return which of the statements with *chances* hold together (Holm 1979).

    The i-th smallest of m is compared with error / (m - i + 1), up to the first that
    fails.
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    holding: set[int] = set()
    for rank, at in enumerate(order):
        if chances[at] > error / (len(chances) - rank):
            break
        holding.add(at)
    return tuple(at in holding for at in range(len(chances)))


def differences(ledger: Ledger) -> Differences:
    """Return the score differences of all pairs, in the finished blocks of *ledger*."""
    blocks = [block_scores(ledger.plan, block)[1] for block in ledger.blocks()]
    pairs = combinations(range(len(ledger.plan.description.bots)), 2)
    found = {pair: [_values(pair, scores) for scores in blocks] for pair in pairs}
    return {pair: values for pair, values in found.items() if any(values)}


def _values(bots: Bots, scores: Scores) -> list[float]:
    """Return the scores of a bot, or the differences of a pair, in *scores*."""
    if len(bots) == 1:
        (bot,) = bots
        return [each[bot] for each in scores if bot in each]
    one, other = bots
    return [each[one] - each[other] for each in scores if one in each and other in each]


def block_scores(plan: Plan, block: Sequence[PlayedGame]) -> tuple[Scores, Scores]:
    """Return the scores of each game of a *block*, and those in which bots compare.

    They are the same, but against one opponent there are those of all who stood alone
    in the same seat, too.
    """
    games = [game_scores(game) for game in block]
    opponent, alone = plan.description.design.opponent, dict[Power, dict[int, float]]()
    for game in block if opponent is not None else ():
        for seat in game.seats:
            if seat.bot != opponent:
                alone.setdefault(seat.power, {})[seat.bot] = seat.score
    return games, [*games, *alone.values()]


def difference_deviation(ledger: Ledger) -> float | None:
    """Return the standard deviation of score differences between games, of all pairs.

    `None` if no pair has ten games in finished blocks.
    """
    return deviation(chain(*blocks) for blocks in differences(ledger).values())


@frozen
class PairedDifference:
    """The result of the first of two bots against the second in comparable `games`.

    `any_time` holds for repeated looks; `welch` treats the games as unpaired (`None`:
    too few blocks). `saved` is the estimated number of additional games of each bot
    that unpaired games would need.
    """

    games: int
    mean: float
    any_time: Interval
    welch: Interval | None
    saved: int


def paired_difference(ledger: Ledger, pair: Pair) -> PairedDifference | None:
    """Return the difference of *pair* in the finished blocks of *ledger*, if any."""
    blocks = differences(ledger).get(pair, [])
    games = list(chain(*blocks))
    if not games:
        return None
    planned = ledger.plan.blocks * max(map(len, blocks))
    betting = BettingInterval(least=-1.0)
    for block in blocks:
        betting.add(block, planned)
    tallies = tally_blocks(ledger)
    one, other = (tallies[bot] for bot in pair)
    apart = pvariance(chain(*one.scores)) + pvariance(chain(*other.scores))
    together = pvariance(games)
    return PairedDifference(
        games=len(games),
        mean=fmean(games),
        any_time=betting.interval,
        welch=intervals.difference_interval(one.block_means, other.block_means),
        saved=round(len(games) * (apart / together - 1)) if together else 0,
    )


def _comparison(pair: Pair, blocks: Sequence[list[float]]) -> Comparison:
    games, means = list(chain(*blocks)), _means(blocks)
    interval = intervals.fixed_interval(means)
    return Comparison(
        pair=pair,
        games=len(games),
        difference=fmean(games),
        better=fmean((each > 0) + (each == 0) / 2 for each in games),
        interval=interval.within(-1, 1) if interval else None,
        chance=intervals.chance_of_none(means),
        holds=False,  # until all pairs are known
    )


def _means(blocks: Sequence[list[float]]) -> list[float]:
    return [fmean(block) for block in blocks if block]


BlockScores = list[list[float]]
"""The scores of a version in each block in which the bot had only this version."""


@frozen
class VersionResult:
    """A version of a bot: its games in finished blocks and its mean score there.

    `change` is its score minus that of the version before it (`None`: it is the first).
    Both have an interval for a fixed number of games if there are enough blocks.
    """

    bot: int
    version: str
    games: int
    score: float
    interval: Interval | None
    change: float | None
    change_interval: Interval | None


def version_results(ledger: Ledger) -> tuple[VersionResult, ...]:
    """Return the versions of each bot that had several, in the order of their games.

    A block in which a bot had two versions counts for neither: each played a part of
    it. A seat without a version, as that of a bot that never joined, counts for the
    version before it, or the first. A ladder has none: its scores are not comparable.
    """
    if ledger.plan.description.is_ladder:
        return ()
    found: defaultdict[int, dict[str, BlockScores]] = defaultdict(dict)
    latest = _first_versions(ledger)
    for block in ledger.blocks():
        for bot, versions in _by_bot(block, latest).items():
            if len(versions) == 1:
                ((version, scores),) = versions.items()
                found[bot].setdefault(version, []).append(scores)
    return tuple(
        result
        for bot in sorted(found)
        if len(found[bot]) > 1
        for result in _results(bot, found[bot])
    )


def _first_versions(ledger: Ledger) -> dict[int, str]:
    """Return the first version of each bot."""
    found: dict[int, str] = {}
    for block in ledger.blocks():
        for seat in (seat for game in block for seat in game.seats if seat.version):
            found.setdefault(seat.bot, seat.version)
    return found


def _by_bot(
    block: Sequence[PlayedGame], latest: dict[int, str]
) -> Mapping[int, Mapping[str, list[float]]]:
    """Return the scores of each bot's games in *block* by its version.

    *latest* has the latest version of each bot, and is updated.
    """
    found: dict[int, dict[str, list[float]]] = {}
    for game in block:
        latest.update({seat.bot: seat.version for seat in game.seats if seat.version})
        for bot, score in game_scores(game).items():
            versions = found.setdefault(bot, {})
            versions.setdefault(latest.get(bot, ""), []).append(score)
    return found


def _results(bot: int, versions: Mapping[str, BlockScores]) -> Iterator[VersionResult]:
    before: BlockScores = []
    for version, blocks in versions.items():
        means, score = _means(blocks), fmean(chain(*blocks))
        yield VersionResult(
            bot=bot,
            version=version,
            games=sum(map(len, blocks)),
            score=score,
            interval=intervals.fixed_interval(means),
            change=score - fmean(chain(*before)) if before else None,
            change_interval=intervals.difference_interval(means, _means(before)),
        )
        before = blocks


@frozen
class StopVerdict:
    """Why a tournament ends, after which block, and the bots by score at that time."""

    block: int
    reason: str
    order: tuple[int, ...]


@define
class StopWatch:
    """Follows a tournament block by block until the stop rule is met.

    The first verdict is final: later blocks are ignored. Intervals only get narrower:
    what they do not show after all finished blocks, they did not show before. So the
    blocks are rarely examined one by one.
    """

    plan: Plan
    verdict: StopVerdict | None = field(default=None, init=False)
    blocks: int = field(default=0, init=False)
    _finished: list[tuple[Scores, Scores, int]] = field(factory=list, init=False)
    """For each block: scores of bots, of pairs, and the games planned when it began."""
    _error: float = field(init=False)
    """The error probability of each statement that the rule may make."""
    _intervals: dict[tuple[Bots, bool], BettingInterval] = field(
        factory=dict, init=False, repr=False
    )
    """By bot or pair: after all finished blocks (true), and after `blocks` blocks."""
    _sums: list[tuple[float, int]] = field(init=False, repr=False)
    """For each bot: the sum of its scores, and their number."""

    def __attrs_post_init__(self) -> None:
        bots, rule = len(self.plan.description.bots), self._rule
        statements = bots * (rule.half_width is not None)
        statements += comb(len(self._ranked), 2) * bool(rule.separated)
        self._error = rule.error / max(1, statements)
        self._sums = [(0.0, 0)] * bots

    def follow(self, ledger: Ledger) -> StopVerdict | None:
        """Add the newly finished blocks of *ledger*; return the verdict.

        A ladder has none, and without a rule nothing is computed.
        """
        rule = self._rule
        is_watched = rule.half_width is not None or rule.separated
        if self.plan.description.is_ladder or not is_watched:
            return None
        for number in range(len(self._finished) + 1, ledger.finished_blocks + 1):
            scores = block_scores(self.plan, ledger.block(number))
            self._finished.append((*scores, ledger.planned_at(number)))
        while self.verdict is None and self.blocks < len(self._finished):
            self._add(self._finished[self.blocks][0])
            self.blocks += 1
            self.verdict = self._found()
        return self.verdict

    def _add(self, scores: Scores) -> None:
        """Add the scores of the games of the next block."""
        for bot, (total, count) in enumerate(self._sums):
            own = [score[bot] for score in scores if bot in score]
            self._sums[bot] = total + sum(own), count + len(own)

    def _interval(self, bots: Bots, blocks: int) -> Interval:
        """Return that of a bot's score, or of a pair's difference, after *blocks*."""
        key, design = (bots, blocks == len(self._finished)), self.plan.design
        is_pair = len(bots) > 1
        if key not in self._intervals:
            least = -design.most_score if is_pair else 0.0
            self._intervals[key] = BettingInterval(
                self._error, least, design.most_score
            )
        betting = self._intervals[key]
        share = design.pair_share if is_pair else design.bot_share
        for *scores, planned in self._finished[betting.blocks : blocks]:
            values = _values(bots, scores[len(bots) - 1])
            betting.add(values, planned * share)
        return betting.interval

    @property
    def _ranked(self) -> Sequence[int]:
        """The bots to separate: all except the opponent of all others."""
        bots, design = self.plan.description.bots, self.plan.description.design
        return [bot for bot in range(len(bots)) if bot != design.opponent]

    @property
    def _rule(self) -> StopRule:
        return self.plan.description.stop

    def _found(self) -> StopVerdict | None:
        order = tuple(sorted(self._ranked, key=lambda bot: (-self._mean(bot), bot)))
        reason = self._narrow() or self._separated(order)
        return StopVerdict(self.blocks, reason, order) if reason else None

    def _mean(self, bot: int) -> float:
        total, count = self._sums[bot]
        return total / count if count else 0.0

    def _narrow(self) -> str | None:
        limit, bots = self._rule.half_width, range(len(self._sums))
        if limit is None:
            return None
        for blocks in (len(self._finished), self.blocks):
            if any(self._interval((b,), blocks).half_width > limit for b in bots):
                return None
        return f"every interval is at most {limit:g} to each side"

    def _separated(self, order: Sequence[int]) -> str | None:
        first = order[: self._rule.separated or 0]
        neighbours = list(pairwise(first))
        for blocks in (len(self._finished), self.blocks):
            if not all(self._is_better(*pair, blocks) for pair in neighbours):
                return None
        names = [self.plan.description.bots[bot].name for bot in first]
        return f"separated: {' > '.join(names)}" if neighbours else None

    def _is_better(self, bot: int, other: int, blocks: int) -> bool:
        if bot < other:
            return self._interval((bot, other), blocks).low > 0
        return self._interval((other, bot), blocks).high < 0
