"""The messages of clients as tokens, in the order of the union `ClientMessage`."""

from typing import Final

from .brackets import bracketed
from .codec import CodecTable, codec, custom_codec
from .message_fields import NUMBER, ORDER, POWER, POWERS, STRING, TOKENS, TURN, optional
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
    ClientMessage,
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
from .order_syntax import OrderReader, OrderWriter, string
from .tokens import REJ, SUB, SVE, YES, Tokens, text_of
from .turn_tokens import turn_tokens


def _write_submission(writer: OrderWriter, message: SubmitOrders) -> Tokens:
    tokens: Tokens = (SUB,)
    if message.turn is not None:
        tokens += bracketed(turn_tokens(message.turn))
    for each in message.orders:
        tokens += bracketed(each.as_sent or writer.order(each.order))
    return tokens


def _read_saved(_: OrderReader, groups: list[Tokens]) -> AnswerSave:
    return AnswerSave(text_of(groups[0]), saved=True)


def _read_unsaved(_: OrderReader, groups: list[Tokens]) -> AnswerSave:
    return AnswerSave(text_of(groups[0]), saved=False)


def _write_save_answer(_: OrderWriter, message: AnswerSave) -> Tokens:
    answer = YES if message.saved else REJ
    return answer, *bracketed((SVE, *string(message.name)))


CLIENT_CODECS: Final = CodecTable[ClientMessage](
    (
        codec("NME", Name, STRING, STRING),
        codec("OBS", Observe),
        codec("IAM", Rejoin, POWER, NUMBER),
        codec("YES MAP", AcceptMap, STRING),
        codec("REJ MAP", RefuseMap, STRING),
        codec("MAP", AskMap),
        codec("MDF", AskMapDefinition),
        codec("NOW", AskPosition),
        codec("SCO", AskOwnership),
        codec("HLO", AskHello),
        codec("ORD", AskResults),
        codec("HST", AskHistory, optional(TURN)),
        # `ClientReader` reads SUB, with a cache of orders.
        custom_codec("SUB", (SubmitOrders,), write=_write_submission),
        codec("NOT SUB", CancelOrders),
        codec("NOT SUB", CancelOrder, ORDER),
        codec("MIS", AskMissing),
        codec("GOF", Go),
        codec("NOT GOF", Wait),
        codec("TME", AskTime),
        codec("TME", RequestTime, NUMBER),
        codec("NOT TME", CancelTime, optional(NUMBER)),
        codec("DRW", VoteDraw, optional(POWERS)),
        codec("NOT DRW", WithdrawDraw, optional(POWERS)),
        codec("SND", SendPress, optional(TURN), POWERS, TOKENS),
        codec("ADM", Admin, STRING, STRING),
        custom_codec(
            "YES SVE", (AnswerSave,), read=_read_saved, write=_write_save_answer
        ),
        custom_codec(
            "REJ SVE", (AnswerSave,), read=_read_unsaved, write=_write_save_answer
        ),
        codec("REJ LOD", RefuseLoad, STRING),
        # `ClientReader` reads PRN and HUH, with any contents.
        custom_codec("PRN", (Complaint,), write=lambda _, message: message.tokens),
    )
)
