"""Who waits for an answer to IAM: one after the other, after a delay that grows."""

import math

from attrs import Factory

from daide_server.classes import define
from daide_server.game.events import ClientId, Seconds

from .growing_delay import CountedTries, GrowingDelay

RECHECK: Seconds = 1.0
"""After how long an IAM that waits for another one looks again."""


@define
class AnswerQueue:
    """Those who wait for one seat, or for one seat from one source."""

    tries: CountedTries = Factory(CountedTries)
    _answered: Seconds = -math.inf
    """When the last one that counts was answered."""
    _waiting: dict[ClientId, tuple[float, Seconds]] = Factory(dict)
    """The rank of each, the lowest first, and since when."""
    _first: ClientId | None = None
    """Of those; `None` if that has to be found again."""

    def wait(
        self, client: ClientId, growth: GrowingDelay, now: Seconds, rank: float = 0.0
    ) -> Seconds:
        """Return how long *client* has to wait, at least; 0: it is answered now.

        The first call queues it; it stays there until it is forgotten.
        """
        if client not in self._waiting:
            self._waiting[client] = rank, now
            self._first = None
        left = max(0.0, self.due(growth, now) - now)
        return left if client == self._find_first() else left + RECHECK

    def _find_first(self) -> ClientId:
        if self._first is None:
            self._first = min(self._waiting, key=self._waiting.__getitem__)
        return self._first

    def due(self, growth: GrowingDelay, now: Seconds) -> Seconds:
        """Return when the next may be answered."""
        return self._answered + self.tries.delay(growth, now)

    def count(self, growth: GrowingDelay, now: Seconds) -> None:
        """Count one that is answered now: it delays the next."""
        self.tries.add(growth, now)
        self._answered = now

    def forget(self, client: ClientId) -> None:
        """Take *client* out: it is answered, or its connection is closed."""
        self._waiting.pop(client, None)
        if client == self._first:
            self._first = None
