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
        self._seconds_of_byte: Final = HOUR / limit
        # Bytes are whole: half of one is more than is lost by rounding.
        self._longest: Final = HOUR + self._seconds_of_byte / 2
        self._forgotten_at: Final[dict[Party, Seconds]] = {}
        """When nothing of a party is counted any more."""

    def has_room(self, party: Party, size: int, now: Seconds) -> bool:
        """Return whether *party* may add *size* bytes now."""
        return self._with(party, size, now) <= now + self._longest

    def add(self, party: Party, size: int, now: Seconds) -> None:
        """Count *size* bytes of *party*."""
        self._forgotten_at[party] = self._with(party, size, now)

    def take(self, party: Party, size: int, now: Seconds) -> bool:
        """Count *size* bytes if *party* may add them; return whether it may."""
        forgotten_at = self._with(party, size, now)
        if forgotten_at > now + self._longest:
            return False
        self._forgotten_at[party] = forgotten_at
        return True

    def _with(self, party: Party, size: int, now: Seconds) -> Seconds:
        """Return when all will be forgotten if *party* adds *size* bytes now."""
        begins = self._forgotten_at.get(party)
        if begins is None or begins < now:
            begins = now
        return begins + size * self._seconds_of_byte
