"""What became of an order, in the words of the `diplomacy` package.

Success is the empty list. A broken convoy is `no convoy` for the army and
`disrupted` for the fleet that broke it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from daide_server.board.names import Unit
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
from daide_server.board.position import Position
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.board.turns import Phase

VOID_WORD: Final = "void"
DISLODGED_WORD: Final = "dislodged"
DISBAND: Final = "disband"
DISRUPTED_WORD: Final = "disrupted"
NO_CONVOY: Final = "no convoy"
WORD_OF_RESULT: Final[Mapping[OrderResult, str]] = {
    OrderResult.BOUNCED: "bounce",
    OrderResult.CUT: "cut",
    OrderResult.DISRUPTED: NO_CONVOY,
    OrderResult.NO_SUCH_ORDER: VOID_WORD,
}
PLAIN_ORDERS: Final = frozenset(
    {Hold, Move, ConvoyedMove, SupportHold, SupportMove, Build}
)
"""Orders whose success has nothing else to tell; most reports are of these."""
RESULT_OF_WORD: Final = {word: result for result, word in WORD_OF_RESULT.items()}


def results_of(
    reports: Iterable[Report], ordered: Collection[Order]
) -> dict[Unit, list[str]]:
    """Return the words on each unit of *reports*.

    *ordered* are the players' own orders: a removal among them is a success, any
    other is civil disorder and says `disband`.
    """
    reports = tuple(reports)
    broken = _broken_convoys(reports)
    return {
        report.order.unit: _words(report, ordered, broken)
        for report in reports
        if not isinstance(report.order, Waive)
    }


def _words(
    report: Report, ordered: Collection[Order], broken: Collection[Unit]
) -> list[str]:
    order = report.order
    if report.result is OrderResult.SUCCEEDED and type(order) in PLAIN_ORDERS:
        return [DISLODGED_WORD] if report.dislodged else []
    words = _result_words(report, broken)
    if report.dislodged:
        words.append(DISLODGED_WORD)
    if _is_lost(report) or (isinstance(order, Remove) and order not in ordered):
        words.append(DISBAND)
    return words


def _result_words(report: Report, broken: Collection[Unit]) -> list[str]:
    order, result = report.order, report.result
    if isinstance(result, OrderNote):
        return [] if result is OrderNote.OK else [VOID_WORD]
    if isinstance(order, Convoy) and order.unit in broken:
        return [DISRUPTED_WORD]
    if isinstance(order, ConvoyedMove) and result is OrderResult.NO_SUCH_ORDER:
        return [NO_CONVOY]
    word = WORD_OF_RESULT.get(result) if result else None
    return [word] if word else []


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
        if isinstance(report.order, ConvoyedMove)
        and report.result is OrderResult.DISRUPTED
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
    position: Position, orders: Iterable[Order], results: Mapping[Unit, Sequence[str]]
) -> tuple[Report, ...]:
    """Return what *results* say of *orders*, and of the units without an order.

    A file does not tell why an order was illegal; the note is then that of the
    most common reason, NOT_ADJACENT.
    """
    given = {order.unit: order for order in orders if not isinstance(order, Waive)}
    disrupted = {unit for unit, words in results.items() if DISRUPTED_WORD in words}
    carried = {
        order.convoyed
        for order in given.values()
        if isinstance(order, Convoy) and order.unit in disrupted
    }
    return tuple(
        _report(given.get(unit) or _default(position, unit), words, carried)
        for unit, words in results.items()
    )


def _default(position: Position, unit: Unit) -> UnitOrder:
    """Return what a unit without an order does."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return Hold(unit)
        case Phase.RETREATS:
            return Disband(unit)
        case Phase.ADJUSTMENTS:
            return Remove(unit)


def _report(
    order: UnitOrder, words: Sequence[str], carried: Collection[Unit]
) -> Report:
    dislodged = DISLODGED_WORD in words
    result: OrderResult | OrderNote | None = next(
        (RESULT_OF_WORD[word] for word in words if word in RESULT_OF_WORD),
        OrderResult.SUCCEEDED,
    )
    if isinstance(order, ConvoyedMove) and result is OrderResult.DISRUPTED:
        known = order.unit in carried
        result = OrderResult.DISRUPTED if known else OrderResult.NO_SUCH_ORDER
    elif VOID_WORD in words and not isinstance(
        order, SupportHold | SupportMove | Convoy
    ):
        result = OrderNote.NOT_ADJACENT
    elif dislodged and isinstance(order, Hold | Convoy) and VOID_WORD not in words:
        result = None
    elif DISBAND in words and isinstance(order, Retreat):
        result = OrderResult.BOUNCED
    return Report(order, result, dislodged=dislodged)
