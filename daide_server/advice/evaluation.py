"""The worth of a turn's outcome to a power, in centres.

It has three parts. Centres: those that change hands, or will at the end of the year.
Safety: units lost, and own centres that others can take next. Position: centres that
the units can take next, how near they are to others, and what new units are good for.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from daide_server.board.names import Province, Unit
from daide_server.board.orders import (
    ConvoyedMove,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from daide_server.classes import define, frozen
from daide_server.judge.resolution import Resolution

from .board_after import BoardAfter
from .outlook import outlook
from .prospects import prospects
from .standpoint import Standpoint

NEARNESS: Final = 0.25
ASSURANCE: Final = 0.01
"""A support where a rival could attack or support, expected or not."""
COLLISION: Final = 0.05
"""A move to a province where another unit of the power stays or moves to."""


@frozen
class Worth:
    """The worth of an outcome, compared with the position before the turn."""

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
    """Values the outcomes of one turn for one power."""

    def worth(self, resolution: Resolution) -> Worth:
        """Return the worth of *resolution*."""
        after = self.board_after(resolution)
        nearness = after.nearness() - self.nearness_before
        return Worth(
            centres=after.centres(),
            safety=after.losses() - after.threats(),
            position=prospects(after) + NEARNESS * nearness + outlook(after),
        )

    def board_after(self, resolution: Resolution) -> BoardAfter:
        """Return the board after *resolution*."""
        return BoardAfter(self, resolution)

    def assurance(self, orders: Sequence[Order]) -> float:
        """Return a small bonus for supports and a small penalty for collisions.

        Of two sets that are worth the same against the guesses, the safer one wins.
        """
        ends = {
            order.unit: _end(order) for order in orders if not isinstance(order, Waive)
        }
        collisions = len(ends) - len(set(ends.values()))
        supports = sum(self._assurance(order, ends) for order in orders)
        return supports - COLLISION * collisions

    def _assurance(self, order: Order, ends: Mapping[Unit, Province]) -> float:
        match order:
            case SupportHold(supported=supported):
                supported_in = supported.province
            case SupportMove(supported=supported, destination=destination):
                supported_in = destination.province
            case _:
                return 0.0
        if ends.get(supported, supported_in) != supported_in:
            return -ASSURANCE
        return ASSURANCE * min(2, len(self._rivals_near[supported_in]))

    @cached_property
    def _rivals_near(self) -> Mapping[Province, Sequence[Unit]]:
        found: dict[Province, list[Unit]] = defaultdict(list)
        for unit in self.before.units:
            if unit.power != self.power:
                for province in self.reachable(unit):
                    found[province].append(unit)
        return found


def _end(order: Order) -> Province:
    """Return the province of the unit of *order* if the order succeeds."""
    assert not isinstance(order, Waive)
    if isinstance(order, Move | ConvoyedMove):
        return order.destination.province
    return order.unit.province
