"""Turns and their phases.

A turn is a season of a year, as in DAIDE's `(SPR 1901)`; its phase says which orders it
needs. Message Syntax, "Season and Phase".
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from .identity_enum import IdentityEnum


class Phase(IdentityEnum):
    """Which orders a turn needs."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


class Season(IdentityEnum):
    """The five turns of a year, in order; the value is DAIDE's token."""

    SPRING = "SPR"
    SUMMER = "SUM"
    FALL = "FAL"
    AUTUMN = "AUT"
    WINTER = "WIN"


PHASE_OF_SEASON: Final[Mapping[Season, Phase]] = {
    Season.SPRING: Phase.MOVEMENT,
    Season.SUMMER: Phase.RETREATS,
    Season.FALL: Phase.MOVEMENT,
    Season.AUTUMN: Phase.RETREATS,
    Season.WINTER: Phase.ADJUSTMENTS,
}
"""Not the values of the seasons, because enum members of equal values are aliases."""

SEASONS: Final = tuple(Season)


class Turn(Struct, frozen=True, cache_hash=True):
    """A season of a year; turns are sorted by time."""

    season: Season
    year: int

    @property
    def phase(self) -> Phase:
        """Return the phase: which orders the turn needs."""
        return PHASE_OF_SEASON[self.season]

    def next(self) -> "Turn":
        """Return the following turn, even if no orders will be due in it."""
        position = SEASONS.index(self.season) + 1
        if position == len(SEASONS):
            return Turn(Season.SPRING, self.year + 1)
        return Turn(SEASONS[position], self.year)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Turn):
            return NotImplemented
        return self._key() < other._key()

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Turn):
            return NotImplemented
        return self._key() <= other._key()

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, Turn):
            return NotImplemented
        return self._key() > other._key()

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, Turn):
            return NotImplemented
        return self._key() >= other._key()

    def _key(self) -> tuple[int, int]:
        return self.year, SEASONS.index(self.season)

    def __str__(self) -> str:
        return f"{self.season.value} {self.year}"
