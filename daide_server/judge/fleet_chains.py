"""Where chains of fleets may take armies, found once for each chain and army.

In games on the standard map nineteen of twenty chains were there in an earlier turn.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field

from daide_server.classes import frozen

from .convoys import connected
from .placed_units import PlacedNode
from .sea_tables import SeaTables

_NONE: Final[frozenset[int]] = frozenset()

_MAX_KEPT: Final = 1 << 12
"""How many chains, and how many landings, are kept for a map: a few megabytes."""

_MAX_FLEETS: Final = 1 << 8
"""For how many sets of seas with fleets the chains are kept.

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
