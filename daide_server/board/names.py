"""Powers, provinces, locations and units.

`Power` and `Province` are distinct types for the type checker, because a power and a
sea province can both be called `ENG`.

Units, orders and reports cannot contain themselves, so that the garbage collector need
not track them (`gc=False`).
"""

from enum import Enum
from typing import NewType

from msgspec import Struct

Power = NewType("Power", str)
Province = NewType("Province", str)


class IdentityEnum(Enum):
    """An enum whose members are hashed by identity.

    Members are singletons and compare by identity, so this is correct, also after
    copying and pickling. It is fast: `Enum` hashes the name of a member in Python code,
    which is several times slower and shows in the adjudicator, whose tables have enum
    members in their keys. The order of a set of members then depends on addresses;
    iterate over the enum itself where the order matters.
    """

    __hash__ = object.__hash__


class Coast(IdentityEnum):
    """A named coast; the value is its abbreviation in the DAIDE documents."""

    NORTH = "NCS"
    NORTH_EAST = "NEC"
    EAST = "ECS"
    SOUTH_EAST = "SEC"
    SOUTH = "SCS"
    SOUTH_WEST = "SWC"
    WEST = "WCS"
    NORTH_WEST = "NWC"


class UnitType(IdentityEnum):
    """Army or fleet; the value is its letter in common notation."""

    ARMY = "A"
    FLEET = "F"


class Location(Struct, frozen=True, cache_hash=True, gc=False):
    """A province, with a named coast where a fleet needs one."""

    province: Province
    coast: Coast | None = None

    def __str__(self) -> str:
        if self.coast is None:
            return self.province
        return f"{self.province}/{self.coast.value}"


class Unit(Struct, frozen=True, cache_hash=True, gc=False):
    """An army or a fleet of a power at a location."""

    power: Power
    type: UnitType
    location: Location

    @property
    def province(self) -> Province:
        """Return the province that the unit stands in."""
        return self.location.province

    def __str__(self) -> str:
        return f"{self.type.value} {self.location}"
