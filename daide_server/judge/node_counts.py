"""How many orders units at all nodes of a map have, as one integer.

To count the possible orders of a turn asks for each pair of units how one can support
the other. Here what all nodes can do for one unit is one integer with a count for each
node, so that a turn takes one addition for each unit.
"""

from collections.abc import Iterable, Sequence
from struct import Struct
from typing import Final

from .placed_units import PlacedNode

_BITS: Final = 32
"""Those of each count: no sum of orders runs over into the next one."""


class NodeCounts:
    """Counts for the nodes of one map; they may be added as integers."""

    def __init__(self, nodes: Sequence[PlacedNode], provinces: int) -> None:
        self._layout = Struct(f"<{len(nodes)}I")
        self._entering = [0] * provinces
        self._elsewhere = [(1 << _BITS * len(nodes)) - 1] * provinces
        self._at: list[list[PlacedNode]] = [[] for _ in range(provinces)]
        self.supports = _Supports(self)
        for node in nodes:
            self._at[node.province].append(node)
            self._elsewhere[node.province] &= ~self.of(node, (1 << _BITS) - 1)
            for province in node.near:
                self._entering[province] += self.of(node, 1)
        self.alone = sum(self.of(node, 1 + len(node.reach)) for node in nodes)
        """The orders that need no other unit: to hold, and each move."""

    def of(self, node: PlacedNode, count: int) -> int:
        """Return *count* for one node, and 0 for the others."""
        return count << (_BITS * node.number)

    def at(self, province: int) -> Sequence[PlacedNode]:
        """Return the nodes in *province*."""
        return self._at[province]

    def entering(self, provinces: Iterable[int]) -> int:
        """Return how many of *provinces* a unit at each node may enter."""
        return sum(map(self._entering.__getitem__, provinces))

    def without(self, province: int, counts: int) -> int:
        """Return *counts* with 0 for the nodes in *province*."""
        return counts & self._elsewhere[province]

    def by_number(self, counts: int) -> Sequence[int]:
        """Return *counts* by the numbers of the nodes."""
        layout = self._layout
        return layout.unpack(counts.to_bytes(layout.size, "little"))


class _Supports(dict[PlacedNode, int]):
    """The supports for a unit at each node: as many as `SupportTargets` lists."""

    def __init__(self, counts: NodeCounts) -> None:
        super().__init__()
        self._counts = counts

    def __missing__(self, node: PlacedNode) -> int:
        # In holding, and in each move; but nobody else is where the unit is.
        places = (node.province, *node.near)
        entering = self._counts.entering(places)
        found = self[node] = self._counts.without(node.province, entering)
        return found
