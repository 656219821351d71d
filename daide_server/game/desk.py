"""The order desk: what has been ordered this turn, what is missing, who waits.

Message Syntax: SUB, NOT (SUB), MIS, GOF. An order is noted by the judge when it
is handed in; a refused one does not disturb an earlier good one.
"""

from collections.abc import Iterator, Set

from daide_server.board.map import Map
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Build, Order, Waive
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


class OrderDesk:
    """The orders of one turn, by power; begun again for every turn."""

    def __init__(
        self, ground: Map, position: Position, rules: Rules, *, any_orders: bool
    ) -> None:
        self.position = position
        legality = Legality(ground, position, rules)
        self._note = legality.lenient_note if any_orders else legality.note
        self._orders: dict[Power, list[Order]] = {power: [] for power in ground.powers}
        self._due = {power: self._owed(power) for power in ground.powers}
        self._waiting: set[Power] = set()

    # Orders

    def submit(self, order: Order, power: Power) -> OrderNote:
        """Note an order of *power*, and keep it if it is acceptable.

        A later order for the same unit takes the place of an earlier one.
        """
        accepted = self._orders[power]
        note = self._note(order, power, accepted)
        if note is OrderNote.OK:
            if not isinstance(order, Waive | Build):
                accepted[:] = [
                    other
                    for other in accepted
                    if isinstance(other, Waive) or other.unit != order.unit
                ]
            accepted.append(order)
        return note

    def cancel(self, order: Order, power: Power) -> bool:
        """Take back one order of *power*; return whether there was such an order."""
        if order not in self._orders[power]:
            return False
        self._orders[power].remove(order)
        return True

    def cancel_all(self, power: Power) -> None:
        """Take back all orders of *power*."""
        self._orders[power].clear()

    def orders(self) -> tuple[Order, ...]:
        """Return all orders that stand, by power."""
        return tuple(order for orders in self._orders.values() for order in orders)

    # What is missing

    def is_complete(self, power: Power) -> bool:
        """Return whether *power* has ordered all that it must."""
        return len(self._orders[power]) >= self._due[power]

    def missing(self, power: Power) -> ServerMessage:
        """Return the MIS that lists what *power* has yet to order."""
        if self.position.turn.phase is Phase.ADJUSTMENTS:
            return self._missing_adjustments(power)
        ordered = {
            order.unit for order in self._orders[power] if not isinstance(order, Waive)
        }
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

    def _owed(self, power: Power) -> int:
        if self.position.turn.phase is Phase.ADJUSTMENTS:
            return abs(self.position.surplus(power))
        return sum(1 for _ in self._units(power))

    def _units(self, power: Power) -> Iterator[Unit]:
        retreats = self.position.turn.phase is Phase.RETREATS
        units = self.position.dislodged if retreats else self.position.units
        return (unit for unit in units if unit.power == power)

    # Flags

    def wait(self, power: Power) -> None:
        """Hold the turn until *power* says go, or the deadline."""
        self._waiting.add(power)

    def go(self, power: Power) -> None:
        """Let the turn go as far as *power* is concerned."""
        self._waiting.discard(power)

    def is_ready(self, power: Power) -> bool:
        """Return whether the turn need not wait for *power*."""
        return power not in self._waiting and self.is_complete(power)

    def are_ready(self, powers: Set[Power]) -> bool:
        """Return whether the turn need wait for none of *powers*."""
        return all(self.is_ready(power) for power in powers)
