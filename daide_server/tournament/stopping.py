"""The stop rule: ends a tournament early without making a wrong verdict more likely.

Each statement has an any-time interval with its share of the error: one for each bot
if the rule has a half-width, and one for each pair of bots if the rule separates the
best ones, because nobody knows beforehand which pairs these will be.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

from attrs import define, field, frozen

from .betting import BettingInterval
from .description import StopRule
from .game_outcomes import Ledger, PlayedGame
from .pairs import Pair, block_differences
from .plan import Plan
from .standings import game_scores, most_score, share_of_games


@frozen
class StopVerdict:
    """Why a tournament ends, after which block, and the bots by score at that time."""

    block: int
    reason: str
    order: tuple[int, ...]


@define
class StopWatch:
    """Follows a tournament block by block until the stop rule is satisfied.

    The first verdict is final: no later block is looked at.
    """

    plan: Plan
    verdict: StopVerdict | None = field(default=None, init=False)
    blocks: int = field(default=0, init=False)
    _bots: list[BettingInterval] = field(init=False, repr=False)
    _pairs: dict[Pair, BettingInterval] = field(init=False, repr=False)
    _sums: list[tuple[float, int]] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        numbers = range(len(self.plan.description.bots))
        pairs = list(combinations(self._ranked, 2)) if self._rule.separated else []
        bots = numbers if self._rule.half_width is not None else ()
        share = self._rule.error / max(1, len(bots) + len(pairs))
        most = most_score(self.plan)
        self._bots = [BettingInterval(share, most=most) for _ in bots]
        self._pairs = {pair: BettingInterval(share, -most, most) for pair in pairs}
        self._sums = [(0.0, 0) for _ in numbers]

    def follow(self, ledger: Ledger) -> StopVerdict | None:
        """Add the blocks that *ledger* has finished since; return the verdict.

        A ladder has none, and nothing is watched without a rule.
        """
        if self.plan.description.is_ladder or not (self._bots or self._pairs):
            return None
        while self.verdict is None and self.blocks < ledger.finished_blocks:
            self.blocks += 1
            self._add(ledger.block(self.blocks), ledger.planned_at(self.blocks))
            self.verdict = self._found()
        return self.verdict

    def _add(self, games: Sequence[PlayedGame], planned: int) -> None:
        """Add the *games* of the next block; *planned* games in all when it began."""
        scores = [game_scores(game) for game in games]
        for bot, (total, count) in enumerate(self._sums):
            own = [score[bot] for score in scores if bot in score]
            self._sums[bot] = total + sum(own), count + len(own)
            if self._bots:
                self._bots[bot].add(own, planned * share_of_games(self.plan, 1))
        if self._pairs:
            shared = planned * share_of_games(self.plan, 2)
            for pair, values in block_differences(self.plan, games).items():
                # One that has the other seats in every game is not ranked.
                if pair in self._pairs:
                    self._pairs[pair].add(values, shared)

    @property
    def _ranked(self) -> Sequence[int]:
        """The bots that are separated: all but the opponent of all others."""
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
        limit = self._rule.half_width
        if limit is None or any(b.interval.half_width > limit for b in self._bots):
            return None
        return f"every interval is at most {limit:g} to each side"

    def _separated(self, order: Sequence[int]) -> str | None:
        first = order[: self._rule.separated or 0]
        neighbours = list(pairwise(first))
        if not neighbours or not all(self._is_better(*pair) for pair in neighbours):
            return None
        names = [self.plan.description.bots[bot].name for bot in first]
        return f"separated: {' > '.join(names)}"

    def _is_better(self, bot: int, other: int) -> bool:
        if bot < other:
            return self._pairs[bot, other].interval.low > 0
        return self._pairs[other, bot].interval.high < 0
