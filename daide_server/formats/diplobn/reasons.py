"""Why an order failed, in DiploBN's words, and back to those of the other formats.

The first part of a reason is one that DiploBN's own site uses; what else is known
follows after a semicolon: that the move went by convoy, that nobody gave the order.
"""

from collections.abc import Collection, Mapping, Sequence
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

from .shapes import Result

BY_CONVOY: Final = "via convoy"
NOT_ORDERED: Final = "no order"
NO_ROUTE: Final = "No route"
DISLODGED_REASON: Final = "Dislodged"
STAND_OFF: Final = "Stand off with another mover"
REASONS: Final[Mapping[str, str]] = {
    "bounce": STAND_OFF,
    "cut": "Support is cut",
    "no convoy": NO_ROUTE,
    "disrupted": NO_ROUTE,
    "void": "Not adjacent",
    "dislodged": DISLODGED_REASON,
}
"""The reason for each word that tells a failure, the more telling word first."""

NO_MOVE: Final = "No matching move order"
NO_UNIT: Final = "No stationary unit"

DIPCC_WORDS: Final[Mapping[str, str]] = {
    STAND_OFF: "bounce",
    "Overpowered by another mover": "bounce",
    "Insufficient attack strength in head-to-head": "bounce",
    "Power insufficient to dislodge existing unit": "bounce",
    "Support is cut": "cut",
    NO_ROUTE: "no convoy",
    DISLODGED_REASON: "dislodged",
    NO_MOVE: "void",
    NO_UNIT: "void",
    "Not adjacent": "void",
    "Self-move not allowed": "void",
    "Armies cannot convoy": "void",
    "Fleets in coastal provinces cannot convoy": "void",
    "Duplicate order": "void",
}
"""The word for each reason that DiploBN's site gives."""


def result_of(report: Report, words: Sequence[str], given: Collection[Order]) -> Result:
    """Return the result of an order, whose outcome *words* tell.

    *given* are the orders of the players; any other is what the rules did.
    """
    order = report.order
    reason = next((text for word, text in REASONS.items() if word in words), None)
    if reason == REASONS["void"] and report.result is OrderResult.NO_SUCH_ORDER:
        reason = NO_UNIT if isinstance(order, SupportHold) else NO_MOVE
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


def words_of(order: Order, result: object) -> list[str]:
    """Return the words for *result*; a failure without a known reason is a bounce."""
    marks = marks_in(result)
    known = [DIPCC_WORDS[mark] for mark in marks if mark in DIPCC_WORDS]
    if isinstance(order, Convoy) and NO_ROUTE in marks:
        return ["disrupted"]
    failed = result == "f" or (isinstance(result, list) and result[:1] == ["f"])
    if not failed or known:
        return known
    supports = isinstance(order, SupportHold | SupportMove)
    return ["cut"] if supports else ["bounce"]
