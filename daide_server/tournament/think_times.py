"""How long a bot thought, as counts that can be added up over games.

A time falls in a class that is an eighth of an octave wide (9 %), so quantiles are
that precise; the longest time is exact.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import ceil, floor, log2
from typing import Final

from daide_server.classes import frozen

CLASSES_PER_OCTAVE: Final = 8
SHORTEST: Final = 1e-6
"""Seconds; shorter times count as this."""


@frozen
class ThinkTimes:
    """How many turns took how long; `longest` in seconds."""

    counts: Mapping[int, int] = {}
    longest: float = 0.0

    @property
    def turns(self) -> int:
        """How many turns were timed."""
        return sum(self.counts.values())

    def quantile(self, share: float) -> float | None:
        """Return the seconds that *share* of the turns took at most; `None` if none."""
        rank = max(1, ceil(share * self.turns))
        for time_class in sorted(self.counts):
            rank -= self.counts[time_class]
            if rank <= 0:
                middle = 2 ** ((time_class + 0.5) / CLASSES_PER_OCTAVE)
                return min(middle, self.longest)
        return None


NO_TURNS: Final = ThinkTimes()


def think_times(seconds: Iterable[float]) -> ThinkTimes:
    """Return *seconds*, one for each turn, as counts."""
    seconds = tuple(seconds)
    counts = Counter(
        floor(CLASSES_PER_OCTAVE * log2(max(each, SHORTEST))) for each in seconds
    )
    return ThinkTimes(counts, max(seconds, default=0.0))


def all_think_times(parts: Iterable[ThinkTimes]) -> ThinkTimes:
    """Return the turns of all *parts* together."""
    counts: Counter[int] = Counter()
    longest = 0.0
    for part in parts:
        if not part.counts:
            continue
        counts.update(part.counts)
        longest = max(longest, part.longest)
    return ThinkTimes(counts, longest)
