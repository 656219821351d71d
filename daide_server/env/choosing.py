"""What an action means: a number for each slot, an order for each number.

A power has a slot for each unit that it orders in a turn, or for each build or removal
that is due; a number of a slot is the place of an order among the possible ones
(`judge.possible`). Slots that a turn does not need have one choice, 0, the no-op.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from attrs import field, frozen
from attrs.validators import gt
from msgspec.structs import replace
from numpy.typing import NDArray

from daide_server.board.map import Map, Phase, Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Build, ConvoyedMove, Disband, Hold, Order, Waive
from daide_server.judge.possible import possible_adjustments, possible_orders

Slot: TypeAlias = Sequence[Order]
"""The orders that a slot may choose from."""


def slots_of(
    board_map: Map, position: Position | None
) -> Mapping[Power, Sequence[Slot]]:
    """Return the slots of each power; `None` as position: the game is over."""
    slots: dict[Power, Sequence[Slot]] = dict.fromkeys(board_map.powers, ())
    if position is None:
        return slots
    if position.turn.phase is Phase.ADJUSTMENTS:
        for power, choices in possible_adjustments(board_map, position).items():
            slots[power] = [choices] * _needed(position.surplus(power), choices)
    else:
        for unit, orders in possible_orders(board_map, position).items():
            slots[unit.power] = (*slots[unit.power], orders)
    return slots


def _needed(surplus: int, choices: Slot) -> int:
    """Return how many slots a power needs for its builds or removals."""
    if surplus < 0:
        return -surplus
    sites = {order.unit.province for order in choices if isinstance(order, Build)}
    return min(surplus, len(sites))


Mask: TypeAlias = tuple[NDArray[np.int8], ...]
"""A row for each slot: 1 for each number that is a choice. Rows cannot be written."""

CHOICES_PER_PROVINCE: Final = 4
"""No unit had more choices in random games on most boards; fleets may, in convoys."""


class ActionError(ValueError):
    """An action that is none, or orders that no action gives."""


@frozen
class ActionShape:
    """How many slots each agent has, and how many numbers each of them."""

    slots: int = field(validator=gt(0))
    width: int = field(validator=gt(0))


def default_shape(variant: Variant) -> ActionShape:
    """Return a shape in which every position fits that a game on the board reaches.

    Who has not won has fewer centres than the majority, or shares the lead. A unit
    with more choices than the width has the first of them.
    """
    board_map = variant.map
    begins = (len(variant.start.units_of(power)) for power in board_map.powers)
    centres = len(board_map.centres)
    slots = max(1, board_map.majority - 1, centres // 2, *begins)
    return ActionShape(slots, CHOICES_PER_PROVINCE * len(board_map.provinces))


class TurnChoices:
    """The choices of all powers in one turn; `None` as position: the game is over."""

    def __init__(
        self, board_map: Map, position: Position | None, shape: ActionShape
    ) -> None:
        self._shape = shape
        self._slots = slots_of(board_map, position)
        width = shape.width
        for power, slots in self._slots.items():
            if len(slots) > shape.slots:
                message = (
                    f"{power} needs {len(slots)} slots, and its action has "
                    f"{shape.slots}: make the environment with more slots"
                )
                raise ActionError(message)
        self.counts: Mapping[Power, list[int]] = {
            power: [min(width, len(slot)) for slot in slots]
            for power, slots in self._slots.items()
        }
        """How many numbers are choices, for each slot that is needed."""

    def of(self, power: Power) -> tuple[Slot, ...]:
        """Return the orders that each slot of *power* chooses from."""
        return tuple(slot[: self._shape.width] for slot in self._slots[power])

    def hidden(self, power: Power) -> int:
        """Return how many possible orders of *power* have no number."""
        return sum(map(len, self._slots[power])) - sum(self.counts[power])

    def mask(self, power: Power) -> Mask:
        """Return which numbers are choices of *power*."""
        rows = _rows(self._shape.width)
        counts = self.counts[power]
        unused = self._shape.slots - len(counts)
        return *map(rows.__getitem__, counts), *(rows[1:2] * unused)

    def orders(self, power: Power, numbers: Sequence[int]) -> list[Order]:
        """Return the orders that *numbers* choose; raises `ActionError`."""
        counts, shape = self.counts[power], self._shape
        if len(numbers) != shape.slots:
            message = f"{power}: found {len(numbers)} numbers, expected {shape.slots}"
            raise ActionError(message)
        if any(numbers[len(counts) :]):
            message = f"{power}: expected 0 in all slots after the first {len(counts)}"
            raise ActionError(message)
        for number, count in zip(numbers, counts, strict=False):
            if not 0 <= number < count:
                message = f"{power}: found {number}, expected 0 to {count - 1}"
                raise ActionError(message)
        chosen = zip(self._slots[power], numbers, strict=False)
        return [slot[number] for slot, number in chosen]

    def numbers(self, power: Power, orders: Iterable[Order]) -> list[int]:
        """Return the numbers that choose *orders* of *power*.

        A unit without an order holds or disbands, a build without one is waived, and
        all removals but one may be left to the judge. Raises `ActionError` for orders
        that are not among the choices, or if there is no removal at all.
        """
        given = list(map(_without_route, orders))
        chosen: list[int] = []
        for slot in self.of(power):
            places = {order: place for place, order in enumerate(slot)}
            order = next((order for order in given if order in places), None)
            if order is None:
                chosen.append(_without_order(power, slot, chosen))
            else:
                given.remove(order)
                chosen.append(places[order])
        if given:
            message = f"{power}: found an order that no slot can choose: {given[0]}"
            raise ActionError(message)
        return chosen + [0] * (self._shape.slots - len(chosen))


def _without_order(power: Power, slot: Slot, chosen: Sequence[int]) -> int:
    """Return the number of what happens to a slot that has no order.

    *chosen* are the numbers of the slots before. To repeat a removal is to order none.
    """
    for number in (0, len(slot) - 1):
        if isinstance(slot[number], Hold | Disband | Waive):
            return number
    if not chosen:
        message = f"{power}: found no removal; without an action the judge removes"
        raise ActionError(message)
    return chosen[-1]


def _without_route(order: Order) -> Order:
    """Return *order* as it is among the choices, which leave the route open."""
    return replace(order, route=None) if isinstance(order, ConvoyedMove) else order


@lru_cache
def _rows(width: int) -> Mask:
    """Return the mask of a slot by its number of choices, from 0 to *width*."""
    whole: NDArray[np.int8] = np.tri(width + 1, width, -1, dtype=np.int8)
    whole.flags.writeable = False
    return tuple(whole)
