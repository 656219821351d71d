"""Which bot ends the workers of its games: found from the games that lost a worker.

A bot that does so is in all of these games, and an honest one in some of them by
chance. A lost game is charged to a bot only if that bot stands out from each other bot
of it; ties wait for more games. One bot that chooses when to kill cannot put the blame
on another: it was itself in as many lost games.
"""

from collections import Counter
from collections.abc import Iterable
from math import sqrt
from typing import Final

from attrs import define, field, frozen

FAULT_GAMES: Final = 3
"""The number of lost games charged to one bot from which on it is at fault."""
FAULT_SHARE: Final = 0.1
"""The least share of lost games of a bot at fault: machines lose a worker at times."""


@define
class WorkerDeaths:
    """The lost games that no bot at fault explains, and the bots `at_fault`.

    Bots found at fault stay so. `lost` has the suspects of each lost game.
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
        counts = Counter(bot for bots in self.lost.values() for bot in bots)
        losses = {bot: _Losses(n, self._played[bot]) for bot, n in counts.items()}
        charged = Counter(
            bot
            for bots in self.lost.values()
            for bot in bots
            if all(losses[bot].exceed(losses[other]) for other in bots - {bot})
        )
        found = [
            bot
            for bot, games in charged.items()
            if games >= FAULT_GAMES and losses[bot].share >= FAULT_SHARE
        ]
        return min(found, default=None)


@frozen
class _Losses:
    """How many games of a bot were lost, and how many it played to their end."""

    lost: int
    played: int

    @property
    def share(self) -> float:
        return self.lost / (self.lost + self.played)

    def exceed(self, other: "_Losses") -> bool:
        """Tell whether these are more, and a greater share, than those of *other*.

        Chance makes counts differ by their square root: the lead of a bot that has
        played games to their end has to be greater than that.
        """
        lead = self.lost - other.lost
        is_clear = lead > (sqrt(self.lost) if self.played else 0)
        return is_clear and self.share > other.share
