"""The map, turns, and positions on the map; a variant is a map with how a game starts.

Terrain follows from adjacency, as in DAIDE's MDF: an inland province has army
neighbours only, a sea province fleet neighbours only, a coastal province both. A turn
is a season of a year, as in DAIDE's `(SPR 1901)`; its phase says which orders it needs
(Message Syntax, "Season and Phase").
"""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from attrs import Factory, define, field, frozen
from msgspec import Struct

from daide_server.errors import InputError

from .names import Coast, IdentityEnum, Location, Power, Province, Unit, UnitType

MapNode = tuple[UnitType, Location]
"""A place for a unit: the unit's type, and a province or one of its coasts.

The nodes of the movement graph; `Map.neighbours` has the edges.
"""

MAPS_KEPT = 32
"""Maximum number of maps in each cache; larger than the number of shipped maps.

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
    from terrain and order; `daide.vocabulary` derives them.
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

    def home_groups(self) -> dict[tuple[Power, ...], list[Province]]:
        """Return the centres by the powers whose homes they are, neutral ones last."""
        groups: dict[tuple[Power, ...], list[Province]] = {
            (power,): [] for power in self.powers
        }
        for centre in filter(self.centres.__contains__, self.provinces):
            owners = tuple(at for at in self.powers if centre in self.homes[at])
            groups.setdefault(owners, []).append(centre)
        groups[()] = groups.pop((), [])
        return {owners: centres for owners, centres in groups.items() if centres}

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


# Turns


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


PHASE_OF_SEASON: Mapping[Season, Phase] = {
    Season.SPRING: Phase.MOVEMENT,
    Season.SUMMER: Phase.RETREATS,
    Season.FALL: Phase.MOVEMENT,
    Season.AUTUMN: Phase.RETREATS,
    Season.WINTER: Phase.ADJUSTMENTS,
}
"""A table, because enum members with equal values would be aliases."""

SEASONS = tuple(Season)


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

    # Not `functools.total_ordering`: a struct has all comparisons, which refuse.

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


# Positions, and where games start


class Position(Struct, frozen=True, dict=True):
    """The units on the board and the owners of the centres at the start of a turn.

    `units` are those that are not dislodged, sorted by power and province in the order
    of the map. `dislodged` maps each dislodged unit, in the same order, to the
    locations it may retreat to. A centre without an owner is not in `owners`.
    """

    turn: Turn
    units: tuple[Unit, ...]
    owners: Mapping[Province, Power]
    dislodged: Mapping[Unit, tuple[Location, ...]] = {}

    @property
    def unit_at(self) -> Mapping[Province, Unit]:
        """The unit in each province, the dislodged one in a province with two."""
        return {unit.province: unit for unit in (*self.units, *self.dislodged)}

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """Return the units of *power* that are not dislodged."""
        return tuple(unit for unit in self.units if unit.power == power)

    def dislodged_of(self, power: Power) -> tuple[Unit, ...]:
        """Return the units of *power* that must retreat."""
        return tuple(unit for unit in self.dislodged if unit.power == power)

    def centres_of(self, power: Power) -> tuple[Province, ...]:
        """Return the centres that *power* owns, in the order of the map."""
        return tuple(place for place, owner in self.owners.items() if owner == power)

    def surplus(self, power: Power) -> int:
        """Return the centres of *power* minus its units.

        Positive: builds due, whether or not enough home centres are free. Negative:
        removals due.
        """
        return self._surpluses[power]

    @cached_property
    def _surpluses(self) -> Counter[Power]:
        found = Counter(self.owners.values())
        found.subtract([unit.power for unit in self.units])
        return found

    def is_eliminated(self, power: Power) -> bool:
        """Return whether *power* has neither units nor centres left."""
        units = self.units_of(power) or self.dislodged_of(power)
        return not units and power not in self.owners.values()


@frozen(eq=False)
class Variant:
    """A map with its starting position and the names that people read."""

    name: str
    map: Map
    start: Position
    titles: Mapping[str, str]
    """The full name of each power and province."""
    adjectives: Mapping[Power, str] = {}
    colours: Mapping[Power, str] = {}
    """Colours of powers in pictures, such as `#2255aa`, if the file has them."""


class VariantError(InputError):
    """A variant's data is wrong; the message says where and what was expected.

    `keys` are the names of the tables and the key that lead to the value; `others`
    are the errors found after this one.
    """

    def __init__(self, message: str, keys: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.keys = keys
        self.others: tuple[VariantError, ...] = ()
