"""The consequences of a turn for each unit, as far as every format can express them.

The judge reports more than files hold: why an order was illegal, for instance. A
`Consequence` is what dipcc, the `diplomacy` package and DiploBN can all express, so
that games from anywhere are compared by it. Without any, the order succeeded. A broken
convoy is NO_CONVOY for the army and DISRUPTED for the fleet that broke it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import auto
from functools import lru_cache
from typing import Final

from daide_server.board.map import Phase, Position
from daide_server.board.names import IdentityEnum, Unit
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
    Waive,
)
from daide_server.board.results import OrderNote, OrderResult, Report


class Consequence(IdentityEnum):
    """Something that happened to a unit or its order besides success."""

    BOUNCED = auto()
    CUT = auto()
    VOID = auto()
    NO_CONVOY = auto()
    DISRUPTED = auto()
    DISLODGED = auto()
    DISBANDED = auto()


Consequences = Sequence[Consequence]

CONSEQUENCE_OF_RESULT: Final[Mapping[OrderResult, Consequence]] = {
    OrderResult.BOUNCED: Consequence.BOUNCED,
    OrderResult.CUT: Consequence.CUT,
    OrderResult.DISRUPTED: Consequence.NO_CONVOY,
    OrderResult.NO_SUCH_ORDER: Consequence.VOID,
}
RESULT_OF_CONSEQUENCE: Final = {
    consequence: result for result, consequence in CONSEQUENCE_OF_RESULT.items()
}
_SUCCEEDED: Final = OrderResult.SUCCEEDED
_DISRUPTED: Final = OrderResult.DISRUPTED
_CARRIED: Final = _DISRUPTED
_NOT_CARRIED: Final = OrderResult.NO_SUCH_ORDER
"""Of an army whose convoy broke: it had one, or nobody ordered it."""
PLAIN_ORDERS: Final = frozenset(
    {Hold, Move, ConvoyedMove, SupportHold, SupportMove, Build}
)
"""Orders whose success has no other consequence; most reports are of these."""
REMEMBERED_REPORTS: Final = 1 << 12
"""So many reports of other results than success are made once for all games."""
MAX_REMEMBERED_CONSEQUENCES: Final = 2
"""Reports with more are not among them: a file may repeat a consequence forever."""


def consequences_of(
    reports: Iterable[Report], ordered: Collection[Order]
) -> dict[Unit, list[Consequence]]:
    """Return the consequences on each unit of *reports*.

    *ordered* are the players' own orders: a removal among them is a success, any
    other is civil disorder and has the consequence DISBANDED.
    """
    reports = tuple(reports)
    broken = _broken_convoys(reports)
    return {
        report.order.unit: []
        # Most reports are these.
        if report.result is _SUCCEEDED
        and type(report.order) in PLAIN_ORDERS
        and not report.dislodged
        else _consequences(report, ordered, broken)
        for report in reports
        if not isinstance(report.order, Waive)
    }


def _consequences(
    report: Report, ordered: Collection[Order], broken: Collection[Unit]
) -> list[Consequence]:
    order = report.order
    consequences = _of_order(report, broken)
    if report.dislodged:
        consequences.append(Consequence.DISLODGED)
    if _is_lost(report) or (isinstance(order, Remove) and order not in ordered):
        consequences.append(Consequence.DISBANDED)
    return consequences


def _of_order(report: Report, broken: Collection[Unit]) -> list[Consequence]:
    order, result = report.order, report.result
    if isinstance(result, OrderNote):
        return [] if result is OrderNote.OK else [Consequence.VOID]
    if isinstance(order, Convoy) and order.unit in broken:
        return [Consequence.DISRUPTED]
    if isinstance(order, ConvoyedMove) and result is OrderResult.NO_SUCH_ORDER:
        return [Consequence.NO_CONVOY]
    consequence = CONSEQUENCE_OF_RESULT.get(result) if result else None
    return [consequence] if consequence else []


def _is_lost(report: Report) -> bool:
    """Return whether a dislodged unit left the board."""
    if isinstance(report.order, Retreat):
        return report.result is not OrderResult.SUCCEEDED
    return isinstance(report.order, Disband)


def _broken_convoys(reports: tuple[Report, ...]) -> frozenset[Unit]:
    """Return the fleets that broke a convoy.

    Those are the dislodged ones; in a paradox (DATC 4.A.2) all that carried it.
    """
    broken = {
        (report.order.unit, report.order.destination.province)
        for report in reports
        if report.result is _DISRUPTED and isinstance(report.order, ConvoyedMove)
    }
    if not broken:
        return frozenset()
    found: set[Unit] = set()
    for army, destination in broken:
        carriers = {
            report.order.unit: report.dislodged
            for report in reports
            if isinstance(report.order, Convoy)
            and report.order.convoyed == army
            and report.order.destination.province == destination
        }
        lost = {unit for unit, dislodged in carriers.items() if dislodged}
        found |= lost or carriers.keys()
    return frozenset(found)


def reports_of(
    position: Position,
    orders: Iterable[Order],
    consequences: Sequence[tuple[Unit, Consequences]],
) -> tuple[Report, ...]:
    """Return what *consequences* say of *orders*, and of the units without an order.

    A file does not say why an order was illegal; the note is then that of the
    most common reason, NOT_ADJACENT.
    """
    given = {order.unit: order for order in orders if not isinstance(order, Waive)}
    disrupted = {
        unit
        for unit, found in consequences
        # Most orders succeed.
        if found and Consequence.DISRUPTED in found
    }
    carried = {
        order.convoyed
        for order in (given.values() if disrupted else ())
        if isinstance(order, Convoy) and order.unit in disrupted
    }

    def report(order: UnitOrder, found: Consequences) -> Report:
        broken = _CARRIED if order.unit in carried else _NOT_CARRIED
        made = _report if len(found) > MAX_REMEMBERED_CONSEQUENCES else _remembered
        return made(order, tuple(found), broken)

    return tuple(
        [
            report(order, found) if found else Report(order, _SUCCEEDED)
            for unit, found in consequences
            for order in (given.get(unit) or _default(position, unit),)
        ]
    )


def _default(position: Position, unit: Unit) -> UnitOrder:
    """Return the order of a unit that has none: it holds, disbands or is removed."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return Hold(unit)
        case Phase.RETREATS:
            return Disband(unit)
        case Phase.ADJUSTMENTS:
            return Remove(unit)


def _report(
    order: UnitOrder, consequences: Consequences, broken: OrderResult
) -> Report:
    """Return the report on *order*; *broken* is the result if its convoy broke."""
    dislodged = Consequence.DISLODGED in consequences
    result: OrderResult | OrderNote | None = OrderResult.SUCCEEDED
    for each in consequences:
        if each in RESULT_OF_CONSEQUENCE:
            result = RESULT_OF_CONSEQUENCE[each]
            break
    if isinstance(order, ConvoyedMove) and result is OrderResult.DISRUPTED:
        result = broken
    elif Consequence.VOID in consequences and not isinstance(
        order, SupportHold | SupportMove | Convoy
    ):
        result = OrderNote.NOT_ADJACENT
    elif (
        dislodged
        and isinstance(order, Hold | Convoy)
        and Consequence.VOID not in consequences
    ):
        result = None
    elif Consequence.DISBANDED in consequences and isinstance(order, Retreat):
        result = OrderResult.BOUNCED
    return Report(order, result, dislodged=dislodged)


_remembered: Final = lru_cache(REMEMBERED_REPORTS)(_report)
