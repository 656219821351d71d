"""The possible orders of each unit of a movement turn, made when they are asked for.

A bot that plays at random, or learns, asks how many orders a unit has and then for one
of them; a fleet in a chain of fleets has hundreds.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from daide_server.board.orders import Order

from .fleet_chains import Chain, Landings
from .lazy import lazy
from .legality import MovementLegality
from .node_counts import NodeCounts
from .placed_units import PlacedUnit


class OrderLists:
    """The possible orders of the units of a movement turn, counted and not made.

    A unit is called by its place among `units`, which are in the order of the position;
    `counts` says how many orders each has.
    """

    def __init__(self, legality: MovementLegality) -> None:
        tables = legality.tables
        self.choices = tables.choices
        self.units = list(legality.at.values())
        self._numbered = [(placed, placed.node.number) for placed in self.units]
        self.chains: Mapping[int, Chain] = {}
        """The chain of the fleet in each sea."""
        self.reaches: Mapping[PlacedUnit, Landings] = {}
        """Where fleets may take each army that is at the coast of a chain."""
        if legality.seas:
            self.chains, reach = legality.fleets.at, legality.fleets.reach
            found = ((unit, reach(unit.node)) for unit in self.units if unit.army)
            self.reaches = {army: to for army, to in found if to is not None}
        self.counts = self._count(tables.counts)

    def _count(self, counts: NodeCounts) -> Sequence[int]:
        nodes = (placed.node for placed in self.units)
        found = sum(map(counts.supports.__getitem__, nodes), counts.alone)
        found += sum(landings.orders for landings in self.reaches.values())
        by_number = counts.by_number(found)
        return [by_number[number] for _, number in self._numbered]

    def places_by_power(self, powers: int) -> Iterator[range]:
        """Yield the places of the units of each power; they stand side by side."""
        first, ordered = 0, [placed.power for placed in self.units]
        for power in range(powers):
            end = first + ordered.count(power)
            yield range(first, end)
            first = end

    def order(self, place: int, number: int) -> Order:
        """Return the order of a unit that has *number*, which must be one of them."""
        placed = self.units[place]
        own = self.choices[placed]
        alone = own.alone
        if number < len(alone):
            return alone[number]
        number -= len(alone)
        if placed in self.reaches:
            landings = self.reaches[placed].ordered
            if number < len(landings):
                return own.land[landings[number]]
            number -= len(landings)
        supports = own.supports
        counts = supports.counts
        for other, node in self._numbered:
            count = counts[node]
            if number < count:
                return own.support[other, supports.of[node][number]]
            number -= count
        supported = self._supported_landings(placed)
        if number < len(supported):
            return own.support[supported[number]]
        return own.convoy[self._convoy(placed, number - len(supported))]

    def orders(self, place: int) -> Iterator[Order]:
        """Return the orders of a unit: without another unit, supports, convoys."""
        placed = self.units[place]
        own = self.choices[placed]
        supports, support = own.supports, own.support
        found = [*own.alone]
        if placed in self.reaches:
            found += map(own.land.__getitem__, self.reaches[placed].ordered)
        for other, node in self._at_nodes(supports.near):
            found += [support[other, to] for to in supports.of[node]]
        found += map(support.__getitem__, self._supported_landings(placed))
        found += map(own.convoy.__getitem__, self._convoys(placed))
        return iter(found)

    def _at_nodes(self, numbers: frozenset[int]) -> Iterator[tuple[PlacedUnit, int]]:
        """Return the units at the nodes with these *numbers*, in the order of `units`.

        It does not look at the others, which on a large board are most.
        """
        occupied, places = self._occupied
        found = sorted(map(places.__getitem__, numbers & occupied))
        return map(self._numbered.__getitem__, found)

    @lazy
    def _occupied(self) -> tuple[frozenset[int], Mapping[int, int]]:
        """The nodes with units, and the place of each in `units`."""
        places = {node: place for place, (_, node) in enumerate(self._numbered)}
        return frozenset(places), places

    def _supported_landings(
        self, placed: PlacedUnit
    ) -> Sequence[tuple[PlacedUnit, int]]:
        """Return each landing of an army that the unit may support."""
        node = placed.node
        reaches = self.reaches.items()
        supported = [(army, found) for army, reach in reaches if (found := reach[node])]
        if not supported:
            return ()
        return [
            (army, to) for to in node.near for army, found in supported if to in found
        ]

    def _carried(self, fleet: PlacedUnit) -> Sequence[PlacedUnit]:
        """Return the armies at the coasts that the chain of *fleet* joins."""
        coasts = self.chains[fleet.province].coasts
        return [army for army in self.reaches if army.province in coasts]

    def _convoy(self, fleet: PlacedUnit, number: int) -> tuple[PlacedUnit, int]:
        """Return the army that the fleet may carry, and where: all coasts for each."""
        coasts = self.chains[fleet.province].ordered
        which, landing = divmod(number, len(coasts) - 1)
        army = self._carried(fleet)[which]
        return army, coasts[landing + (coasts[landing] >= army.province)]

    def _convoys(self, fleet: PlacedUnit) -> Sequence[tuple[PlacedUnit, int]]:
        if not fleet.at_sea:
            return ()
        coasts = self.chains[fleet.province].ordered
        armies = self._carried(fleet)
        return [(each, to) for each in armies for to in coasts if to != each.province]


class PossibleOrders(Sequence[Order]):
    """The possible orders of one unit; a slice of them is a tuple."""

    __slots__ = ("_place", "_turn")

    def __init__(self, turn: OrderLists, place: int) -> None:
        self._turn, self._place = turn, place

    def __len__(self) -> int:
        """Return how many orders there are, without making them."""
        return self._turn.counts[self._place]

    def __iter__(self) -> Iterator[Order]:
        return self._turn.orders(self._place)

    @overload
    def __getitem__(self, index: int) -> Order: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Order, ...]: ...
    def __getitem__(self, index: int | slice) -> Order | tuple[Order, ...]:
        """Return one order, or those of a slice."""
        if isinstance(index, slice):
            return tuple(self)[index]
        length = len(self)
        number = index + length if index < 0 else index
        if not 0 <= number < length:
            message = f"found number {index}, expected one of {length} orders"
            raise IndexError(message)
        return self._turn.order(self._place, number)
