"""The retreat phase: two units that retreat to one province are both disbanded.

Where a unit may go was found in the movement phase and is part of the position. Of
several legal orders for a unit the last counts (DATC 4.D.1).
"""

from collections.abc import Sequence

from daide_server.board.map import Map, Position
from daide_server.board.names import Province, Unit
from daide_server.board.orders import Disband, Order, Retreat
from daide_server.board.results import OrderNote, OrderResult, Report

from . import resolution
from .rules import IllegalOrders


class RetreatLegality:
    """Which retreats a position allows."""

    def __init__(self, board_map: Map, position: Position) -> None:
        self._map = board_map
        self._dislodged = position.dislodged

    def missing(self, order: Retreat | Disband) -> OrderNote:
        """Return the note on the ordered unit alone: OK if it must retreat."""
        known = order.unit in self._dislodged
        return OrderNote.OK if known else OrderNote.NO_RETREAT_NEEDED

    def note(self, order: Order) -> OrderNote:
        """Return the note on *order*, as if the power of its unit submits it."""
        if not isinstance(order, Retreat | Disband):
            return OrderNote.WRONG_SEASON
        index = self._map.index
        destination = order.destination if isinstance(order, Retreat) else None
        if order.unit.province not in index:
            return OrderNote.NO_SUCH_PROVINCE
        if destination is not None and destination.province not in index:
            return OrderNote.NO_SUCH_PROVINCE
        if order.unit not in self._dislodged:
            return OrderNote.NO_RETREAT_NEEDED
        if destination is None or destination in self._dislodged[order.unit]:
            return OrderNote.OK
        near = self._map.neighbours[order.unit.type, order.unit.location]
        if destination in near:
            return OrderNote.NOT_A_VALID_RETREAT
        return OrderNote.NOT_ADJACENT


class RetreatResolution(resolution.Resolution):
    """The results of the orders of a retreat turn."""

    def _take_orders(self) -> None:
        legality = RetreatLegality(self.variant.map, self.position)
        self._notes = [(order, legality.note(order)) for order in self._given]
        reported = self.rules.illegal_orders is IllegalOrders.REPORTED
        self._orders: dict[Unit, tuple[Retreat | Disband, OrderNote]] = {
            order.unit: (order, note)
            for order, note in self._notes
            if isinstance(order, Retreat | Disband)
            and (
                note is OrderNote.OK
                or (reported and legality.missing(order) is OrderNote.OK)
            )
        }
        self._rivals: dict[Province, list[Unit]] = {}
        for unit, (order, note) in self._orders.items():
            if isinstance(order, Retreat) and note is OrderNote.OK:
                self._rivals.setdefault(order.destination.province, []).append(unit)

    def _survives(self, order: Retreat) -> bool:
        return len(self._rivals[order.destination.province]) == 1

    def _find_units(self) -> Sequence[Unit]:
        unit_of = self.variant.map.unit
        retreated = [
            unit_of(order.unit.power, order.unit.type, order.destination)
            for order, note in self._orders.values()
            if isinstance(order, Retreat)
            and note is OrderNote.OK
            and self._survives(order)
        ]
        return [*self.position.units, *retreated]

    def _find_reports(self) -> Sequence[Report]:
        return [self._report(unit) for unit in self.position.dislodged]

    def _report(self, unit: Unit) -> Report:
        order, note = self._orders.get(unit, (Disband(unit), OrderNote.OK))
        if note is not OrderNote.OK:
            return Report(order, note)
        if isinstance(order, Retreat) and not self._survives(order):
            return Report(order, OrderResult.BOUNCED)
        return Report(order, OrderResult.SUCCEEDED)

    def _noted(self) -> Sequence[resolution.Noted]:
        return [(order, order, note) for order, note in self._notes]

    def _outcome(self, order: Order, note: OrderNote) -> resolution.Outcome:
        if note is not OrderNote.OK or not isinstance(order, Retreat | Disband):
            return resolution.Void(note)
        final, _ = self._orders[order.unit]
        if final != order:
            return resolution.Superseded(final)
        if isinstance(order, Disband):
            return resolution.Disbanded()
        others = self._rivals[order.destination.province]
        rival = next((unit for unit in others if unit != order.unit), None)
        return resolution.Retreated() if rival is None else resolution.Collided(rival)
