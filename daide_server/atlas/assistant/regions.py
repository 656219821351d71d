"""Regions: what the Move Assistant has in place of provinces and coasts.

A province with several coasts is a land region and one region for each coast; the
land has the centre, a coast is called after it: `Spa`, `Spa/nc`. There is no border
between them.
"""

from enum import IntEnum
from typing import Final

from attrs import frozen

from daide_server.board.names import Coast


class Kind(IntEnum):
    """The types of regions, with the numbers of the document."""

    SEA = 0
    INLAND = 1
    COASTAL = 2
    COAST = 3
    INLAND_SUPPLY = 4
    COASTAL_SUPPLY = 5
    COAST_SUPPLY = 6


SUPPLY: Final = frozenset({Kind.INLAND_SUPPLY, Kind.COASTAL_SUPPLY})
"""Kinds that count as centres: those of coasts are counted with their land."""
INLAND: Final = frozenset({Kind.INLAND, Kind.INLAND_SUPPLY})
COASTAL: Final = frozenset({Kind.COASTAL, Kind.COASTAL_SUPPLY})
COASTS: Final = frozenset({Kind.COAST, Kind.COAST_SUPPLY})

COAST_LETTERS: Final = {
    Coast.NORTH: "nc",
    Coast.NORTH_EAST: "nec",
    Coast.EAST: "ec",
    Coast.SOUTH_EAST: "sec",
    Coast.SOUTH: "sc",
    Coast.SOUTH_WEST: "swc",
    Coast.WEST: "wc",
    Coast.NORTH_WEST: "nwc",
}
COASTS_BY_LETTERS: Final = {letters: coast for coast, letters in COAST_LETTERS.items()}


@frozen
class Region:
    """A region; `number` is unique, and so is `nick`."""

    number: int
    name: str
    kind: Kind
    nick: str


@frozen
class Sketch:
    """A map as the assistant knows it: regions, and borders both ways."""

    regions: tuple[Region, ...]
    borders: frozenset[frozenset[int]]

    def near(self, number: int) -> frozenset[int]:
        """Return the regions that border *number*."""
        ends = frozenset().union(*(pair for pair in self.borders if number in pair))
        return ends - {number}


@frozen
class Player:
    """Somebody who plays a faction, with all that the statements say is theirs."""

    name: str
    faction: str
    nick: str
    holdings: tuple[int, ...] = ()
    units: tuple[tuple[int, bool], ...] = ()
    """Where units stand, and whether they are fleets."""


@frozen
class Description:
    """A map and the position on it."""

    sketch: Sketch
    players: tuple[Player, ...] = ()
