"""Reasons of failed orders in DiploBN's words, and the `Consequence` of each.

The first part of a reason is one of DiploBN's own site. Marks of ours follow after
semicolons: that a move went by convoy, or that the order is not a player's.
"""

from collections.abc import Collection, Mapping
from typing import Final

from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from daide_server.board.results import OrderResult, Report
from daide_server.records.consequences import Consequence, Consequences

from .shapes import Result

BY_CONVOY: Final = "via convoy"
NOT_ORDERED: Final = "no order"
NO_ROUTE: Final = "No route"
NOT_ADJACENT: Final = "Not adjacent"
DISLODGED_REASON: Final = "Dislodged"
STAND_OFF: Final = "Stand off with another mover"
SUPPORT_CUT: Final = "Support is cut"
NO_MOVE: Final = "No matching move order"
NO_STATIONARY_UNIT: Final = "No stationary unit"

REASON_OF: Final[Mapping[Consequence, str]] = {
    Consequence.BOUNCED: STAND_OFF,
    Consequence.CUT: SUPPORT_CUT,
    Consequence.NO_CONVOY: NO_ROUTE,
    Consequence.DISRUPTED: NO_ROUTE,
    Consequence.VOID: NOT_ADJACENT,
    Consequence.DISLODGED: DISLODGED_REASON,
}
"""The reason for each consequence that is a failure, the more specific one first."""

MEANING: Final[Mapping[str, Consequence]] = {
    STAND_OFF: Consequence.BOUNCED,
    "Overpowered by another mover": Consequence.BOUNCED,
    "Insufficient attack strength in head-to-head": Consequence.BOUNCED,
    "Power insufficient to dislodge existing unit": Consequence.BOUNCED,
    SUPPORT_CUT: Consequence.CUT,
    NO_ROUTE: Consequence.NO_CONVOY,
    DISLODGED_REASON: Consequence.DISLODGED,
    NO_MOVE: Consequence.VOID,
    NO_STATIONARY_UNIT: Consequence.VOID,
    NOT_ADJACENT: Consequence.VOID,
    "Self-move not allowed": Consequence.VOID,
    "Armies cannot convoy": Consequence.VOID,
    "Fleets in coastal provinces cannot convoy": Consequence.VOID,
    "Duplicate order": Consequence.VOID,
}
"""The consequence for each reason that DiploBN's site gives."""


def result_of(
    report: Report, consequences: Consequences, given: Collection[Order]
) -> Result:
    """Return the result of an order, which had *consequences*.

    *given* are the orders of the players; any other was made by the rules.
    """
    order = report.order
    reason = next(
        (text for each, text in REASON_OF.items() if each in consequences), None
    )
    if reason == NOT_ADJACENT and report.result is OrderResult.NO_SUCH_ORDER:
        reason = NO_STATIONARY_UNIT if isinstance(order, SupportHold) else NO_MOVE
    if isinstance(order, Convoy) and Consequence.NO_CONVOY in consequences:
        reason = NO_MOVE
    marks = [reason] if reason else []
    if isinstance(order, ConvoyedMove):
        marks.append(BY_CONVOY)
    if order not in given and not isinstance(order, Build | Waive):
        marks.append(NOT_ORDERED)
    letter = "f" if reason else "s"
    return [letter, "; ".join(marks)] if marks else letter


def marks_in(result: object) -> tuple[str, ...]:
    """Return the parts of the reason that *result* gives."""
    if not isinstance(result, list) or len(result) < len(("f", "reason")):
        return ()
    return tuple(part.strip() for part in str(result[1]).split(";"))


def consequences_in(order: Order, result: object) -> list[Consequence]:
    """Return the consequences of *result*; without a known reason, a bounce."""
    marks = marks_in(result)
    known = [MEANING[mark] for mark in marks if mark in MEANING]
    if isinstance(order, Convoy) and NO_ROUTE in marks:
        return [Consequence.DISRUPTED]
    failed = result == "f" or (isinstance(result, list) and result[:1] == ["f"])
    if not failed or known:
        return known
    supports = isinstance(order, SupportHold | SupportMove)
    return [Consequence.CUT if supports else Consequence.BOUNCED]
