"""A delay that grows with the number of tries, which are forgotten one by one."""

import math

from daide_server.classes import define, frozen
from daide_server.game.events import Seconds


@frozen
class GrowingDelay:
    """How a delay grows with the number of tries."""

    free: int
    """So many are answered without a delay."""
    step: Seconds
    """By how much each further one delays the next answer."""
    longest: Seconds
    memory: Seconds
    """After how long so many as are free are forgotten."""

    def after(self, tries: float) -> Seconds:
        """Return the delay of the next answer."""
        above = math.ceil(tries) - self.free + 1
        return min(self.longest, max(0, above) * self.step)

    @property
    def highest(self) -> int:
        """Return the number of tries from which the delay grows no more."""
        return self.free - 1 + math.ceil(self.longest / self.step)

    @property
    def forgotten(self) -> float:
        """Return how many tries are forgotten in a second."""
        return self.free / self.memory


@define
class CountedTries:
    """The tries that are remembered."""

    _count: float = 0.0
    _counted: Seconds = 0.0

    def add(self, growth: GrowingDelay, now: Seconds) -> None:
        """Count one more, as long as the delay grows."""
        self._count = min(self.left(growth, now) + 1, growth.highest)
        self._counted = now

    def delay(self, growth: GrowingDelay, now: Seconds) -> Seconds:
        """Return by how much they delay an answer."""
        return growth.after(self.left(growth, now))

    def left(self, growth: GrowingDelay, now: Seconds) -> float:
        """Return how many are not forgotten."""
        return max(0.0, self._count - (now - self._counted) * growth.forgotten)
