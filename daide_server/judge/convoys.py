"""Convoy routes: which coasts a chain of fleets joins (DATC 5.B.3, 4.A.1)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from .lazy import lazy
from .map_tables import MapTables

_NO_SEAS: Final[frozenset[int]] = frozenset()

_MAX_LANDINGS: Final = 1 << 14
"""How many answers of `landings` a map keeps: a few megabytes."""


class FleetChains:
    """The seas that fleets stand in, and where each chain of them leads.

    A chain is a set of seas that hang together.
    """

    def __init__(self, tables: MapTables, occupied: Iterable[int]) -> None:
        self._tables = tables
        self.occupied = frozenset(occupied)
        self._reaches: dict[tuple[int, int], frozenset[int]] = {}

    @lazy
    def chains(self) -> Mapping[int, frozenset[int]]:
        """The whole chain that the fleet in each sea belongs to."""
        found: dict[int, frozenset[int]] = {}
        for sea in self.occupied:
            if sea not in found:
                chain = frozenset((sea, *_connected(self._tables, sea, self.occupied)))
                found.update(dict.fromkeys(chain, chain))
        return found

    @lazy
    def coasts(self) -> Mapping[int, frozenset[int]]:
        """The coasts that the chain of the fleet in each sea joins."""
        return {sea: self._coasts_of[chain] for sea, chain in self.chains.items()}

    @lazy
    def _coasts_of(self) -> Mapping[frozenset[int], frozenset[int]]:
        coasts_of = self._tables.coasts_of
        return {
            chain: _NO_SEAS.union(*(coasts_of[sea] for sea in chain))
            for chain in set(self.chains.values())
        }

    @lazy
    def _without(self) -> Mapping[int, frozenset[int]]:
        """The chain of the fleet in each sea, without that fleet."""
        return {sea: chain - {sea} for sea, chain in self.chains.items()}

    def reach(self, start: int, without: int = -1) -> frozenset[int]:
        """Return the coasts that fleets could convoy an army to from *start*.

        The fleet in the sea *without* does not take part.
        """
        known = self._reaches.get((start, without))
        if known is None:
            known = self._find_reach(start, without) - {start}
            self._reaches[start, without] = known
        return known

    def _find_reach(self, start: int, without: int) -> frozenset[int]:
        first = self._tables.seas_of.get(start, _NO_SEAS).intersection(self.occupied)
        found = _NO_SEAS
        if not first:
            return found
        for chain in {self.chains[sea] for sea in first}:
            if without in chain:
                found |= landings(self._tables, start, self._without[without])
            else:
                found |= self._coasts_of[chain]
        return found


def landings(tables: MapTables, start: int, seas: frozenset[int]) -> frozenset[int]:
    """Return the coasts that chains within *seas* join to *start*, itself too."""
    kept = tables.landings
    found = kept.get((start, seas))
    if found is None:
        if len(kept) >= _MAX_LANDINGS:
            kept.clear()
        reached = _connected(tables, start, seas)
        found = frozenset().union(*(tables.coasts_of[sea] for sea in reached))
        kept[start, seas] = found
    return found


def joined(tables: MapTables, start: int, end: int, seas: Collection[int]) -> bool:
    """Return whether a chain within *seas* leads from *start* to *end*."""
    coasts_of = tables.coasts_of
    for sea in _connected(tables, start, seas):  # noqa: SIM110 - half the time of any()
        if end in coasts_of[sea]:
            return True
    return False


def is_useful(
    tables: MapTables, start: int, end: int, seas: Collection[int], sea: int
) -> bool:
    """Return whether some route within *seas* would be broken without *sea*."""
    return any(sea in route for route in _minimal_routes(tables, start, end, seas))


def _minimal_routes(
    tables: MapTables, start: int, end: int, seas: Collection[int]
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


def _connected(tables: MapTables, start: int, seas: Collection[int]) -> Iterator[int]:
    """Yield the seas within *seas* that can be reached from *start* over them."""
    seas_of = tables.seas_of
    reached = set(seas_of.get(start, _NO_SEAS).intersection(seas))
    ahead = list(reached)
    while ahead:
        sea = ahead.pop()
        yield sea
        further = seas_of.get(sea, _NO_SEAS).intersection(seas) - reached
        reached |= further
        ahead += further
