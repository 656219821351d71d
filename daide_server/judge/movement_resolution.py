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
from .explanations import explanation, result
from .movement import Movement
from .movement_legality import MovementLegality, Numbers
from .outcomes import Outcome, Superseded, Void
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
        self._given = list(orders)
        self._meant = self._given
        if is_lax(rules):
            self._meant = [self._repaired(order) for order in self._given]
        self._numbers: list[Numbers | None] = [None] * len(position.units)
        self._orders: list[Order | None] = [None] * len(position.units)
        self._reported: dict[int, tuple[Order, OrderNote]] = {}
        self._take()
        if rules.illegal_orders is IllegalOrders.REPORTED:
            self._take_illegal()
        self._movement = self._move()

    def _repaired(self, order: Order) -> Order:
        if isinstance(order, MovementOrder):
            return repaired(order, self._legality, self.rules)
        return order

    def _take(self) -> None:
        """Keep the last legal order of each unit."""
        read, numbers, final = self._legality.read, self._numbers, self._orders
        for order in self._meant:
            found = read(order)
            if not isinstance(found, OrderNote):
                number = found[0]
                numbers[number] = found
                final[number] = order

    def _take_illegal(self) -> None:
        """Let illegal orders replace those before them, as they were accepted."""
        for order, meant, note in self._noted:
            unit = None
            if isinstance(meant, MovementOrder):
                unit = self._legality.number.get(meant.unit)
            if unit is not None and note is not OK:
                self._reported[unit] = order, note
            elif unit is not None:
                self._reported.pop(unit, None)
        for unit in self._reported:
            self._numbers[unit] = self._orders[unit] = None

    @cached_property
    def _noted(self) -> Sequence[tuple[Order, Order, OrderNote]]:
        """Each order as it was given, as it is meant, and the note on it."""
        note = self._legality.note
        return [
            (order, meant, note(meant))
            for order, meant in zip(self._given, self._meant, strict=True)
        ]

    def _move(self) -> Movement:
        movement = self._moved_with(frozenset())
        if self.rules.adjacent_convoy is not AdjacentConvoy.FALLBACK:
            return movement
        by_land: frozenset[int] = frozenset()
        while more := self._fall_back(movement) - by_land:
            by_land |= more
            movement = self._moved_with(by_land)
        return movement

    def _moved_with(self, by_land: frozenset[int]) -> Movement:
        movement = Movement(
            self._legality, self._numbers, self._orders, self.rules, by_land
        )
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
        return self.units

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units in place after the turn, without dislodged ones."""
        entered = self._movement.entered
        if not entered:
            return self.position.units
        standings = self._legality.standings
        found = {standing.rank: standing.unit for standing in standings}
        for number in (*entered.values(), *self._dislodged):
            found.pop(standings[number].rank, None)
        for province, number in entered.items():
            standing = standings[number]
            # The rank of the unit where it is going.
            found[standing.rank - standing.province + province] = self._arrived(number)
        return tuple(map(found.__getitem__, sorted(found)))

    def _arrived(self, number: int) -> Unit:
        """Return the unit as it stands where it moved."""
        order = self._orders[number]
        unit = self._legality.standings[number].unit
        if isinstance(order, Move):
            return self._legality.standings[number].arrivals[order.destination]
        if isinstance(order, ConvoyedMove):
            return self.variant.map.unit(unit.power, unit.type, order.destination)
        return unit

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
        return Report(order, result(self._movement, number, dislodged), dislodged)

    def _find_outcomes(self) -> Sequence[tuple[Order, Outcome]]:
        return [
            (order, self._outcome_of(meant, note)) for order, meant, note in self._noted
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
        attacker = self._dislodged.get(number)
        return explanation(self._movement, self._legality, number, attacker)

    def _find_void(self) -> Sequence[tuple[Order, OrderNote]]:
        return [(order, note) for order, _, note in self._noted if note is not OK]
