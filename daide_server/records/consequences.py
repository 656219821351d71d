"""The consequences of a turn for each unit, as far as every format can express them.

The judge reports more than files hold: why an order was illegal, for instance. A
`Consequence` is what dipcc, the `diplomacy` package and DiploBN can all express, so
that games from anywhere are compared by it. Without any, the order succeeded. A broken
convoy is NO_CONVOY for the army and DISRUPTED for the fleet that broke it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import auto

from daide_server.board import orders
from daide_server.board.map import Phase, Position
from daide_server.board.names import IdentityEnum, Unit
from daide_server.board.orders import Order, UnitOrder
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

CONSEQUENCE_OF_RESULT: Mapping[OrderResult, Consequence] = {
    OrderResult.BOUNCED: Consequence.BOUNCED,
    OrderResult.CUT: Consequence.CUT,
    OrderResult.DISRUPTED: Consequence.NO_CONVOY,
    OrderResult.NO_SUCH_ORDER: Consequence.VOID,
}
RESULT_OF_CONSEQUENCE = {
    consequence: result for result, consequence in CONSEQUENCE_OF_RESULT.items()
}


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
        report.order.unit: _consequences(report, ordered, broken)
        for report in reports
        if not isinstance(report.order, orders.Waive)
    }


def _consequences(
    report: Report, ordered: Collection[Order], broken: Collection[Unit]
) -> list[Consequence]:
    order = report.order
    consequences = _of_order(report, broken)
    if report.dislodged:
        consequences.append(Consequence.DISLODGED)
    if _is_lost(report) or (isinstance(order, orders.Remove) and order not in ordered):
        consequences.append(Consequence.DISBANDED)
    return consequences


def _of_order(report: Report, broken: Collection[Unit]) -> list[Consequence]:
    order, result = report.order, report.result
    if isinstance(result, OrderNote):
        return [] if result is OrderNote.OK else [Consequence.VOID]
    if isinstance(order, orders.Convoy) and order.unit in broken:
        return [Consequence.DISRUPTED]
    if isinstance(order, orders.ConvoyedMove) and result is OrderResult.NO_SUCH_ORDER:
        return [Consequence.NO_CONVOY]
    consequence = CONSEQUENCE_OF_RESULT.get(result) if result else None
    return [consequence] if consequence else []


def _is_lost(report: Report) -> bool:
    """Return whether a dislodged unit left the board."""
    if isinstance(report.order, orders.Retreat):
        return report.result is not OrderResult.SUCCEEDED
    return isinstance(report.order, orders.Disband)


def _broken_convoys(reports: tuple[Report, ...]) -> frozenset[Unit]:
    """Return the fleets that broke a convoy.

    Those are the dislodged ones; in a paradox (DATC 4.A.2) all that carried it.
    """
    broken = {
        (report.order.unit, report.order.destination.province)
        for report in reports
        if report.result is OrderResult.DISRUPTED
        and isinstance(report.order, orders.ConvoyedMove)
    }
    found: set[Unit] = set()
    for army, destination in broken:
        carriers = {
            report.order.unit: report.dislodged
            for report in reports
            if isinstance(report.order, orders.Convoy)
            and report.order.convoyed == army
            and report.order.destination.province == destination
        }
        lost = {unit for unit, dislodged in carriers.items() if dislodged}
        found |= lost or carriers.keys()
    return frozenset(found)


def reports_of(
    position: Position,
    ordered: Iterable[Order],
    consequences: Sequence[tuple[Unit, Consequences]],
) -> tuple[Report, ...]:
    """Return a report on each unit of *consequences*, with its order in *ordered*.

    A unit without an order holds, disbands or is removed. A file does not say why an
    order was illegal; the note is then that of the most common reason, NOT_ADJACENT.
    """
    given = orders.by_unit(ordered)
    disrupted = {unit for unit, found in consequences if Consequence.DISRUPTED in found}
    carried = {
        order.convoyed
        for order in given.values()
        if isinstance(order, orders.Convoy) and order.unit in disrupted
    }
    return tuple(
        _report(given.get(unit) or _default(position, unit), found, carried)
        for unit, found in consequences
    )


def _default(position: Position, unit: Unit) -> UnitOrder:
    """Return the order of a unit that has none: it holds, disbands or is removed."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return orders.Hold(unit)
        case Phase.RETREATS:
            return orders.Disband(unit)
        case Phase.ADJUSTMENTS:
            return orders.Remove(unit)


def _report(
    order: UnitOrder, consequences: Consequences, carried: Collection[Unit]
) -> Report:
    """Return the report on *order*; the armies *carried* had a convoy that broke."""
    dislodged = Consequence.DISLODGED in consequences
    known = filter(None, map(RESULT_OF_CONSEQUENCE.get, consequences))
    result: OrderResult | OrderNote | None = next(known, OrderResult.SUCCEEDED)
    if isinstance(order, orders.ConvoyedMove) and result is OrderResult.DISRUPTED:
        if order.unit not in carried:
            result = OrderResult.NO_SUCH_ORDER
    elif Consequence.VOID in consequences and not isinstance(
        order, orders.SupportHold | orders.SupportMove | orders.Convoy
    ):
        result = OrderNote.NOT_ADJACENT
    elif (
        dislodged
        and isinstance(order, orders.Hold | orders.Convoy)
        and Consequence.VOID not in consequences
    ):
        result = None
    elif Consequence.DISBANDED in consequences and isinstance(order, orders.Retreat):
        result = OrderResult.BOUNCED
    return Report(order, result, dislodged=dislodged)
