"""Where chains of fleets may take armies, found once for each chain and army.

In games on the standard map nineteen of twenty chains were there in an earlier turn.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import field, frozen

from .convoys import connected
from .map_tables import MapTables
from .placed_units import PlacedNode

_NONE: Final[frozenset[int]] = frozenset()

_MAX_KEPT: Final = 1 << 12
"""How many chains, and how many reaches, a map keeps: a few megabytes."""


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


class Reach(dict[PlacedNode, frozenset[int]]):
    """Where chains may take an army from one node: `landings`, in ascending order.

    By the node of another unit: in which of them that unit can support the army, which
    cannot walk there. Who supports an army does not carry it.
    """

    def __init__(
        self, tables: MapTables, army: PlacedNode, chains: tuple[Chain, ...]
    ) -> None:
        super().__init__()
        self._tables, self._start, self._chains = tables, army.province, chains
        coasts = _NONE.union(*(chain.coasts for chain in chains)) - {army.province}
        self._only_by_sea = coasts - army.near
        self.landings: Sequence[int] = sorted(coasts)

    def __missing__(self, supporter: PlacedNode) -> frozenset[int]:
        found, sea = _NONE, supporter.province
        if not self._only_by_sea.isdisjoint(supporter.near):
            found = self._only_by_sea & supporter.near
            if any(sea in chain.seas for chain in self._chains):
                without = (self._without(sea, chain) for chain in self._chains)
                found &= _NONE.union(*without)
        self[supporter] = found
        return found

    def _without(self, sea: int, chain: Chain) -> frozenset[int]:
        """Return the coasts that *chain* joins to the army without a fleet in *sea*."""
        if sea not in chain.seas:
            return chain.coasts
        if len(chain.seas) == 1:
            return _NONE
        coasts_of, left = self._tables.coasts_of, chain.seas - {sea}
        reached = connected(self._tables, self._start, left)
        return _NONE.union(*(coasts_of[each] for each in reached))


class FleetChains:
    """The seas that fleets stand in, and where each chain of them leads."""

    def __init__(self, tables: MapTables, occupied: Iterable[int]) -> None:
        self._tables = tables
        self._occupied = frozenset(occupied)
        self.at: dict[int, Chain] = {}
        """The whole chain that the fleet in each sea belongs to."""
        seas_of = tables.seas_of
        for sea in self._occupied:
            if sea not in self.at:
                chain = frozenset((sea,))
                if not seas_of.get(sea, _NONE).isdisjoint(self._occupied):
                    chain = chain.union(connected(tables, sea, self._occupied))
                self.at.update(dict.fromkeys(chain, self._chain(chain)))

    def reach(self, army: PlacedNode) -> Reach | None:
        """Return where fleets may take an army; `None` if it is at no chain's coast."""
        seas = self._tables.seas_of.get(army.province, _NONE) & self._occupied
        if not seas:
            return None
        chains = tuple({self.at[sea]: None for sea in seas})
        key: tuple[PlacedNode | Chain, ...] = (army, *chains)
        kept = self._tables.reaches
        found = kept.get(key)
        if found is None:
            if len(kept) >= _MAX_KEPT:
                kept.clear()
            found = kept[key] = Reach(self._tables, army, chains)
        return found

    def _chain(self, seas: frozenset[int]) -> Chain:
        kept, coasts_of = self._tables.chains, self._tables.coasts_of
        found = kept.get(seas)
        if found is None:
            if len(kept) >= _MAX_KEPT:
                kept.clear()
            coasts = _NONE.union(*(coasts_of[sea] for sea in seas))
            found = kept[seas] = Chain(seas, coasts)
        return found
