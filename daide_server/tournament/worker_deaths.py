"""Which bot kills the workers of its games: found from the games that lost a worker.

A bot that does so is in all of these games, an honest bot in some of them by chance. A
lost game is charged to a bot only if that bot stands out from each other bot in it;
ties wait for more games. A bot that chooses when to kill cannot put the blame on
another: it was itself in as many lost games.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from math import sqrt

from attrs import define, field

FAULT_GAMES = 3
"""A bot with this number of charged games may be at fault."""
FAULT_SHARE = 0.1
"""Minimum share of lost games of a bot at fault: machines lose a worker at times."""


@define
class WorkerDeaths:
    """The lost games that no bot at fault explains, and the bots `at_fault`.

    A bot stays at fault once found. `lost` has the suspects of each lost game.
    """

    at_fault: set[int] = field(factory=set, init=False)
    lost: dict[int, frozenset[int]] = field(factory=dict, init=False)
    _played: Counter[int] = field(factory=Counter, init=False)

    def add_played(self, bots: Iterable[int]) -> None:
        """Add a game that *bots* played to its end."""
        self._played.update(set(bots))
        self._judge()

    def add_lost(self, game: int, bots: Iterable[int]) -> None:
        """Add an attempt at *game* that lost its worker while *bots* were running."""
        suspects = frozenset(bots)
        if self.at_fault.isdisjoint(suspects):
            self.lost[game] = suspects
            self._judge()

    def _judge(self) -> None:
        while (culprit := self._culprit()) is not None:
            self.at_fault.add(culprit)
            lost = self.lost.items()
            self.lost = {game: bots for game, bots in lost if culprit not in bots}

    def _culprit(self) -> int | None:
        if len(self.lost) < FAULT_GAMES:
            return None
        counts = Counter(chain.from_iterable(self.lost.values()))
        charged = Counter(
            bot
            for bots in self.lost.values()
            for bot in bots
            if all(self._stands_out(counts, bot, other) for other in bots - {bot})
        )
        found = [
            bot
            for bot, games in charged.items()
            if games >= FAULT_GAMES and self._share(counts, bot) >= FAULT_SHARE
        ]
        return min(found, default=None)

    def _share(self, lost: Counter[int], bot: int) -> float:
        return lost[bot] / (lost[bot] + self._played[bot])

    def _stands_out(self, lost: Counter[int], bot: int, other: int) -> bool:
        """Return whether *bot* has *lost* more games and a greater share than *other*.

        Chance makes counts differ by their square root: the lead of a bot that has
        played games to their end has to be greater than that.
        """
        lead = lost[bot] - lost[other]
        is_clear = lead > (sqrt(lost[bot]) if self._played[bot] else 0)
        return is_clear and self._share(lost, bot) > self._share(lost, other)
