"""Turns of the game and the phase each belongs to.

A turn is a season of a year, as in DAIDE's `(SPR 1901)`. What is done in it is
its phase. DAIDE Message Syntax, "Season and Phase".
"""

from collections.abc import Mapping
from enum import Enum
from functools import total_ordering
from typing import Final

from attrs import frozen


class Phase(Enum):
    """What is ordered in a turn."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"

    __hash__ = object.__hash__


class Season(Enum):
    """One of the five turns of a year, in order; the value is DAIDE's token."""

    SPRING = "SPR"
    SUMMER = "SUM"
    FALL = "FAL"
    AUTUMN = "AUT"
    WINTER = "WIN"

    __hash__ = object.__hash__


PHASE_OF_SEASON: Final[Mapping[Season, Phase]] = {
    Season.SPRING: Phase.MOVEMENT,
    Season.SUMMER: Phase.RETREATS,
    Season.FALL: Phase.MOVEMENT,
    Season.AUTUMN: Phase.RETREATS,
    Season.WINTER: Phase.ADJUSTMENTS,
}
"""A table rather than the seasons' values: equal enum values become aliases."""

SEASONS: Final = tuple(Season)


@total_ordering
@frozen(order=False, cache_hash=True)
class Turn:
    """A season of a year; turns are ordered by time."""

    season: Season
    year: int

    @property
    def phase(self) -> Phase:
        """Return what is ordered in this turn."""
        return PHASE_OF_SEASON[self.season]

    def next(self) -> "Turn":
        """Return the turn after this one, whether or not it will be played."""
        position = SEASONS.index(self.season) + 1
        if position == len(SEASONS):
            return Turn(Season.SPRING, self.year + 1)
        return Turn(SEASONS[position], self.year)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Turn):
            return NotImplemented
        return self._key() < other._key()

    def _key(self) -> tuple[int, int]:
        return self.year, SEASONS.index(self.season)

    def __str__(self) -> str:
        return f"{self.season.value} {self.year}"
