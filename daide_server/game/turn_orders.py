"""The orders of one turn: given and missing orders, and the powers that are ready.

Message Syntax: SUB, NOT (SUB), MIS, GOF. The judge tests each order when it comes in;
a refused one does not replace an earlier good one.
"""

from collections.abc import Iterable, Iterator, Set
from itertools import chain
from typing import Final

from daide_server.board.map import Map
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Order, Waive
from daide_server.board.position import Position
from daide_server.board.results import OrderNote
from daide_server.board.turns import Phase
from daide_server.judge.legality import Legality
from daide_server.judge.rules import Rules
from daide_server.language.messages import (
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    ServerMessage,
)

_OK: Final = OrderNote.OK
"""A name of the module is looked up faster than a member of an enum."""


class TurnOrders:
    """The orders of one turn, by power."""

    def __init__(
        self, board_map: Map, position: Position, rules: Rules, *, any_orders: bool
    ) -> None:
        self.position = position
        legality = Legality(board_map, position, rules)
        self._note = legality.lenient_note if any_orders else legality.note
        self.refused = 0
        """How many orders were refused, of all powers."""
        # By unit; waives are all kept, each under a key of its own.
        self._orders: dict[Power, dict[object, Order]] = {
            power: {} for power in board_map.powers
        }
        self._due = self._owed(board_map)
        self._waiting: set[Power] = set()
        self._unready = {power for power, due in self._due.items() if due}

    # Orders

    def submit(self, orders: Iterable[Order], power: Power) -> list[OrderNote]:
        """Return the note on each order of *power*, and keep those that are acceptable.

        A later order for the same unit takes the place of an earlier one.
        """
        accepted, test = self._orders[power], self._note
        notes, before = [], accepted.values()
        for order in orders:
            note = test(order, power, before)
            if note is _OK:
                key = object() if isinstance(order, Waive) else order.unit
                accepted[key] = order
            else:
                self.refused += 1
            notes.append(note)
        self._review(power)
        return notes

    def cancel(self, order: Order, power: Power) -> bool:
        """Take back one order of *power*; return whether there was such an order."""
        accepted = self._orders[power]
        for key, other in accepted.items():
            if other == order:
                del accepted[key]
                self._review(power)
                return True
        return False

    def cancel_all(self, power: Power) -> None:
        """Take back all orders of *power*."""
        self._orders[power].clear()
        self._review(power)

    def accepted(self) -> tuple[Order, ...]:
        """Return the orders that were accepted and not taken back, by power."""
        given = [orders.values() for orders in self._orders.values()]
        return tuple(chain.from_iterable(given))

    # Missing orders

    def are_due(self, power: Power) -> bool:
        """Return whether *power* has anything to order, given or not."""
        return bool(self._due[power])

    def is_complete(self, power: Power) -> bool:
        """Return whether *power* has ordered all that it must."""
        return len(self._orders[power]) >= self._due[power]

    def incomplete(self, powers: Set[Power]) -> Set[Power]:
        """Return those of *powers* that have not ordered all that they must."""
        if self.are_ready(powers):
            return frozenset()
        given, due = self._orders, self._due
        return {power for power in powers if len(given[power]) < due[power]}

    def missing(self, power: Power) -> ServerMessage:
        """Return the MIS that lists what *power* has yet to order."""
        if self.position.turn.phase is Phase.ADJUSTMENTS:
            return self._missing_adjustments(power)
        ordered = self._orders[power]
        units = tuple(unit for unit in self._units(power) if unit not in ordered)
        if self.position.turn.phase is Phase.MOVEMENT or not units:
            return MissingUnits(units)
        return MissingRetreats({unit: self.position.dislodged[unit] for unit in units})

    def _missing_adjustments(self, power: Power) -> ServerMessage:
        missing = self._due[power] - len(self._orders[power])
        if missing <= 0:
            return MissingUnits(())
        builds = self.position.surplus(power) > 0
        return MissingAdjustments(-missing if builds else missing)

    def _owed(self, board_map: Map) -> dict[Power, int]:
        position = self.position
        if position.turn.phase is Phase.ADJUSTMENTS:
            return {power: abs(position.surplus(power)) for power in board_map.powers}
        retreats = position.turn.phase is Phase.RETREATS
        owed = dict.fromkeys(board_map.powers, 0)
        for unit in position.dislodged if retreats else position.units:
            owed[unit.power] += 1
        return owed

    def _units(self, power: Power) -> Iterator[Unit]:
        retreats = self.position.turn.phase is Phase.RETREATS
        units = self.position.dislodged if retreats else self.position.units
        return (unit for unit in units if unit.power == power)

    # Flags

    def wait(self, power: Power) -> None:
        """Keep the turn open until *power* says GOF, or the deadline."""
        self._waiting.add(power)
        self._review(power)

    def go(self, power: Power) -> None:
        """Let the turn be processed as far as *power* is concerned."""
        self._waiting.discard(power)
        self._review(power)

    def are_ready(self, powers: Set[Power]) -> bool:
        """Return whether none of *powers* is awaited."""
        return self._unready.isdisjoint(powers)

    def awaited(self, powers: Set[Power]) -> Set[Power]:
        """Return those of *powers* that the turn waits for."""
        return self._unready & powers

    def _review(self, power: Power) -> None:
        """Decide again whether *power* is awaited."""
        if self.is_complete(power) and power not in self._waiting:
            self._unready.discard(power)
        else:
            self._unready.add(power)
