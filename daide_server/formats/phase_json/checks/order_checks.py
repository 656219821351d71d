"""Checks of the orders of a phase."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from daide_server.board.names import Province, Unit
from daide_server.board.orders import Build, Disband, Order, Remove, Retreat, Waive
from daide_server.board.turns import Phase
from daide_server.formats.errors import FormatError
from daide_server.formats.faults import (
    RecordFault,
    entries,
    fault_if_unparsable,
    members,
    wrong_kind,
)

from .raw_phase import RawPhase

ORDER_TYPES: Final[Mapping[Phase, tuple[type, ...]]] = {
    Phase.RETREATS: (Retreat, Disband),
    Phase.ADJUSTMENTS: (Build, Remove, Waive),
}
"""The orders of the phases that have some of their own."""


def order_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield the faults of the orders in *phase*."""
    units = list(phase.units())
    at = {unit.province: unit for _, unit in units}
    orders = phase.held.get("orders")
    ordering = filter(phase.knows, orders if isinstance(orders, dict) else ())
    for power in dict.fromkeys([*(power for power, _ in units), *ordering]):
        own = frozenset(unit for name, unit in units if name == power)
        yield from _PowerOrders(phase, power, own, at).faults()
    place = f"{phase.place}.orders"
    for where, power, texts in entries(place, orders):
        if power not in phase.names.absent:
            yield from fault_if_unparsable(where, phase.names.power, power)
        if texts is not None:
            yield from wrong_kind(where, texts, list)


class _PowerOrders(Struct, frozen=True):
    """The orders of one power, which has the units *own*; *units* are those of all."""

    phase: RawPhase
    power: str
    own: frozenset[Unit]
    units: Mapping[Province, Unit]

    def faults(self) -> Iterator[RecordFault]:
        """Yield the faults of each order, and units with several orders."""
        orders = self.phase.held.get("orders")
        texts = orders.get(self.power) if isinstance(orders, dict) else None
        place = f"{self.phase.place}.orders.{self.power}"
        given: Counter[Unit] = Counter()
        for at, text in members(place, texts):
            order = self._order(str(text))
            if isinstance(order, str):
                yield RecordFault(at, order)
                continue
            for problem in self._problems(order, str(text)):
                yield RecordFault(at, f"found {str(text)!r}{problem}")
            if not isinstance(order, Waive):
                given[order.unit] += 1
        for unit, count in given.items():
            if count > 1:
                text = self.phase.names.unit_text(unit)
                yield RecordFault(place, f"found {count} orders for {text}")

    def _order(self, text: str) -> Order | str:
        """Return the order in *text*, or why it cannot be read."""
        phase = self.phase
        kind = phase.turn.phase if phase.turn else Phase.MOVEMENT
        power = phase.names.power(self.power)
        try:
            return phase.names.order(text, power, self.units, kind)
        except FormatError as error:
            return str(error)

    def _problems(self, order: Order, text: str) -> Iterator[str]:
        """Yield why *order* does not fit its phase or its unit, or *text* the order."""
        turn, names = self.phase.turn, self.phase.names
        if turn is None:
            yield " after the end of the game"
            return
        if not _fits(order, turn.phase):
            yield ", not an order of the phase"
        if isinstance(order, Waive):
            return
        if not isinstance(order, Build) and order.unit not in self.own:
            yield ", but the power has no such unit there"
        written = names.order_text(order)
        if text not in {written, written.removesuffix(" VIA")} and (
            text != _coastless(written)
        ):
            yield f", expected {written!r}"


def _fits(order: Order, phase: Phase) -> bool:
    """Tell whether *order* is of a type that *phase* has."""
    if phase in ORDER_TYPES:
        return isinstance(order, ORDER_TYPES[phase])
    return not isinstance(order, Retreat | Disband | Build | Remove | Waive)


def _coastless(support: str) -> str:
    """Return a support without the coast of the other unit, which many leave out."""
    own, sign, other = support.partition(" S ")
    return own + sign + re.sub(r"/\w+", "", other, count=1)
