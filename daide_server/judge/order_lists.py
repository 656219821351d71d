"""Lists of possible orders that know their length before their orders.

Who plays at random, or learns, asks how many orders a unit has and then for one of
them; a fleet in a chain of fleets has hundreds.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import overload

from daide_server.board.orders import Order

from .choices import UnitChoices
from .placed_units import PlacedUnit


class _OrderList(Sequence[Order]):
    """A sequence of orders; a slice of it is a tuple."""

    __slots__ = ("length",)

    length: int

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Order: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Order, ...]: ...
    def __getitem__(self, index: int | slice) -> Order | tuple[Order, ...]:
        """Return one order, or those of a slice."""
        if isinstance(index, slice):
            return tuple(self)[index]
        number = index + self.length if index < 0 else index
        if not 0 <= number < self.length:
            message = f"found number {index}, expected one of {self.length} orders"
            raise IndexError(message)
        return self.at(number)

    def at(self, number: int) -> Order:
        """Return the order with *number*, which must be one of the list."""
        raise NotImplementedError


class PossibleOrders(_OrderList):
    """The possible orders of one unit: those without another unit, then the others."""

    __slots__ = ("_alone", "_parts")

    def __init__(self, alone: tuple[Order, ...], parts: Sequence[_OrderList]) -> None:
        self._alone, self._parts = alone, parts
        length = len(alone)
        for part in parts:
            length += part.length
        self.length = length

    def __iter__(self) -> Iterator[Order]:
        return chain(self._alone, *self._parts)

    def at(self, number: int) -> Order:  # noqa: D102 - see above
        if number < len(self._alone):
            return self._alone[number]
        number -= len(self._alone)
        for part in self._parts:
            if number < part.length:
                return part.at(number)
            number -= part.length
        raise AssertionError(number)


class Landings(_OrderList):
    """The convoyed moves of one army to any of *coasts*, in ascending order."""

    __slots__ = ("_coasts", "_own")

    def __init__(self, own: UnitChoices, coasts: frozenset[int]) -> None:
        self._own, self._coasts = own, coasts
        self.length = len(coasts)

    def __iter__(self) -> Iterator[Order]:
        return map(self._own.land.__getitem__, sorted(self._coasts))

    def at(self, number: int) -> Order:  # noqa: D102 - see above
        return self._own.land[sorted(self._coasts)[number]]


class Supports(_OrderList):
    """The supports of one unit for others where they need no convoy.

    *counts* has the number for each of *units*; any more of them are 0.
    """

    __slots__ = ("_counts", "_own", "_units")

    def __init__(
        self, own: UnitChoices, units: Sequence[PlacedUnit], counts: Sequence[int]
    ) -> None:
        self._own, self._units, self._counts = own, units, counts
        self.length = sum(counts)

    def __iter__(self) -> Iterator[Order]:
        support, targets = self._own.support, self._own.supports.of
        for unit, count in zip(self._units, self._counts, strict=False):
            if count:
                yield from [support[unit, to] for to in targets(unit.node)]

    def at(self, number: int) -> Order:  # noqa: D102 - see above
        for unit, count in zip(self._units, self._counts, strict=False):
            if number < count:
                to = self._own.supports.of(unit.node)[number]
                return self._own.support[unit, to]
            number -= count
        raise AssertionError(number)


class SupportedLandings(_OrderList):
    """The supports of one unit for the landings of *armies* in one province."""

    __slots__ = ("_armies", "_own", "_to")

    def __init__(self, own: UnitChoices, to: int, armies: Sequence[PlacedUnit]) -> None:
        self._own, self._to, self._armies = own, to, armies
        self.length = len(armies)

    def __iter__(self) -> Iterator[Order]:
        support, to = self._own.support, self._to
        return iter([support[army, to] for army in self._armies])

    def at(self, number: int) -> Order:  # noqa: D102 - see above
        return self._own.support[self._armies[number], self._to]


class Convoys(_OrderList):
    """The convoys of one fleet: of each of *armies* to all other *coasts*.

    The armies stand on these coasts, which are in ascending order.
    """

    __slots__ = ("_armies", "_coasts", "_own")

    def __init__(
        self, own: UnitChoices, armies: Sequence[PlacedUnit], coasts: Sequence[int]
    ) -> None:
        self._own, self._armies, self._coasts = own, armies, coasts
        self.length = len(armies) * (len(coasts) - 1)

    def __iter__(self) -> Iterator[Order]:
        convoy, coasts = self._own.convoy, self._coasts
        for army in self._armies:
            start = army.province
            yield from [convoy[army, to] for to in coasts if to != start]

    def at(self, number: int) -> Order:  # noqa: D102 - see above
        which, landing = divmod(number, len(self._coasts) - 1)
        army = self._armies[which]
        to = self._coasts[landing]
        if to >= army.province:
            to = self._coasts[landing + 1]
        return self._own.convoy[army, to]
