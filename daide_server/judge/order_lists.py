"""The possible orders of each unit of a movement turn, in lists that make them late.

Who plays at random, or learns, asks how many orders a unit has and then for one of
them; a fleet in a chain of fleets has hundreds.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import overload

from daide_server.board.names import Unit
from daide_server.board.orders import Order

from .choices import UnitChoices
from .fleet_chains import Chain, FleetChains, Landings
from .lazy import lazy
from .movement_legality import MovementLegality
from .placed_units import PlacedUnit


class TurnUnits:
    """The units of a movement turn, and which armies fleets may take where."""

    def __init__(self, legality: MovementLegality) -> None:
        self.choices = legality.tables.choices
        self.units = list(legality.at.values())
        self._legality = legality
        # One call for all units takes a third of the time of `map`. It needs two
        # numbers, or does not return a tuple; in the end there are no supports.
        nodes = [placed.node.number for placed in self.units]
        self.for_nodes = itemgetter(*nodes, -1, -1)

    def at_nodes(self, numbers: frozenset[int]) -> Iterator[PlacedUnit]:
        """Return the units at the nodes with these *numbers*, in the order of `units`.

        It does not look at the others, which on a large board are most.
        """
        occupied, places = self._occupied
        found = sorted(map(places.__getitem__, numbers & occupied))
        return map(self.units.__getitem__, found)

    @lazy
    def _occupied(self) -> tuple[frozenset[int], Mapping[int, int]]:
        """The nodes with units, and the place of each in `units`."""
        places = {unit.node.number: at for at, unit in enumerate(self.units)}
        return frozenset(places), places

    @lazy
    def chains(self) -> Mapping[int, Chain]:
        """The chain of the fleet in each sea."""
        return self._found.at

    @lazy
    def reaches(self) -> Mapping[PlacedUnit, Landings]:
        """Where fleets may take each army that is at the coast of a chain."""
        if not self.chains:
            return {}
        reach = self._found.reach
        found = ((unit, reach(unit.node)) for unit in self.units if unit.army)
        return {army: landings for army, landings in found if landings is not None}

    @lazy
    def _found(self) -> FleetChains:
        return FleetChains(self._legality.tables.chains, self._legality.seas)

    def carried(self, fleet: PlacedUnit) -> Sequence[PlacedUnit]:
        """Return the armies at the coasts that the chain of *fleet* joins."""
        coasts = self.chains[fleet.province].coasts
        return [army for army in self.reaches if army.province in coasts]


class PossibleOrders(Sequence[Order]):
    """The possible orders of one unit; a slice of them is a tuple.

    First those without another unit and landings, then supports, then convoys. Their
    number is known without making them.
    """

    __slots__ = ("_counts", "_length", "_own", "_placed", "_turn")

    def __init__(self, turn: TurnUnits, placed: PlacedUnit) -> None:
        self._turn, self._placed = turn, placed
        self._own: UnitChoices = turn.choices[placed]
        self._length = -1
        self._counts: tuple[int, ...] = ()

    def __len__(self) -> int:
        """Return how many orders there are, counted when first asked for."""
        if self._length < 0:
            self._length = self._count()
        return self._length

    def __iter__(self) -> Iterator[Order]:
        own, of, support = self._own, self._own.supports.of, self._own.support
        found = [*own.alone, *map(own.land.__getitem__, self._landings())]
        near = self._turn.at_nodes(own.supports.near)
        found += [support[other, to] for other in near for to in of[other.node.number]]
        found += map(support.__getitem__, self._supported_landings())
        found += map(own.convoy.__getitem__, self._convoys())
        return iter(found)

    @overload
    def __getitem__(self, index: int) -> Order: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Order, ...]: ...
    def __getitem__(self, index: int | slice) -> Order | tuple[Order, ...]:
        """Return one order, or those of a slice."""
        length = len(self) if self._length < 0 else self._length
        if isinstance(index, slice):
            return tuple(self)[index]
        number = index + length if index < 0 else index
        if not 0 <= number < length:
            message = f"found number {index}, expected one of {length} orders"
            raise IndexError(message)
        return self._at(number)

    def _count(self) -> int:
        turn, own, unit = self._turn, self._own, self._placed
        self._counts = turn.for_nodes(own.supports.counts)
        found = sum(self._counts, 1 + len(unit.reach))
        if not turn.chains:
            return found
        reaches, node = turn.reaches, unit.node
        for reach in reaches.values():
            found += len(reach[node])
        if unit.army:
            found += len(self._landings())
        elif unit.at_sea:
            coasts = turn.chains[unit.province].coasts
            found += len(turn.carried(unit)) * (len(coasts) - 1)
        return found

    def _at(self, number: int) -> Order:
        """Return the order with *number*, which must be one of the list."""
        own = self._own
        alone = own.alone
        if number < len(alone):
            return alone[number]
        number -= len(alone)
        if self._placed.army:
            landings = self._landings()
            if number < len(landings):
                return own.land[landings[number]]
            number -= len(landings)
        for other, count in zip(self._turn.units, self._counts, strict=False):
            if number < count:
                return own.support[other, own.supports.of[other.node.number][number]]
            number -= count
        supported = self._supported_landings()
        if number < len(supported):
            return own.support[supported[number]]
        return own.convoy[self._convoy(number - len(supported))]

    def _landings(self) -> Sequence[int]:
        """Return where fleets may take the unit."""
        reach = self._turn.reaches.get(self._placed) if self._turn.chains else None
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
    return {placed.unit: PossibleOrders(turn, placed) for placed in turn.units}
