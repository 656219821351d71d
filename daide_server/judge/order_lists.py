"""The possible orders of each unit of a movement turn, in lists that make them late.

Who plays at random, or learns, asks how many orders a unit has and then for one of
them; a fleet in a chain of fleets has hundreds.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import overload

from daide_server.board.names import Unit
from daide_server.board.orders import Order

from .fleet_chains import Chain, Landings
from .movement_legality import MovementLegality
from .placed_units import PlacedUnit


class TurnUnits:
    """The units of a movement turn, and which armies fleets may take where."""

    def __init__(self, legality: MovementLegality) -> None:
        tables = legality.tables
        self.choices = tables.choices
        self.units = list(legality.at.values())
        # One call for all units takes a third of the time of `map`. It needs two
        # numbers, or does not return a tuple; in the end there are no supports.
        nodes = [placed.node.number for placed in self.units]
        self.for_nodes = itemgetter(*nodes, -1, -1)
        self.chains: Mapping[int, Chain] = {}
        """The chain of the fleet in each sea."""
        self.reaches: Mapping[PlacedUnit, Landings] = {}
        """Where fleets may take each army that is at the coast of a chain."""
        if legality.seas:
            self.chains, reach = legality.fleets.at, legality.fleets.reach
            found = ((unit, reach(unit.node)) for unit in self.units if unit.army)
            self.reaches = {army: to for army, to in found if to is not None}
        self._counts = tables.counts

    def counts(self) -> Sequence[int]:
        """Return how many possible orders each unit has, without making them."""
        counts = self._counts
        nodes = (placed.node for placed in self.units)
        found = sum(map(counts.supports.__getitem__, nodes), counts.alone)
        found += sum(landings.orders for landings in self.reaches.values())
        by_number: tuple[int, ...] = self.for_nodes(counts.by_number(found))
        return by_number

    def carried(self, fleet: PlacedUnit) -> Sequence[PlacedUnit]:
        """Return the armies at the coasts that the chain of *fleet* joins."""
        coasts = self.chains[fleet.province].coasts
        return [army for army in self.reaches if army.province in coasts]


class PossibleOrders(Sequence[Order]):
    """The possible orders of one unit; a slice of them is a tuple.

    First those without another unit and landings, then supports, then convoys. Their
    number is known without making them.
    """

    __slots__ = ("_length", "_placed", "_turn")

    def __init__(self, turn: TurnUnits, placed: PlacedUnit, length: int) -> None:
        self._turn, self._placed, self._length = turn, placed, length

    def __len__(self) -> int:
        """Return how many orders there are."""
        return self._length

    def __iter__(self) -> Iterator[Order]:
        own = self._turn.choices[self._placed]
        of, support = own.supports.of, own.support
        found = [*own.alone, *map(own.land.__getitem__, self._landings())]
        for other in self._turn.units:
            found += [support[other, to] for to in of[other.node.number]]
        found += map(support.__getitem__, self._supported_landings())
        found += map(own.convoy.__getitem__, self._convoys())
        return iter(found)

    @overload
    def __getitem__(self, index: int) -> Order: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Order, ...]: ...
    def __getitem__(self, index: int | slice) -> Order | tuple[Order, ...]:
        """Return one order, or those of a slice."""
        length = self._length
        if isinstance(index, slice):
            return tuple(self)[index]
        number = index + length if index < 0 else index
        if not 0 <= number < length:
            message = f"found number {index}, expected one of {length} orders"
            raise IndexError(message)
        return self._at(number)

    def _at(self, number: int) -> Order:
        """Return the order with *number*, which must be one of the list."""
        turn, placed = self._turn, self._placed
        own = turn.choices[placed]
        alone = own.alone
        if number < len(alone):
            return alone[number]
        number -= len(alone)
        if placed.army:
            landings = self._landings()
            if number < len(landings):
                return own.land[landings[number]]
            number -= len(landings)
        supports = own.supports
        counts = turn.for_nodes(supports.counts)
        for other, count in zip(turn.units, counts, strict=False):
            if number < count:
                return own.support[other, supports.of[other.node.number][number]]
            number -= count
        supported = self._supported_landings()
        if number < len(supported):
            return own.support[supported[number]]
        return own.convoy[self._convoy(number - len(supported))]

    def _landings(self) -> Sequence[int]:
        """Return where fleets may take the unit."""
        reach = self._turn.reaches.get(self._placed)
        return () if reach is None else reach.ordered

    def _supported_landings(self) -> Sequence[tuple[PlacedUnit, int]]:
        """Return each landing of an army that the unit may support."""
        node = self._placed.node
        reaches = self._turn.reaches.items()
        supported = [(army, found) for army, reach in reaches if (found := reach[node])]
        if not supported:
            return ()
        return [
            (army, to) for to in node.near for army, found in supported if to in found
        ]

    def _convoy(self, number: int) -> tuple[PlacedUnit, int]:
        """Return the army that the fleet may carry, and where: all coasts for each."""
        coasts = self._turn.chains[self._placed.province].ordered
        which, landing = divmod(number, len(coasts) - 1)
        army = self._turn.carried(self._placed)[which]
        return army, coasts[landing + (coasts[landing] >= army.province)]

    def _convoys(self) -> Sequence[tuple[PlacedUnit, int]]:
        if not self._placed.at_sea:
            return ()
        coasts = self._turn.chains[self._placed.province].ordered
        armies = self._turn.carried(self._placed)
        return [(each, to) for each in armies for to in coasts if to != each.province]


def movement_choices(legality: MovementLegality) -> Mapping[Unit, Sequence[Order]]:
    """Return the possible orders of each unit."""
    turn = TurnUnits(legality)
    return {
        placed.unit: PossibleOrders(turn, placed, count)
        for placed, count in zip(turn.units, turn.counts(), strict=False)
    }
