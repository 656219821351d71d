"""Messages that changed nothing: questions, and what the game refused."""

from collections.abc import Sequence
from typing import Final

from daide_server.board.results import OrderNote
from daide_server.language.messages import (
    Admin,
    AnswerSave,
    AskHello,
    AskHistory,
    AskMap,
    AskMapDefinition,
    AskMissing,
    AskOwnership,
    AskPosition,
    AskResults,
    AskTime,
    Complaint,
    InDisorder,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    OrderNoted,
    Out,
    Rejected,
    SendPress,
    ServerMessage,
    SubmitOrders,
    SyntaxRefused,
    VoteDraw,
    WithdrawDraw,
)

from .effects import Effect, Refuse, Send
from .events import MessageReceived

QUESTIONS: Final = frozenset(
    {
        AskHello,
        AskHistory,
        AskMap,
        AskMapDefinition,
        AskMissing,
        AskOwnership,
        AskPosition,
        AskResults,
        AskTime,
        Complaint,
        Admin,
        AnswerSave,
    }
)
"""Messages that change nothing: questions, and what is only forwarded."""


PLAIN_REFUSALS: Final = frozenset({Rejected, SyntaxRefused})
PRESS_REFUSALS: Final = PLAIN_REFUSALS | {Out, InDisorder}
ORDER_REFUSALS: Final = PLAIN_REFUSALS | {
    MissingUnits,
    MissingRetreats,
    MissingAdjustments,
}
"""Answers to a SUB that accept no order; OrderNoted is another."""

MAX_REFUSAL_EFFECTS: Final = 2
"""Of a refusal: the answer, and why somebody may not join."""

_OK: Final = OrderNote.OK
"""A name of the module is looked up faster than a member of an enum."""


def is_refused(event: MessageReceived, effects: Sequence[Effect]) -> bool:
    """Return whether *effects* are only a refusal, so that nothing has changed.

    More than `MAX_REFUSAL_EFFECTS` never are.
    """
    if len(effects) != 1:
        # Why somebody may not join is for the log only.
        effects = [effect for effect in effects if not isinstance(effect, Refuse)]
        if len(effects) != 1:
            return False
    (effect,) = effects
    if not isinstance(effect, Send) or effect.clients != (event.client,):
        return False
    match event.message:
        case SubmitOrders():
            return all(map(_is_poor_answer, effect.messages))
        case SendPress():
            return type(effect.messages[0]) in PRESS_REFUSALS
        case VoteDraw() | WithdrawDraw():
            # One that is new, or takes back what was cast, has a `Record` as well.
            return True
        case _:
            return type(effect.messages[0]) in PLAIN_REFUSALS


def _is_poor_answer(answer: ServerMessage) -> bool:
    """Return whether *answer*, to a SUB, accepts no order."""
    if isinstance(answer, OrderNoted):
        return answer.note is not _OK
    return type(answer) in ORDER_REFUSALS
