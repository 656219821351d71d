"""The messages of clients as tokens, in the order of the union `ClientMessage`."""

from typing import Final

from . import messages as said
from .codec import (
    NUMBER,
    ORDER,
    POWER,
    POWERS,
    STRING,
    TOKENS,
    TURN,
    CodecTable,
    codec,
    custom_codec,
    optional,
)
from .syntax import OrderReader, OrderWriter, bracketed, string, turn_tokens
from .tokens import REJ, SUB, SVE, YES, Tokens, text_of


def _write_submission(writer: OrderWriter, message: said.SubmitOrders) -> Tokens:
    tokens: Tokens = (SUB,)
    if message.turn is not None:
        tokens += bracketed(turn_tokens(message.turn))
    for each in message.orders:
        tokens += bracketed(each.as_sent or writer.order(each.order))
    return tokens


def _read_saved(_: OrderReader, groups: list[Tokens]) -> said.AnswerSave:
    return said.AnswerSave(text_of(groups[0]), saved=True)


def _read_unsaved(_: OrderReader, groups: list[Tokens]) -> said.AnswerSave:
    return said.AnswerSave(text_of(groups[0]), saved=False)


def _write_save_answer(_: OrderWriter, message: said.AnswerSave) -> Tokens:
    answer = YES if message.saved else REJ
    return answer, *bracketed((SVE, *string(message.name)))


CLIENT_CODECS: Final = CodecTable[said.ClientMessage](
    (
        codec("NME", said.Name, STRING, STRING),
        codec("OBS", said.Observe),
        codec("IAM", said.Rejoin, POWER, NUMBER),
        codec("YES MAP", said.AcceptMap, STRING),
        codec("REJ MAP", said.RefuseMap, STRING),
        codec("MAP", said.AskMap),
        codec("MDF", said.AskMapDefinition),
        codec("NOW", said.AskPosition),
        codec("SCO", said.AskOwnership),
        codec("HLO", said.AskHello),
        codec("ORD", said.AskResults),
        codec("HST", said.AskHistory, optional(TURN)),
        # `ClientReader` reads SUB, with a cache of orders.
        custom_codec("SUB", (said.SubmitOrders,), write=_write_submission),
        codec("NOT SUB", said.CancelOrders),
        codec("NOT SUB", said.CancelOrder, ORDER),
        codec("MIS", said.AskMissing),
        codec("GOF", said.Go),
        codec("NOT GOF", said.Wait),
        codec("TME", said.AskTime),
        codec("TME", said.RequestTime, NUMBER),
        codec("NOT TME", said.CancelTime, optional(NUMBER)),
        codec("DRW", said.VoteDraw, optional(POWERS)),
        codec("NOT DRW", said.WithdrawDraw, optional(POWERS)),
        codec("SND", said.SendPress, optional(TURN), POWERS, TOKENS),
        codec("ADM", said.Admin, STRING, STRING),
        custom_codec(
            "YES SVE", (said.AnswerSave,), read=_read_saved, write=_write_save_answer
        ),
        custom_codec(
            "REJ SVE", (said.AnswerSave,), read=_read_unsaved, write=_write_save_answer
        ),
        codec("REJ LOD", said.RefuseLoad, STRING),
        # `ClientReader` reads PRN and HUH, with any contents.
        custom_codec("PRN", (said.Complaint,), write=lambda _, message: message.tokens),
    )
)
