"""Writes what clients say to a server."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from .brackets import bracketed
from .messages import (
    AcceptMap,
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
    CancelOrder,
    CancelOrders,
    CancelTime,
    Complaint,
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
from .order_syntax import OrderWriter, string
from .tokens import (
    ADM,
    DRW,
    GOF,
    HLO,
    HST,
    IAM,
    LOD,
    MAP,
    MDF,
    MIS,
    NME,
    NOT,
    NOW,
    OBS,
    ORD,
    REJ,
    SCO,
    SND,
    SUB,
    SVE,
    TME,
    YES,
    Token,
    Tokens,
    number,
)
from .turn_tokens import turn_tokens


def _answer(answer: Token, command: Token, name: str) -> Tokens:
    return answer, *bracketed((command, *string(name)))


def _rejoin(nouns: OrderWriter, message: Rejoin) -> Tokens:
    power = nouns.powers((message.power,))
    return IAM, *bracketed(power), *bracketed((number(message.passcode),))


def _history(_: OrderWriter, message: AskHistory) -> Tokens:
    if message.turn is None:
        return (HST,)
    return HST, *bracketed(turn_tokens(message.turn))


def _submission(nouns: OrderWriter, message: SubmitOrders) -> Tokens:
    tokens: Tokens = (SUB,)
    if message.turn is not None:
        tokens += bracketed(turn_tokens(message.turn))
    for each in message.orders:
        tokens += bracketed(each.as_sent or nouns.order(each.order))
    return tokens


def _cancelled_order(nouns: OrderWriter, message: CancelOrder) -> Tokens:
    return NOT, *bracketed((SUB, *bracketed(nouns.order(message.order))))


def _time(seconds: int | None) -> Tokens:
    return (TME,) if seconds is None else (TME, *bracketed((number(seconds),)))


def _draw(nouns: OrderWriter, message: VoteDraw | WithdrawDraw) -> Tokens:
    if message.powers is None:
        return (DRW,)
    return DRW, *bracketed(nouns.powers(message.powers))


def _press(nouns: OrderWriter, message: SendPress) -> Tokens:
    turn = () if message.turn is None else bracketed(turn_tokens(message.turn))
    recipients = bracketed(nouns.powers(message.recipients))
    return SND, *turn, *recipients, *bracketed(message.content)


CLIENT_WRITERS: Final[Mapping[type, Callable[[OrderWriter, Any], Tokens]]] = {
    Name: lambda _, said: (NME, *string(said.name), *string(said.version)),
    Observe: lambda *_: (OBS,),
    Rejoin: _rejoin,
    AcceptMap: lambda _, said: _answer(YES, MAP, said.name),
    RefuseMap: lambda _, said: _answer(REJ, MAP, said.name),
    AskMap: lambda *_: (MAP,),
    AskMapDefinition: lambda *_: (MDF,),
    AskPosition: lambda *_: (NOW,),
    AskOwnership: lambda *_: (SCO,),
    AskHello: lambda *_: (HLO,),
    AskResults: lambda *_: (ORD,),
    AskHistory: _history,
    SubmitOrders: _submission,
    CancelOrders: lambda *_: (NOT, *bracketed((SUB,))),
    CancelOrder: _cancelled_order,
    AskMissing: lambda *_: (MIS,),
    Go: lambda *_: (GOF,),
    Wait: lambda *_: (NOT, *bracketed((GOF,))),
    AskTime: lambda *_: (TME,),
    RequestTime: lambda _, said: _time(said.seconds),
    CancelTime: lambda _, said: (NOT, *bracketed(_time(said.seconds))),
    VoteDraw: _draw,
    WithdrawDraw: lambda nouns, said: (NOT, *bracketed(_draw(nouns, said))),
    SendPress: _press,
    Admin: lambda _, said: (ADM, *string(said.name), *string(said.text)),
    AnswerSave: lambda _, said: _answer(YES if said.saved else REJ, SVE, said.name),
    RefuseLoad: lambda _, said: _answer(REJ, LOD, said.name),
    Complaint: lambda _, said: said.tokens,
}
"""How each message is written; `Any` because each takes only its own class."""
