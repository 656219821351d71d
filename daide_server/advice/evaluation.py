"""What a turn's outcome is worth to a power, in centres.

Three parts. Centres: those that change hands, or will if the season has another
turn. Safety: units lost, and own centres that others can take next. Position: what
the units can take next, and how near they are to what is worth having.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from attrs import define, frozen

from daide_server.board.names import Province, Unit
from daide_server.board.orders import (
    ConvoyedMove,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from daide_server.judge.resolution import Resolution

from .outlook import Outlook, Standpoint

NEARNESS: Final = 0.25
ASSURANCE: Final = 0.01
"""A support where others may interfere, even if they are not expected to."""
CROWDED: Final = 0.05
"""A move to where another unit of the same power is."""


@frozen
class Worth:
    """What an outcome is worth, compared with the position before it."""

    centres: float
    safety: float
    position: float

    @property
    def total(self) -> float:
        """Return the sum of the parts."""
        return self.centres + self.safety + self.position


def expected(worths: Sequence[Worth], weights: Sequence[float]) -> Worth:
    """Return the mean of *worths* under *weights*."""
    whole = sum(weights)
    pairs = tuple(zip(worths, weights, strict=True))
    return Worth(
        sum(worth.centres * weight for worth, weight in pairs) / whole,
        sum(worth.safety * weight for worth, weight in pairs) / whole,
        sum(worth.position * weight for worth, weight in pairs) / whole,
    )


@define(eq=False, slots=False)
class Evaluation(Standpoint):
    """Values outcomes of one turn for one power."""

    def worth(self, resolution: Resolution) -> Worth:
        """Return what *resolution* is worth."""
        after = self.outlook(resolution)
        nearness = after.nearness() - self.nearness_before
        return Worth(
            centres=after.centres(),
            safety=after.losses() - after.threats(),
            position=after.prospects() + NEARNESS * nearness,
        )

    def outlook(self, resolution: Resolution) -> Outlook:
        """Return what *resolution* leaves on the board."""
        return Outlook(self, resolution)

    def assurance(self, orders: Sequence[Order]) -> float:
        """Return what supports are worth against what nobody expects.

        Units in each other's way are worth a little less than nothing.
        """
        ends = {
            order.unit: _end(order) for order in orders if not isinstance(order, Waive)
        }
        crowded = len(ends) - len(set(ends.values()))
        supports = sum(self._assurance(order, ends) for order in orders)
        return supports - CROWDED * crowded

    def _assurance(self, order: Order, ends: Mapping[Unit, Province]) -> float:
        match order:
            case SupportHold(supported=supported):
                meant = supported.province
            case SupportMove(supported=supported, destination=destination):
                meant = destination.province
            case _:
                return 0.0
        if ends.get(supported, meant) != meant:
            return -ASSURANCE
        return ASSURANCE * min(2, len(self._foes_near[meant]))

    @cached_property
    def _foes_near(self) -> Mapping[Province, Sequence[Unit]]:
        found: dict[Province, list[Unit]] = defaultdict(list)
        for unit in self.before.units:
            if unit.power != self.power:
                for province in self.ways(unit):
                    found[province].append(unit)
        return found


def _end(order: Order) -> Province:
    """Return where the unit of *order* is if all goes well."""
    assert not isinstance(order, Waive)
    if isinstance(order, Move | ConvoyedMove):
        return order.destination.province
    return order.unit.province
