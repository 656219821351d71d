"""Regions: the Move Assistant's counterpart of provinces and coasts.

A province with several coasts is a land region and one region for each coast. The land
has the supply centre; the nick of a coast is that of its land and a suffix: `Spa`,
`Spa/nc`. There is no border between them.
"""

import re
from enum import IntEnum
from typing import Final

from daide_server.board.names import Coast
from daide_server.classes import frozen


class RegionKind(IntEnum):
    """The types of regions, with the numbers of the assistant's document."""

    SEA = 0
    INLAND = 1
    COASTAL = 2
    COAST = 3
    INLAND_SUPPLY = 4
    COASTAL_SUPPLY = 5
    COAST_SUPPLY = 6


SUPPLY: Final = frozenset({RegionKind.INLAND_SUPPLY, RegionKind.COASTAL_SUPPLY})
"""Kinds that count as supply centres; a coast counts with its land."""
INLAND: Final = frozenset({RegionKind.INLAND, RegionKind.INLAND_SUPPLY})
COASTAL: Final = frozenset({RegionKind.COASTAL, RegionKind.COASTAL_SUPPLY})
LANDS: Final = INLAND | COASTAL
COAST_KINDS: Final = frozenset({RegionKind.COAST, RegionKind.COAST_SUPPLY})

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
REGION_NUMBER: Final = re.compile(r"[0-9]{1,6}")
"""The number of a region, or of its kind."""
ONLY_COAST: Final = "c"
"""The suffix of a single coast that is a region of its own."""


@frozen
class Region:
    """A region; `number` is unique, and so is `nick`."""

    number: int
    name: str
    kind: RegionKind
    nick: str

    @property
    def land(self) -> str:
        """The nick of the land that a coast belongs to; for other regions their own."""
        return self.nick.partition("/")[0] if self.kind in COAST_KINDS else self.nick

    @property
    def coast(self) -> Coast | None:
        """The coast that the region is, where a province has several."""
        return COASTS_BY_LETTERS.get(self._letters)

    @property
    def is_only_coast(self) -> bool:
        """Whether the region is the single coast of its land."""
        return self._letters == ONLY_COAST

    @property
    def _letters(self) -> str:
        return self.nick.partition("/")[2].lower() if self.kind in COAST_KINDS else ""


@frozen
class RegionMap:
    """A map of the assistant: regions, and borders as pairs of their numbers."""

    regions: tuple[Region, ...]
    borders: frozenset[frozenset[int]]

    def near(self, number: int) -> frozenset[int]:
        """Return the numbers of the regions that border region *number*."""
        ends = frozenset().union(*(pair for pair in self.borders if number in pair))
        return ends - {number}


@frozen
class Player:
    """A player and the faction: its holdings and units, by the numbers of regions."""

    name: str
    faction: str
    nick: str
    holdings: tuple[int, ...] = ()
    units: tuple[tuple[int, bool], ...] = ()
    """The region of each unit, and whether it is a fleet."""


@frozen
class Description:
    """A map and the position on it."""

    region_map: RegionMap
    players: tuple[Player, ...] = ()


# The assistant has no statement for borders that fleets can pass: between two coastal
# regions they can if the two share a sea.


def fleet_borders(region_map: RegionMap) -> frozenset[frozenset[int]]:
    """Return the borders of *region_map* that fleets can pass."""
    kinds = {region.number: region.kind for region in region_map.regions}
    seas = {
        number: {
            near for near in region_map.near(number) if kinds[near] is RegionKind.SEA
        }
        for number in kinds
    }

    def is_open(border: frozenset[int]) -> bool:
        one, other = border
        ends = {kinds[one], kinds[other]}
        if not ends.isdisjoint(INLAND):
            return False
        return not ends <= COASTAL or not seas[one].isdisjoint(seas[other])

    return frozenset(filter(is_open, region_map.borders))
