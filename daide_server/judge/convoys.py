"""Routes over sea: which coasts a chain of fleets joins (DATC 5.B.4)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from .lazy import lazy
from .map_tables import MapTables


class FleetChains:
    """The seas that fleets stand in, and where a chain of them leads."""

    def __init__(self, tables: MapTables, occupied: Iterable[int]) -> None:
        self._tables = tables
        self.occupied = frozenset(occupied)
        self._known: dict[tuple[int, int], frozenset[int]] = {}

    @lazy
    def chains(self) -> Mapping[int, frozenset[int]]:
        """The whole chain that the fleet in each sea belongs to."""
        found: dict[int, frozenset[int]] = {}
        for sea in self.occupied:
            if sea not in found:
                chain = frozenset((sea, *_chain(self._tables, sea, self.occupied)))
                found.update(dict.fromkeys(chain, chain))
        return found

    @lazy
    def shores(self) -> Mapping[int, frozenset[int]]:
        """The coasts that the chain of the fleet in each sea joins."""
        return {sea: self._joined_by[chain] for sea, chain in self.chains.items()}

    @lazy
    def _joined_by(self) -> Mapping[frozenset[int], frozenset[int]]:
        coasts_of = self._tables.coasts_of
        return {
            chain: _NOWHERE.union(*(coasts_of[sea] for sea in chain))
            for chain in set(self.chains.values())
        }

    @lazy
    def _rests(self) -> Mapping[int, frozenset[int]]:
        """The chain of the fleet in each sea, without that fleet."""
        return {sea: chain - {sea} for sea, chain in self.chains.items()}

    def reach(self, start: int, without: int = -1) -> frozenset[int]:
        """Return the coasts that fleets could bring an army to from *start*.

        The fleet in the sea *without* does not take part.
        """
        known = self._known.get((start, without))
        if known is None:
            known = self._find_reach(start, without) - {start}
            self._known[start, without] = known
        return known

    def _find_reach(self, start: int, without: int) -> frozenset[int]:
        first = self._tables.seas_of.get(start, _NOWHERE).intersection(self.occupied)
        found = _NOWHERE
        for chain in {self.chains[sea] for sea in first}:
            if without in chain:
                found |= landings(self._tables, start, self._rests[without])
            else:
                found |= self._joined_by[chain]
        return found


_NOWHERE: Final[frozenset[int]] = frozenset()

_MOST_LANDINGS: Final = 1 << 14


def landings(tables: MapTables, start: int, seas: frozenset[int]) -> frozenset[int]:
    """Return the coasts that chains within *seas* join to *start*, itself too."""
    kept = tables.landings
    found = kept.get((start, seas))
    if found is None:
        if len(kept) >= _MOST_LANDINGS:
            kept.clear()
        chain = _chain(tables, start, seas)
        found = frozenset().union(*(tables.coasts_of[sea] for sea in chain))
        kept[start, seas] = found
    return found


def joined(tables: MapTables, start: int, end: int, seas: Collection[int]) -> bool:
    """Return whether a chain within *seas* leads from *start* to *end*."""
    coasts_of = tables.coasts_of
    for sea in _chain(tables, start, seas):  # noqa: SIM110 - half the time of any()
        if end in coasts_of[sea]:
            return True
    return False


def is_useful(
    tables: MapTables, start: int, end: int, seas: Collection[int], sea: int
) -> bool:
    """Return whether some route within *seas* would be broken without *sea*."""
    return any(sea in route for route in _short_cuts(tables, start, end, seas))


def _short_cuts(
    tables: MapTables, start: int, end: int, seas: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the routes that have no sea to spare."""
    ahead: list[tuple[int, ...]]
    ahead = [(sea,) for sea in seas if sea in tables.seas_of.get(start, ())]
    while ahead:
        route = ahead.pop()
        if end in tables.coasts_of[route[-1]]:
            yield route
            continue
        passed = tables.seas_of.get(start, frozenset()).union(
            route, *(tables.seas_of.get(sea, ()) for sea in route[:-1])
        )
        further = tables.seas_of.get(route[-1], frozenset()) - passed
        ahead.extend((*route, sea) for sea in further if sea in seas)


def _chain(tables: MapTables, start: int, seas: Collection[int]) -> Iterator[int]:
    """Yield the seas that can be reached from *start* within *seas*."""
    seas_of = tables.seas_of
    reached = set(seas_of.get(start, _NOWHERE).intersection(seas))
    ahead = list(reached)
    while ahead:
        sea = ahead.pop()
        yield sea
        further = seas_of.get(sea, _NOWHERE).intersection(seas) - reached
        reached |= further
        ahead += further
