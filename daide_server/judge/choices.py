"""The orders that units of a map could be given, made once and listed again.

An order is the same in every position in which it is possible, and to look one up
takes a tenth of the time that it takes to make one.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from daide_server.board.names import Location
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
)

from .lazy import lazy
from .placed_units import PlacedUnit

Key = TypeVar("Key")
Made = TypeVar("Made")

NONE: Final[tuple[Order, ...]] = ()


class _Kept(dict[Key, Made]):
    """Orders, or lists of them, that are made when they are first asked for.

    All that a unit meets in many games fits in, and if every unit of a map met every
    other, that would be a hundred megabytes.
    """

    MOST: Final = 1024

    def __init__(self, make: Callable[[Key], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Made:
        if len(self) >= self.MOST:
            self.clear()
        found = self[key] = self._make(key)
        return found


class Choices:
    """What one unit may be ordered to do: `alone`, with another, or over sea.

    `support` has the supports for each unit that come from its own moves over land
    and along coasts. `support_landings` has those for the landings of some armies in
    a province, `convoy` those of a fleet for an army and the shores that its chain
    joins.
    """

    def __init__(self, placed: PlacedUnit, places: list[Location]) -> None:
        self._standing = placed
        self._places = places
        self.support = _Kept(self._supports)
        self.support_landings = _Kept(self._support_landings)
        self._landing = _Kept(self._support_landing)
        self.convoy = _Kept(self._convoys)
        self.land = _Kept(self._landings)

    @lazy
    def alone(self) -> tuple[Order, ...]:
        """The orders that need nobody else."""
        unit = self._standing.unit
        return Hold(unit), *(Move(unit, to) for to in self._standing.reach)

    def _supports(self, other: PlacedUnit) -> tuple[Order, ...]:
        if other is self._standing:
            return NONE
        unit, supported, places = self._standing.unit, other.unit, self._places
        near = self._standing.near
        stays = (SupportHold(unit, supported),) if other.province in near else NONE
        common = sorted(near & other.near)
        return *stays, *(SupportMove(unit, supported, places[to]) for to in common)

    def _support_landings(
        self, key: tuple[int, tuple[PlacedUnit, ...]]
    ) -> tuple[Order, ...]:
        to, armies = key
        others = (army for army in armies if army is not self._standing)
        return tuple(self._landing[army, to] for army in others)

    def _support_landing(self, key: tuple[PlacedUnit, int]) -> Order:
        army, to = key
        return SupportMove(self._standing.unit, army.unit, self._places[to])

    def _convoys(self, key: tuple[PlacedUnit, frozenset[int]]) -> tuple[Order, ...]:
        army, shores = key
        unit, landings = self._standing.unit, sorted(shores - {army.province})
        return tuple(Convoy(unit, army.unit, self._places[to]) for to in landings)

    def _landings(self, reach: frozenset[int]) -> tuple[Order, ...]:
        unit, places = self._standing.unit, self._places
        return tuple(ConvoyedMove(unit, places[to], None) for to in sorted(reach))


class AllChoices(dict[PlacedUnit, Choices]):
    """The choices of the units of one map."""

    def __init__(self, places: list[Location]) -> None:
        super().__init__()
        self._places = places

    def __missing__(self, placed: PlacedUnit) -> Choices:
        found = self[placed] = Choices(placed, self._places)
        return found
