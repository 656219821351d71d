"""Powers, provinces, locations and units: the nouns of the board.

`Power` and `Province` are strings that a type checker keeps apart, so that a
power `ENG` and a sea `ENG` never meet; things are frozen values.
"""

from enum import Enum
from typing import NewType

from attrs import frozen

Power = NewType("Power", str)
Province = NewType("Province", str)


class Coast(Enum):
    """A named coast; the value is its abbreviation in the DAIDE documents."""

    NORTH = "NCS"
    NORTH_EAST = "NEC"
    EAST = "ECS"
    SOUTH_EAST = "SEC"
    SOUTH = "SCS"
    SOUTH_WEST = "SWC"
    WEST = "WCS"
    NORTH_WEST = "NWC"

    __hash__ = object.__hash__


class UnitType(Enum):
    """Army or fleet; the value is the letter of common notation."""

    ARMY = "A"
    FLEET = "F"

    __hash__ = object.__hash__


@frozen(cache_hash=True)
class Location:
    """Where a unit can be: a province, with a coast where fleets need one."""

    province: Province
    coast: Coast | None = None

    def __str__(self) -> str:
        if self.coast is None:
            return self.province
        return f"{self.province}/{self.coast.value}"


@frozen(cache_hash=True)
class Unit:
    """An army or a fleet of a power, where it stands."""

    power: Power
    type: UnitType
    location: Location

    @property
    def province(self) -> Province:
        """Return the province that the unit stands in."""
        return self.location.province

    def __str__(self) -> str:
        return f"{self.type.value} {self.location}"
