"""Where chains of fleets may take armies, found once for each chain and army.

In games on the standard map nineteen of twenty chains were there in an earlier turn.
"""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from attrs import field, frozen
from msgspec.structs import replace

from daide_server.board.map import Map, Position, Terrain
from daide_server.board.names import Location, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Order

from .compiled_orders import PlacedNode
from .lazy import lazy

# The provinces of a map in numbers, and which of them lie at which sea


class SeaTables:
    """The seas of a map, and the coasts at them."""

    def __init__(self, board_map: Map) -> None:
        self.provinces = board_map.provinces
        self.index: Mapping[Province, int] = board_map.index
        self._neighbours = board_map.neighbours
        self._terrain = board_map.terrain

    @lazy
    def seas(self) -> frozenset[int]:
        """The provinces that are sea."""
        return frozenset(
            self.index[province]
            for province in self.provinces
            if self._terrain[province] is Terrain.SEA
        )

    @lazy
    def coasts_of(self) -> Mapping[int, frozenset[int]]:
        """The provinces with a coast at each sea."""
        return {
            sea: frozenset(
                place for place in self._sailing[sea] if place not in self.seas
            )
            for sea in self.seas
        }

    @lazy
    def seas_of(self) -> Mapping[int, frozenset[int]]:
        """The seas next to each province that has any, seas included."""
        found: dict[int, set[int]] = {}
        for sea in self.seas:
            for place in self._sailing[sea]:
                found.setdefault(place, set()).add(sea)
        return {place: frozenset(seas) for place, seas in found.items()}

    @lazy
    def _sailing(self) -> Mapping[int, set[int]]:
        found: dict[int, set[int]] = {}
        for (unit_type, at), near in self._neighbours.items():
            if unit_type is UnitType.FLEET:
                places = (self.index[place.province] for place in near)
                found.setdefault(self.index[at.province], set()).update(places)
        return found


# Whether fleets join two coasts (DATC 5.B.3, 4.A.1)

_NO_SEAS: Final[frozenset[int]] = frozenset()


def joined(tables: SeaTables, start: int, end: int, seas: Collection[int]) -> bool:
    """Return whether a chain within *seas* leads from *start* to *end*."""
    coasts_of = tables.coasts_of
    for sea in connected(tables, start, seas):  # noqa: SIM110 - half the time of any()
        if end in coasts_of[sea]:
            return True
    return False


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


_NONE: Final[frozenset[int]] = frozenset()

_MAX_KEPT: Final = 1 << 12
"""The most chains, and the most landings, kept for a map: a few megabytes."""

_MAX_FLEETS: Final = 1 << 8
"""The most sets of seas with fleets whose chains are kept.

Each of as many games side by side has one, that of its turn.
"""


@frozen(eq=False)
class Chain:
    """Seas that hang together, with a fleet in each, and the coasts that they join."""

    seas: frozenset[int]
    coasts: frozenset[int]
    ordered: Sequence[int] = field(init=False)
    """The coasts in ascending order."""

    @ordered.default
    def _in_order(self) -> Sequence[int]:
        return sorted(self.coasts)


class Landings(dict[PlacedNode, frozenset[int]]):
    """Where chains may take an army from one node; `ordered` has these coasts.

    By the node of another unit: in which of them that unit can support the army, which
    cannot walk there. Who supports an army does not carry it.
    """

    def __init__(
        self, tables: SeaTables, army: PlacedNode, chains: tuple[Chain, ...]
    ) -> None:
        super().__init__()
        self.chains = chains
        self._tables, self._army = tables, army
        coasts = _NONE.union(*(chain.coasts for chain in chains)) - {army.province}
        self.coasts = coasts
        self._seas = _NONE.union(*(chain.seas for chain in chains))
        self._only_by_sea = coasts - army.near
        self.ordered: Sequence[int] = sorted(coasts)

    def __missing__(self, supporter: PlacedNode) -> frozenset[int]:
        found, sea = _NONE, supporter.province
        if not self._only_by_sea.isdisjoint(supporter.near):
            found = self._only_by_sea & supporter.near
            if sea in self._seas:
                without = (self._without(sea, chain) for chain in self.chains)
                found &= _NONE.union(*without)
        self[supporter] = found
        return found

    def _without(self, sea: int, chain: Chain) -> frozenset[int]:
        """Return the coasts that *chain* joins to the army without a fleet in *sea*."""
        if sea not in chain.seas:
            return chain.coasts
        if len(chain.seas) == 1:
            return _NONE
        left = chain.seas - {sea}
        reached = connected(self._tables, self._army.province, left)
        return _NONE.union(*map(self._tables.coasts_of.__getitem__, reached))


class ChainFinder:
    """Finds chains on one map, and keeps them with where they take armies."""

    def __init__(self, tables: SeaTables) -> None:
        self.tables = tables
        self._chains: dict[frozenset[int], Chain] = {}
        self._reaches: dict[tuple[PlacedNode | Chain, ...], Landings] = {}
        self._fleets: dict[frozenset[int], FleetChains] = {}

    def fleets(self, occupied: frozenset[int]) -> "FleetChains":
        """Return the chains of fleets in all of the seas *occupied*."""
        kept = self._fleets
        found = kept.get(occupied)
        if found is None:
            if len(kept) >= _MAX_FLEETS:
                kept.clear()
            found = kept[occupied] = FleetChains(self, occupied)
        return found

    def chain(self, seas: frozenset[int]) -> Chain:
        """Return the chain of fleets in all of *seas*, which hang together."""
        kept, coasts_of = self._chains, self.tables.coasts_of
        found = kept.get(seas)
        if found is None:
            if len(kept) >= _MAX_KEPT:
                kept.clear()
            coasts = _NONE.union(*map(coasts_of.__getitem__, seas))
            found = kept[seas] = Chain(seas, coasts)
        return found

    def reach(self, army: PlacedNode, chains: tuple[Chain, ...]) -> Landings:
        """Return where *chains* may take an army; all of them are at its coast."""
        key: tuple[PlacedNode | Chain, ...] = (army, *chains)
        kept = self._reaches
        found = kept.get(key)
        if found is None:
            if len(kept) >= _MAX_KEPT:
                kept.clear()
            found = kept[key] = Landings(self.tables, army, chains)
        return found

    def chains(self, occupied: frozenset[int]) -> Mapping[int, Chain]:
        """Return the whole chain that the fleet in each sea belongs to."""
        found: dict[int, Chain] = {}
        seas_of = self.tables.seas_of
        for sea in occupied:
            if sea not in found:
                seas = frozenset((sea,))
                if not seas_of.get(sea, _NONE).isdisjoint(occupied):
                    seas = seas.union(connected(self.tables, sea, occupied))
                found.update(dict.fromkeys(seas, self.chain(seas)))
        return found


class FleetChains:
    """The seas that fleets stand in, and where each chain of them leads."""

    def __init__(self, finder: ChainFinder, occupied: frozenset[int]) -> None:
        self._finder = finder
        self.at = finder.chains(occupied)
        """The whole chain that the fleet in each sea belongs to."""
        self._at_coast: dict[int, tuple[Chain, ...]] = {}
        at_coast = self._at_coast
        for chain in dict.fromkeys(self.at.values()):
            for coast in chain.coasts:
                at_coast[coast] = (*at_coast.get(coast, ()), chain)

    def reach(self, army: PlacedNode) -> Landings | None:
        """Return where fleets may take an army; `None` if it is at no chain's coast."""
        chains = self._at_coast.get(army.province)
        return None if chains is None else self._finder.reach(army, chains)


# The shortest route of a convoy: in DAIDE, a convoyed army must name its fleets (VIA)


def routed(order: Order, board_map: Map, position: Position) -> Order | None:
    """Return *order*; a convoyed move without a route gets the shortest one.

    The fleets may be of any power. `None` if no fleets form a route.
    """
    if not isinstance(order, ConvoyedMove) or order.route is not None:
        return order
    shortest = route(board_map, position, order.unit, order.destination.province)
    return None if shortest is None else replace(order, route=shortest)


def route(
    board_map: Map, position: Position, army: Unit, destination: Province
) -> tuple[Province, ...] | None:
    """Return the sea provinces of a shortest convoy route, `None` if there is none."""
    near = {
        unit.province: fleet_neighbours(board_map, unit.location)
        for unit in position.units
        if unit.type is UnitType.FLEET
        and board_map.terrain[unit.province] is Terrain.SEA
    }
    return shortest_route(near, army.province, destination)


def shortest_route(
    near: Mapping[Province, frozenset[Province]], start: Province, destination: Province
) -> tuple[Province, ...] | None:
    """Return the fewest fleets that join two provinces, `None` if none do.

    *near* has the provinces next to each fleet; of equal routes its order decides.
    """
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


def fleet_neighbours(board_map: Map, at: Location) -> frozenset[Province]:
    """Return the provinces next to a fleet; none where no fleet can be."""
    neighbours = board_map.neighbours.get((UnitType.FLEET, at), ())
    return frozenset(near.province for near in neighbours)
