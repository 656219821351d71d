"""A position: everything that the result of the next turn depends on."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from .names import Location, Power, Province, Unit
from .turns import Turn


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
        return (
            power not in self.owners.values()
            and all(unit.power != power for unit in self.units)
            and all(unit.power != power for unit in self.dislodged)
        )
