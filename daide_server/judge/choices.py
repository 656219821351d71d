"""The possible orders of the units of a map, created once and reused.

An order is the same in every position in which it is legal, and to look one up takes a
tenth of the time that it takes to make one. The caches here are subclasses of `dict`:
`map` over their `__getitem__` finds an order in 32 nanoseconds, `functools.lru_cache`
in 82, and a board has a thousand of them.
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

_Key = TypeVar("_Key")
_Made = TypeVar("_Made")

_NO_ORDERS: Final[tuple[Order, ...]] = ()


class _BoundedCache(dict[_Key, _Made]):
    """Orders, or lists of them, that are made when they are first asked for.

    All that a unit meets in many games fits in, and if every unit of a map met every
    other, that would be a hundred megabytes.
    """

    MAX_KEPT: Final = 1024

    def __init__(self, make: Callable[[_Key], _Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: _Key) -> _Made:
        if len(self) >= self.MAX_KEPT:
            self.clear()
        found = self[key] = self._make(key)
        return found


class UnitChoices:
    """What one unit may be ordered to do: `alone`, with another, or over sea.

    `support` has the supports for each unit that come from its own moves over land
    and along coasts. `support_landings` has those for the landings of some armies in
    a province, `convoy` those of a fleet for an army and the coasts that its chain
    joins.
    """

    def __init__(self, placed: PlacedUnit, places: list[Location]) -> None:
        self._placed = placed
        self._places = places
        self.support = _BoundedCache(self._supports)
        self.support_landings = _BoundedCache(self._support_landings)
        self._landing = _BoundedCache(self._support_landing)
        self.convoy = _BoundedCache(self._convoys)
        self.land = _BoundedCache(self._landings)

    @lazy
    def alone(self) -> tuple[Order, ...]:
        """The orders that need no other unit."""
        unit = self._placed.unit
        return Hold(unit), *(Move(unit, to) for to in self._placed.reach)

    def _supports(self, other: PlacedUnit) -> tuple[Order, ...]:
        if other is self._placed:
            return _NO_ORDERS
        unit, supported, places = self._placed.unit, other.unit, self._places
        near = self._placed.near
        holds = (SupportHold(unit, supported),) if other.province in near else ()
        common = sorted(near & other.near)
        return *holds, *(SupportMove(unit, supported, places[to]) for to in common)

    def _support_landings(
        self, key: tuple[int, tuple[PlacedUnit, ...]]
    ) -> tuple[Order, ...]:
        to, armies = key
        others = (army for army in armies if army is not self._placed)
        return tuple(self._landing[army, to] for army in others)

    def _support_landing(self, key: tuple[PlacedUnit, int]) -> Order:
        army, to = key
        return SupportMove(self._placed.unit, army.unit, self._places[to])

    def _convoys(self, key: tuple[PlacedUnit, frozenset[int]]) -> tuple[Order, ...]:
        army, coasts = key
        unit, landings = self._placed.unit, sorted(coasts - {army.province})
        return tuple(Convoy(unit, army.unit, self._places[to]) for to in landings)

    def _landings(self, reach: frozenset[int]) -> tuple[Order, ...]:
        unit, places = self._placed.unit, self._places
        return tuple(ConvoyedMove(unit, places[to], None) for to in sorted(reach))


class OrderChoices(dict[PlacedUnit, UnitChoices]):
    """The choices of each unit of one map, made when they are first asked for."""

    def __init__(self, places: list[Location]) -> None:
        super().__init__()
        self._places = places

    def __missing__(self, placed: PlacedUnit) -> UnitChoices:
        found = self[placed] = UnitChoices(placed, self._places)
        return found
