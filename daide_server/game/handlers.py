"""Which function takes which message that `permissions.ANSWERS` lets through."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from daide_server.language.messages import (
    AcceptMap,
    Admin,
    AskHello,
    AskHistory,
    AskMap,
    AskMapDefinition,
    AskMissing,
    AskOwnership,
    AskPosition,
    AskResults,
    AskTime,
    CancelOrder,
    CancelOrders,
    CancelTime,
    ClientMessage,
    Go,
    Name,
    Observe,
    RefuseLoad,
    RefuseMap,
    Rejoin,
    RequestTime,
    SendPress,
    SubmitOrders,
    VoteDraw,
    Wait,
    WithdrawDraw,
)

from . import answers, joining, loading, playing, returning
from .effects import Effect
from .game_state import GameState
from .request import Request

M = TypeVar("M", bound=ClientMessage)
Handler = Callable[[GameState, Request[Any]], list[Effect]]
"""Changes the state, and returns what must happen because of a message.

`Any`, because a mapping cannot say that each handler takes the message of its key;
`_row` has that checked, row by row.
"""


def _row(
    message: type[M], handler: Callable[[GameState, Request[M]], list[Effect]]
) -> tuple[type[object], Handler]:
    return message, handler


HANDLERS: Final[Mapping[type[object], Handler]] = dict(
    (
        _row(Name, joining.take_seat),
        _row(Observe, joining.observe),
        _row(Rejoin, returning.rejoin),
        _row(AcceptMap, joining.accept_map),
        _row(RefuseMap, joining.refuse_map),
        _row(RefuseLoad, loading.refuse),
        _row(SubmitOrders, playing.submit),
        _row(CancelOrders, playing.cancel_all),
        _row(CancelOrder, playing.cancel),
        _row(Go, playing.go),
        _row(Wait, playing.wait),
        _row(VoteDraw, playing.vote),
        _row(WithdrawDraw, playing.withdraw_vote),
        _row(RequestTime, playing.request_time),
        _row(CancelTime, playing.cancel_time),
        _row(SendPress, playing.send_press),
        _row(Admin, playing.forward),
        _row(AskMap, answers.answer),
        _row(AskMapDefinition, answers.answer),
        _row(AskOwnership, answers.answer),
        _row(AskPosition, answers.answer),
        _row(AskHello, answers.answer),
        _row(AskHistory, answers.answer),
        _row(AskResults, answers.answer),
        _row(AskMissing, answers.answer),
        _row(AskTime, answers.answer),
    )
)
