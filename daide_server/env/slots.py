"""The orders that each slot of an action chooses from, in one turn."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from daide_server.board.map import Map
from daide_server.board.names import Power
from daide_server.board.orders import Build, Order
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.judge.order_lists import OrderLists, PossibleOrders
from daide_server.judge.possible import (
    movement_orders,
    order_choices,
    possible_adjustments,
)

Slot: TypeAlias = Sequence[Order]
"""The orders that a slot may choose from."""


class TurnSlots(Protocol):
    """The slots of each power."""

    @property
    def lengths(self) -> Mapping[Power, Sequence[int]]:
        """How many orders each slot of each power has."""
        ...

    def of(self, power: Power) -> Sequence[Slot]:
        """Return the slots of *power*."""
        ...

    def orders(self, power: Power, numbers: Iterable[int]) -> list[Order]:
        """Return the orders that *numbers*, which must be ones of them, choose."""
        ...


class ListedSlots:
    """Slots whose orders are there: retreats, builds and removals."""

    def __init__(self, slots: Mapping[Power, Sequence[Slot]]) -> None:
        self._slots = slots
        self.lengths = {power: list(map(len, each)) for power, each in slots.items()}

    def of(self, power: Power) -> Sequence[Slot]:
        """Return the slots of *power*."""
        return self._slots[power]

    def orders(self, power: Power, numbers: Iterable[int]) -> list[Order]:
        """Return the orders that *numbers*, which must be ones of them, choose."""
        chosen = zip(self._slots[power], numbers, strict=False)
        return [slot[number] for slot, number in chosen]


class MovementSlots:
    """The slots of a movement turn, whose orders are made when they are chosen."""

    def __init__(self, powers: Sequence[Power], turn: OrderLists) -> None:
        self._turn = turn
        self._places = dict(zip(powers, turn.places_by_power(len(powers)), strict=True))
        counts = turn.counts
        self.lengths = {
            power: counts[places.start : places.stop]
            for power, places in self._places.items()
        }

    def of(self, power: Power) -> Sequence[Slot]:
        """Return the slots of *power*."""
        return [PossibleOrders(self._turn, place) for place in self._places[power]]

    def orders(self, power: Power, numbers: Iterable[int]) -> list[Order]:
        """Return the orders that *numbers*, which must be ones of them, choose."""
        return list(map(self._turn.order, self._places[power], numbers))


def slots_of(board_map: Map, position: Position | None) -> TurnSlots:
    """Return the slots of a turn; `None` as position: the game is over."""
    slots: dict[Power, Sequence[Slot]] = dict.fromkeys(board_map.powers, ())
    if position is None:
        return ListedSlots(slots)
    match position.turn.phase:
        case Phase.MOVEMENT:
            turn = movement_orders(board_map, position)
            return MovementSlots(board_map.powers, turn)
        case Phase.RETREATS:
            for unit, orders in order_choices(board_map, position).items():
                slots[unit.power] = (*slots[unit.power], orders)
        case Phase.ADJUSTMENTS:
            for power, choices in possible_adjustments(board_map, position).items():
                due = _needed(position.surplus(power), choices)
                slots[power] = [choices] * due
    return ListedSlots(slots)


def _needed(surplus: int, choices: Slot) -> int:
    """Return how many slots a power needs for its builds or removals."""
    if surplus < 0:
        return -surplus
    sites = {order.unit.province for order in choices if isinstance(order, Build)}
    return min(surplus, len(sites))
