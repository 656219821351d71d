"""The movement phase: from orders to who stands where, and why."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from daide_server.board.names import Location, Province, Unit
from daide_server.board.orders import (
    ConvoyedMove,
    Hold,
    Move,
    MovementOrder,
    Order,
)
from daide_server.board.position import Position
from daide_server.board.results import OrderNote, Report
from daide_server.board.variant import Variant

from .coasts import is_lax, repaired
from .movement import Movement
from .movement_legality import MovementLegality
from .outcomes import (
    Bounced,
    Convoyed,
    Cut,
    Dislodged,
    Disrupted,
    Held,
    Moved,
    NoConvoy,
    Outcome,
    Superseded,
    Supported,
    Unmatched,
    Void,
)
from .plan import CONVOY, MOVE, STRANDED, SUPPORT
from .resolution import Resolution
from .rules import (
    AdjacentConvoy,
    ConvoyedOrigin,
    IllegalOrders,
    Rules,
)
from .tables import tables_of

OK: Final = OrderNote.OK


class MovementResolution(Resolution):
    """What followed from the orders of a movement turn."""

    def __init__(
        self,
        variant: Variant,
        position: Position,
        orders: Iterable[Order],
        rules: Rules,
    ) -> None:
        super().__init__(variant, position, rules)
        self._legality = MovementLegality(tables_of(variant.map), position.units)
        self._given: list[tuple[Order, Order, OrderNote]] = []
        """Each order, as it was given and as it is meant, and the note on it."""
        self._orders: list[MovementOrder | None] = [None] * len(position.units)
        self._reported: dict[int, tuple[Order, OrderNote]] = {}
        self._take(orders)
        if rules.illegal_orders is IllegalOrders.REPORTED:
            self._take_illegal()
        self._movement = self._move()

    def _take(self, orders: Iterable[Order]) -> None:
        """Keep the last legal order of each unit."""
        legality = self._legality
        number, final, given = legality.number, self._orders, self._given
        lax = is_lax(self.rules)
        for order in orders:
            meant = order
            if lax and isinstance(order, MovementOrder):
                meant = repaired(order, legality, self.rules)
            note = legality.note(meant)
            given.append((order, meant, note))
            if note is OK:
                # An order that passed is a movement order of a unit that exists.
                final[number[meant.unit]] = meant  # type: ignore[union-attr, assignment]

    def _take_illegal(self) -> None:
        """Let illegal orders replace those before them, as they were accepted."""
        for order, meant, note in self._given:
            unit = None
            if isinstance(meant, MovementOrder):
                unit = self._legality.number.get(meant.unit)
            if unit is not None and note is not OK:
                self._reported[unit] = order, note
            elif unit is not None:
                self._reported.pop(unit, None)

    def _move(self) -> Movement:
        for unit in self._reported:
            self._orders[unit] = None
        movement = Movement(self._legality, self._orders, self.rules)
        movement.resolve()
        if self.rules.adjacent_convoy is not AdjacentConvoy.FALLBACK:
            return movement
        by_land: frozenset[int] = frozenset()
        while more := self._fall_back(movement) - by_land:
            by_land |= more
            movement = Movement(self._legality, self._orders, self.rules, by_land)
            movement.resolve()
        return movement

    def _fall_back(self, movement: Movement) -> frozenset[int]:
        """Return the armies that cannot go by convoy, and can by land (4.A.3)."""
        standings = self._legality.standings
        return frozenset(
            army
            for army, order in enumerate(self._orders)
            if isinstance(order, ConvoyedMove)
            and movement.target[army] in standings[army].near
            and (army not in movement.carriers or not movement.arrived(army))
        )

    # Positions

    def _find_units(self) -> Sequence[Unit]:
        values, unit_of = self._movement.values, self.variant.map.unit
        orders, gone = self._orders, self._dislodged
        found = []
        for number, unit in enumerate(self.position.units):
            order = orders[number]
            if values[number] == 1 and isinstance(order, Move | ConvoyedMove):
                found.append(unit_of(unit.power, unit.type, order.destination))
            elif number not in gone:
                found.append(unit)
        return found

    @cached_property
    def _dislodged(self) -> Mapping[int, int]:
        return self._movement.dislodged()

    @cached_property
    def dislodged(self) -> Mapping[Unit, Unit]:
        """The units that were dislodged, each with its attacker where it was."""
        units = self.position.units
        pairs = self._dislodged
        return {units[number]: units[pairs[number]] for number in sorted(pairs)}

    @cached_property
    def contested(self) -> frozenset[Province]:
        """The empty provinces in which units prevented each other."""
        provinces = self._legality.tables.provinces
        return frozenset(provinces[place] for place in self._movement.contested())

    @cached_property
    def retreats(self) -> Mapping[Unit, tuple[Location, ...]]:
        """Where each dislodged unit may retreat to, in the map's order."""
        if not self._dislodged:
            return {}
        neighbours = self.variant.map.neighbours
        closed = {unit.province for unit in self.units} | self.contested
        found = {}
        for number, attacker in sorted(self._dislodged.items()):
            unit = self.position.units[number]
            origin = self._closed_origin(attacker)
            found[unit] = tuple(
                at
                for at in neighbours[unit.type, unit.location]
                if at.province not in closed and at.province != origin
            )
        return found

    def _closed_origin(self, attacker: int) -> Province | None:
        """Return where the attacker came from, if nobody may retreat there (4.A.5)."""
        by_convoy = attacker in self._movement.carriers
        if by_convoy and self.rules.convoyed_origin is ConvoyedOrigin.OPEN:
            return None
        return self.position.units[attacker].province

    # Reports and reasons

    def _find_reports(self) -> Sequence[Report]:
        return [self._report(number) for number in range(len(self._orders))]

    def _report(self, number: int) -> Report:
        dislodged = number in self._dislodged
        illegal = self._reported.get(number)
        if illegal is not None:
            return Report(*illegal, dislodged)
        order = self._orders[number] or Hold(self.position.units[number])
        return Report(order, self._outcome(number).result, dislodged)

    def _outcome(self, number: int) -> Outcome:
        """Return what became of the order that counted for a unit."""
        movement = self._movement
        task = movement.task[number]
        if task == SUPPORT:
            return self._support(number)
        if task == MOVE:
            return self._moved(number)
        if task == STRANDED:
            return NoConvoy()
        if task == CONVOY and not movement.matched[number]:
            return Unmatched()
        attacker = self._dislodged.get(number)
        if attacker is not None:
            return Dislodged(self.position.units[attacker])
        return Convoyed() if task == CONVOY else Held()

    def _support(self, number: int) -> Outcome:
        movement = self._movement
        if not movement.support_given(number):
            return Cut(self.position.units[movement.cutter(number)])
        return Supported() if movement.matched[number] else Unmatched()

    def _moved(self, number: int) -> Outcome:
        movement = self._movement
        if movement.succeeded(number):
            return Moved()
        if number in movement.carriers and not movement.arrived(number):
            provinces = self._legality.tables.provinces
            lost = movement.lost_carriers(number)
            return Disrupted(tuple(provinces[place] for place in lost))
        by, strength, resistance = movement.obstacle(number)
        units = self.position.units
        return Bounced(units[by] if by >= 0 else None, strength, resistance)

    def _find_outcomes(self) -> Sequence[tuple[Order, Outcome]]:
        return [
            (order, self._outcome_of(meant, note)) for order, meant, note in self._given
        ]

    def _outcome_of(self, order: Order, note: OrderNote) -> Outcome:
        if note is not OK or not isinstance(order, MovementOrder):
            return Void(note)
        number = self._legality.number[order.unit]
        final = self._orders[number]
        if number in self._reported:
            return Superseded(self._reported[number][0])
        if final is not None and final != order:
            return Superseded(final)
        return self._outcome(number)

    def _find_void(self) -> Sequence[tuple[Order, OrderNote]]:
        return [(order, note) for order, _, note in self._given if note is not OK]
