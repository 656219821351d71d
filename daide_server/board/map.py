"""The map: provinces, adjacency and home centres.

Terrain follows from adjacency, as in DAIDE's MDF: an inland province has army
neighbours only, a sea province fleet neighbours only, a coastal province both.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from attrs import Factory, define, field

from .identity_enum import IdentityEnum
from .names import Coast, Location, Power, Province, Unit, UnitType

MapNode = tuple[UnitType, Location]
"""Where a unit can stand: the unit's type, and a province or one of its coasts.

The nodes of the movement graph; `Map.neighbours` has the edges.
"""

MAPS_KEPT: Final = 32
"""Maps that a cache has entries for: more than the shipped ones.

A process may see any number of maps: clients read theirs from MDF, and a server reads a
map file again when it has changed.
"""


class Terrain(IdentityEnum):
    """Which types of unit can enter a province."""

    INLAND = "inland"
    SEA = "sea"
    COASTAL = "coastal"


@define(eq=False, slots=False)
class Map:
    """The board without units and owners; immutable except for caches.

    `neighbours` has a key for every unit type and location where it can be; the value
    lists the locations it can move to without a convoy. `provinces` are in the order
    of their numbers (see `map_reading`), and so is every list of provinces or
    locations that the map returns.
    """

    name: str
    powers: tuple[Power, ...]
    provinces: tuple[Province, ...]
    centres: frozenset[Province]
    homes: Mapping[Power, frozenset[Province]]
    neighbours: Mapping[MapNode, tuple[Location, ...]]
    victory: int | None = None
    """The number of centres that wins, if it is not more than half of all."""
    fixed_numbers: Mapping[Province, int] = field(factory=dict)
    """Numbers that the map file fixes: the key `token` of a province.

    They are data of the map, like the order of `provinces` that they determine: clients
    know the provinces of published maps by these numbers. All other numbers follow
    from terrain and order; `language.vocabulary` derives them.
    """
    _units: dict[tuple[Power, UnitType, Location], Unit] = field(
        default=Factory(dict), init=False, repr=False
    )

    @cached_property
    def index(self) -> Mapping[Province, int]:
        """The index of each province in `provinces`."""
        return {province: place for place, province in enumerate(self.provinces)}

    @cached_property
    def power_index(self) -> Mapping[Power, int]:
        """The index of each power in `powers`."""
        return {power: place for place, power in enumerate(self.powers)}

    @cached_property
    def locations(self) -> Mapping[tuple[Province, Coast | None], Location]:
        """Every location of the map, one object each.

        A province without a coast is a location, even if fleets need a coast there:
        armies stand in it, and supports and convoys name it.
        """
        places = [Location(province) for province in self.provinces]
        places += [at for _, at in self.neighbours if at.coast]
        return {(at.province, at.coast): at for at in places}

    @cached_property
    def terrain(self) -> Mapping[Province, Terrain]:
        """The terrain of each province."""
        return {province: self._terrain_of(province) for province in self.provinces}

    @cached_property
    def coasts(self) -> Mapping[Province, tuple[Coast, ...]]:
        """The named coasts of each province that has any."""
        found: dict[Province, tuple[Coast, ...]] = {}
        for _, at in self.neighbours:
            if at.coast is not None:
                found[at.province] = (*found.get(at.province, ()), at.coast)
        return found

    @cached_property
    def majority(self) -> int:
        """The number of centres that wins: `victory`, or more than half of all."""
        return self.victory or len(self.centres) // 2 + 1

    def is_island(self, province: Province) -> bool:
        """Return whether armies can be in *province* but cannot move from or to it."""
        return self.neighbours.get((UnitType.ARMY, Location(province))) == ()

    def can_stand(self, unit_type: UnitType, location: Location) -> bool:
        """Return whether a unit of that type can be at *location*."""
        return (unit_type, location) in self.neighbours

    def unit(self, power: Power, unit_type: UnitType, location: Location) -> Unit:
        """Return the unit; equal units of the map are the same object."""
        key = power, unit_type, location
        known = self._units.get(key)
        if known is None:
            known = Unit(power, unit_type, location)
            if self.can_stand(unit_type, location) and power in self.power_index:
                # Do not cache impossible units: clients could fill the memory.
                self._units[key] = known
        return known

    def sort_key(self, unit: Unit) -> tuple[int, int]:
        """Return the sort key of *unit*: by power, then by province."""
        return self.power_index[unit.power], self.index[unit.location.province]

    def _terrain_of(self, province: Province) -> Terrain:
        if not self.can_stand(UnitType.ARMY, Location(province)):
            return Terrain.SEA
        if province in self.coasts or self.can_stand(
            UnitType.FLEET, Location(province)
        ):
            return Terrain.COASTAL
        return Terrain.INLAND
