"""The seas of a map, and where chains of fleets may take armies."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache, partial
from typing import Final

from msgspec.structs import replace

from daide_server.board.map import Map, Position, Terrain
from daide_server.board.names import Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Order

MAX_FLEETS = 1 << 8
"""Maximum number of cached `FleetChains` of a map; each running game needs one."""


class SeaTables:
    """The seas of a map, and their coasts."""

    def __init__(self, board_map: Map) -> None:
        self.provinces = board_map.provinces
        self.index: Mapping[Province, int] = board_map.index
        self._neighbours = board_map.neighbours
        self._terrain = board_map.terrain
        self.fleets: Final = lru_cache(MAX_FLEETS)(partial(FleetChains, self))
        """Returns the chains of fleets in all of the given seas."""

    @cached_property
    def seas(self) -> frozenset[int]:
        """The provinces that are sea."""
        return frozenset(
            self.index[province]
            for province in self.provinces
            if self._terrain[province] is Terrain.SEA
        )

    @cached_property
    def coasts_of(self) -> Mapping[int, frozenset[int]]:
        """The provinces with a coast at each sea."""
        return {
            sea: frozenset(
                place for place in self._sailing[sea] if place not in self.seas
            )
            for sea in self.seas
        }

    @cached_property
    def seas_of(self) -> Mapping[int, frozenset[int]]:
        """The seas next to each province that has any, seas included."""
        found: dict[int, set[int]] = {}
        for sea in self.seas:
            for place in self._sailing[sea]:
                found.setdefault(place, set()).add(sea)
        return {place: frozenset(seas) for place, seas in found.items()}

    @cached_property
    def _sailing(self) -> Mapping[int, set[int]]:
        found: dict[int, set[int]] = {}
        for (unit_type, at), near in self._neighbours.items():
            if unit_type is UnitType.FLEET:
                places = (self.index[place.province] for place in near)
                found.setdefault(self.index[at.province], set()).update(places)
        return found


# Whether fleets join two coasts (DATC 5.B.3, 4.A.1)

_NO_SEA = -1
_NO_SEAS: frozenset[int] = frozenset()


def joined(tables: SeaTables, start: int, end: int, seas: Collection[int]) -> bool:
    """Return whether a chain within *seas* leads from *start* to *end*."""
    return any(end in tables.coasts_of[sea] for sea in connected(tables, start, seas))


def is_useful(
    tables: SeaTables, start: int, end: int, seas: Collection[int], sea: int
) -> bool:
    """Return whether some route within *seas* would be broken without *sea*."""
    return any(sea in route for route in _minimal_routes(tables, start, end, seas))


def _minimal_routes(
    tables: SeaTables, start: int, end: int, seas: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the routes that would be broken without any one of their seas."""
    ahead: list[tuple[int, ...]]
    ahead = [(sea,) for sea in seas if sea in tables.seas_of.get(start, ())]
    while ahead:
        route = ahead.pop()
        if end in tables.coasts_of[route[-1]]:
            yield route
            continue
        # A sea next to an earlier one of the route would be a shorter way.
        passed = tables.seas_of.get(start, _NO_SEAS).union(
            route, *(tables.seas_of.get(sea, ()) for sea in route[:-1])
        )
        further = tables.seas_of.get(route[-1], _NO_SEAS) - passed
        ahead.extend((*route, sea) for sea in further if sea in seas)


def connected(tables: SeaTables, start: int, seas: Collection[int]) -> Iterator[int]:
    """Yield the seas within *seas* that can be reached from *start* over them."""
    seas_of = tables.seas_of
    reached = set(seas_of.get(start, _NO_SEAS).intersection(seas))
    ahead = list(reached)
    while ahead:
        sea = ahead.pop()
        yield sea
        further = seas_of.get(sea, _NO_SEAS).intersection(seas)
        if not further <= reached:
            ahead += further - reached
            reached |= further


class FleetChains:
    """Where the fleets in the seas *occupied* can take armies."""

    def __init__(self, tables: SeaTables, occupied: frozenset[int]) -> None:
        self._tables = tables
        self._occupied = occupied
        self._landings: dict[tuple[int, int], frozenset[int]] = {}

    def landings(self, start: int, without: int = _NO_SEA) -> frozenset[int]:
        """Return the other coasts that chains of fleets connect with *start*.

        The fleet in *without* is not part of them, because it supports the move
        (4.A.1).
        """
        key = start, without if without in self._occupied else _NO_SEA
        found = self._landings.get(key)
        if found is None:
            coasts_of, seas = self._tables.coasts_of, self._occupied - {without}
            reached = connected(self._tables, start, seas)
            coasts = map(coasts_of.__getitem__, reached)
            found = self._landings[key] = _NO_SEAS.union(*coasts) - {start}
        return found

    def coasts(self, sea: int) -> frozenset[int]:
        """Return all coasts of the chain that the fleet in *sea* belongs to."""
        return self._tables.coasts_of[sea] | self.landings(sea)


# The shortest route of a convoy: in DAIDE, a convoyed army must name its fleets (VIA)


def routed(order: Order, board_map: Map, position: Position) -> Order | None:
    """Return *order*; a convoyed move without a route gets the shortest one.

    The fleets may be of any power. `None` if no fleets form a route.
    """
    if not isinstance(order, ConvoyedMove) or order.route is not None:
        return order
    fleets = [
        unit
        for unit in position.units
        if unit.type is UnitType.FLEET
        and board_map.terrain[unit.province] is Terrain.SEA
    ]
    start, end = order.unit.province, order.destination.province
    shortest = shortest_route(board_map, fleets, start, end)
    return None if shortest is None else replace(order, route=shortest)


def shortest_route(
    board_map: Map, fleets: Iterable[Unit], start: Province, destination: Province
) -> tuple[Province, ...] | None:
    """Return the provinces of the fewest *fleets* that join two, `None` if none do.

    Of equal routes the order of *fleets* decides.
    """
    edges = board_map.neighbours
    near = {
        fleet.province: {
            at.province for at in edges.get((UnitType.FLEET, fleet.location), ())
        }
        for fleet in fleets
    }
    seen = {sea for sea in near if start in near[sea]}
    routes: deque[tuple[Province, ...]] = deque((sea,) for sea in near if sea in seen)
    while routes:
        known = routes.popleft()
        last = known[-1]
        if destination in near[last]:
            return known
        added = [sea for sea in near if sea in near[last] and sea not in seen]
        seen.update(added)
        routes.extend((*known, sea) for sea in added)
    return None
