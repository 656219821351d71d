"""How many bytes each of some parties has added lately, forgotten at an even pace."""

from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from .events import Seconds

HOUR: Final = 3600.0

Party = TypeVar("Party", bound=Hashable)


class HourlyBytes(Generic[Party]):
    """Counts bytes, all of which are forgotten after an hour."""

    def __init__(self, limit: int) -> None:
        """Allow each party *limit* bytes."""
        self._limit: Final = limit
        self._recent: Final[dict[Party, tuple[Seconds, float]]] = {}

    def has_room(self, party: Party, size: int, now: Seconds) -> bool:
        """Return whether *party* may add *size* bytes now."""
        return self._left(party, now) + size <= self._limit

    def add(self, party: Party, size: int, now: Seconds) -> None:
        """Count *size* bytes of *party*."""
        self._recent[party] = now, self._left(party, now) + size

    def take(self, party: Party, size: int, now: Seconds) -> bool:
        """Count *size* bytes if *party* may add them; return whether it may."""
        total = self._left(party, now) + size
        if total > self._limit:
            return False
        self._recent[party] = now, total
        return True

    def _left(self, party: Party, now: Seconds) -> float:
        """Return how many bytes of *party* are not forgotten."""
        recent = self._recent.get(party)
        if recent is None:
            return 0.0
        then, size = recent
        left = size - (now - then) * self._limit / HOUR
        # `max` takes ten times as long.
        return left if left > 0 else 0.0
