"""The map: provinces, what is next to what, and whose home the centres are.

Facts only. Terrain follows from adjacency, as in DAIDE's MDF: an inland province
has army neighbours only, a sea fleet neighbours only, a coastal province both.
"""

from collections.abc import Mapping
from enum import Enum
from functools import cached_property

from attrs import Factory, define, field

from .names import Coast, Location, Power, Province, Unit, UnitType


class Terrain(Enum):
    """What kind of ground a province is."""

    INLAND = "inland"
    SEA = "sea"
    COASTAL = "coastal"

    __hash__ = object.__hash__


@define(eq=False, slots=False)
class Map:
    """The board, without units and owners; never changed once it is made.

    `neighbours` tells, for a unit type at a location, where one move may lead;
    it has an entry for every location that the type can stand in. `provinces`
    are in the order of the variant's tokens (see `map_reading`), and every
    list of provinces or locations that the map gives is in that order.
    """

    name: str
    powers: tuple[Power, ...]
    provinces: tuple[Province, ...]
    centres: frozenset[Province]
    homes: Mapping[Power, frozenset[Province]]
    neighbours: Mapping[tuple[UnitType, Location], tuple[Location, ...]]
    victory: int | None = None
    """The centres that win a game, where it is not more than half of them."""
    tokens: Mapping[Province, int] = field(factory=dict)
    """DAIDE's numbers of provinces, of those that do not follow from the map."""
    _units: dict[tuple[Power, UnitType, Location], Unit] = field(
        default=Factory(dict), init=False, repr=False
    )

    @cached_property
    def index(self) -> Mapping[Province, int]:
        """The place of each province in `provinces`."""
        return {province: place for place, province in enumerate(self.provinces)}

    @cached_property
    def power_index(self) -> Mapping[Power, int]:
        """The place of each power in `powers`."""
        return {power: place for place, power in enumerate(self.powers)}

    @cached_property
    def locations(self) -> Mapping[tuple[Province, Coast | None], Location]:
        """Every location of the map, one object each.

        A province as a whole is a location too: an army stands there, and
        supports and convoys name it.
        """
        places = [Location(province) for province in self.provinces]
        places += [at for _, at in self.neighbours if at.coast]
        return {(at.province, at.coast): at for at in places}

    @cached_property
    def terrain(self) -> Mapping[Province, Terrain]:
        """The kind of ground of each province."""
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
        """How many centres win: more than half of all, or what the map says."""
        return self.victory or len(self.centres) // 2 + 1

    def is_island(self, province: Province) -> bool:
        """Return whether armies can stand in *province*, but not walk from it."""
        return self.neighbours.get((UnitType.ARMY, Location(province))) == ()

    def can_stand(self, unit_type: UnitType, location: Location) -> bool:
        """Return whether a unit of that type can be at *location*."""
        return (unit_type, location) in self.neighbours

    def unit(self, power: Power, unit_type: UnitType, location: Location) -> Unit:
        """Return the unit; equal units of one map are one object."""
        key = power, unit_type, location
        known = self._units.get(key)
        if known is None:
            known = Unit(power, unit_type, location)
            if self.can_stand(unit_type, location) and power in self.power_index:
                # Others come from clients' mistakes and are not kept.
                self._units[key] = known
        return known

    def sort_key(self, unit: Unit) -> tuple[int, int]:
        """Return a key that orders units by power and then by province."""
        return self.power_index[unit.power], self.index[unit.location.province]

    def _terrain_of(self, province: Province) -> Terrain:
        if not self.can_stand(UnitType.ARMY, Location(province)):
            return Terrain.SEA
        if province in self.coasts or self.can_stand(
            UnitType.FLEET, Location(province)
        ):
            return Terrain.COASTAL
        return Terrain.INLAND
