"""Checks of the orders of a phase."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

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
    for power in dict.fromkeys(power for power, _ in units):
        yield from _of_power(phase, power, {u for p, u in units if p == power})
    place = f"{phase.place}.orders"
    for where, power, texts in entries(place, phase.held.get("orders")):
        if power not in phase.names.absent:
            yield from fault_if_unparsable(where, phase.names.power, power)
        if texts is not None:
            yield from wrong_kind(where, texts, list)


def _of_power(phase: RawPhase, power: str, own: set[Unit]) -> Iterator[RecordFault]:
    orders = phase.held.get("orders")
    texts = orders.get(power) if isinstance(orders, dict) else None
    place = f"{phase.place}.orders.{power}"
    given: Counter[Unit] = Counter()
    for at, text in members(place, texts):
        order = _order(phase, power, str(text), own)
        if isinstance(order, str):
            yield RecordFault(at, order)
            continue
        yield from _unfit(phase, at, order, str(text), own)
        if not isinstance(order, Waive):
            given[order.unit] += 1
    for unit, count in given.items():
        if count > 1:
            text = phase.names.unit_text(unit)
            yield RecordFault(place, f"found {count} orders for {text}")


def _order(phase: RawPhase, power: str, text: str, own: set[Unit]) -> Order | str:
    """Return the order in *text*, or its fault."""
    at: dict[Province, Unit] = {unit.province: unit for unit in own}
    kind = phase.turn.phase if phase.turn else Phase.MOVEMENT
    try:
        return phase.names.order(text, phase.names.power(power), at, kind)
    except FormatError as error:
        return str(error)


def _unfit(
    phase: RawPhase, at: str, order: Order, text: str, own: set[Unit]
) -> Iterator[RecordFault]:
    """Yield the faults of *order* in its phase, for its unit, and as a text."""
    if phase.turn is None:
        yield RecordFault(at, f"found {text!r} after the end of the game")
        return
    kinds = ORDER_TYPES.get(phase.turn.phase)
    wrong = (Retreat, Disband, Build, Remove, Waive)
    fits = isinstance(order, kinds) if kinds else not isinstance(order, wrong)
    if not fits:
        yield RecordFault(at, f"found {text!r}, not an order of the phase")
    if isinstance(order, Waive):
        return
    if not isinstance(order, Build) and order.unit not in own:
        yield RecordFault(at, f"found {text!r}, but the power has no such unit there")
    written = phase.names.order_text(order)
    if text not in {written, written.removesuffix(" VIA"), _coastless(written)}:
        yield RecordFault(at, f"found {text!r}, expected {written!r}")


def _coastless(support: str) -> str:
    """Return a support without the coast of the other unit, which many leave out."""
    own, sign, other = support.partition(" S ")
    return own + sign + re.sub(r"/\w+", "", other, count=1)
