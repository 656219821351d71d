"""The map in numbers, and the possible orders of its units: made once per map.

A province and a power are their places in the map's order. A resolution turns names
into numbers when it is made, and numbers into names when a caller asks for a result.

An order is the same in every position in which it is legal, and to look one up takes a
tenth of the time that it takes to make one. The caches here are subclasses of `dict`:
`map` over their `__getitem__` finds an order in 32 nanoseconds, `functools.lru_cache`
in 82, and a board has a thousand of them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from daide_server.board.map import Map
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
)

from .compiled_orders import OrderCompiler, PlacedNode, PlacedUnit, PlacedUnits
from .fleet_chains import ChainFinder, SeaTables
from .lazy import lazy

_Key = TypeVar("_Key")
_Made = TypeVar("_Made")


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


class SupportTargets:
    """Where a unit at one node can support units at other nodes.

    `of` has the provinces by the number of the other node; `near` are the numbers of
    the nodes that have any.
    """

    def __init__(self, node: PlacedNode, nodes: Sequence[PlacedNode]) -> None:
        self.of = [_supported(node, other) for other in nodes]
        self.near = frozenset(at for at, found in enumerate(self.of) if found)


def _supported(node: PlacedNode, other: PlacedNode) -> Sequence[int]:
    """Return the provinces in which a unit at *other* can be supported from *node*.

    Its own, to hold, or those that both units may enter.
    """
    if other.province == node.province:
        return ()
    held = (other.province,) if other.province in node.near else ()
    return *held, *sorted(node.near & other.near)


class UnitChoices:
    """What one unit may be ordered to do: `alone`, with another, or over sea.

    `supports` says where the unit can support others, `support` has the order for one
    of them in such a province, `convoy` likewise, and `land` the convoyed move to a
    province.
    """

    def __init__(
        self, placed: PlacedUnit, places: list[Location], supports: SupportTargets
    ) -> None:
        self._placed = placed
        self._places = places
        self.supports = supports
        self.support = _BoundedCache(self._support)
        self.convoy = _BoundedCache(self._convoy)
        self.land = _BoundedCache(self._landing)

    @lazy
    def alone(self) -> tuple[Order, ...]:
        """The orders that need no other unit."""
        unit = self._placed.unit
        return Hold(unit), *(Move(unit, to) for to in self._placed.reach)

    def _support(self, key: tuple[PlacedUnit, int]) -> Order:
        other, to = key
        if to == other.province:
            return SupportHold(self._placed.unit, other.unit)
        return SupportMove(self._placed.unit, other.unit, self._places[to])

    def _convoy(self, key: tuple[PlacedUnit, int]) -> Order:
        army, to = key
        return Convoy(self._placed.unit, army.unit, self._places[to])

    def _landing(self, to: int) -> Order:
        return ConvoyedMove(self._placed.unit, self._places[to], None)


class OrderChoices(dict[PlacedUnit, UnitChoices]):
    """The choices of each unit of one map, made when they are first asked for."""

    def __init__(self, places: list[Location], nodes: Sequence[PlacedNode]) -> None:
        super().__init__()
        self._places = places
        self._nodes = nodes
        self._supports: dict[PlacedNode, SupportTargets] = {}

    def __missing__(self, placed: PlacedUnit) -> UnitChoices:
        node = placed.node
        supports = self._supports.get(node)
        if supports is None:
            supports = self._supports[node] = SupportTargets(node, self._nodes)
        found = self[placed] = UnitChoices(placed, self._places, supports)
        return found


class BuildChoices(dict[tuple[Power, Province], tuple[Build, ...]]):
    """The builds of each power in each of its homes, made when first asked for."""

    def __init__(self, board_map: Map) -> None:
        super().__init__()
        self._map = board_map

    def __missing__(self, key: tuple[Power, Province]) -> tuple[Build, ...]:
        power, home = key
        found = self[key] = tuple(map(Build, self._units(power, home)))
        return found

    def _units(self, power: Power, home: Province) -> Iterator[Unit]:
        board_map = self._map
        coasts: Sequence[Coast | None] = (None, *board_map.coasts.get(home, ()))
        for unit_type in UnitType:
            for coast in coasts:
                at = board_map.locations.get((home, coast))
                if at is not None and board_map.can_stand(unit_type, at):
                    yield board_map.unit(power, unit_type, at)


class MapTables(SeaTables):
    """The map in numbers."""

    def __init__(self, board_map: Map) -> None:
        super().__init__(board_map)
        self.units = PlacedUnits(board_map)
        self.compiler = OrderCompiler(board_map, self.units)
        places = [Location(place) for place in board_map.provinces]
        self.choices = OrderChoices(places, self.units.nodes)
        self.builds = BuildChoices(board_map)
        self.chains = ChainFinder(self)


def tables_of(board_map: Map) -> MapTables:
    """Return the tables of a map, made when first asked for.

    The map itself keeps them, so that they live as long as it does.
    """
    kept = vars(board_map)
    known = kept.get(_KEPT_AS)
    if not isinstance(known, MapTables):
        known = kept[_KEPT_AS] = MapTables(board_map)
    return known


_KEPT_AS: Final = "judge.tables"
