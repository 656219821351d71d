"""The messages of a server as tokens, in the order of the union `ServerMessage`.

Lists inside a message are in the order that the Message Syntax document prescribes.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from daide_server.board.names import Power
from daide_server.board.results import OrderNote, OrderResult, Report

from .brackets import bracketed, joined, parts
from .cache import is_cacheable
from .codec import CodecTable, codec, custom_codec
from .hello_options import BY_TOKEN, HelloOption
from .map_definition import read_map, write_map
from .message_fields import NUMBER, POWER, POWERS, STRING, TOKENS, Field, optional
from .messages import (
    Accepted,
    Admin,
    BackInControl,
    BracketsRefused,
    CurrentPosition,
    DrawDeclared,
    Hello,
    InDisorder,
    LoadGame,
    MapDefinition,
    MapName,
    OrderNoted,
    OrderResulted,
    Out,
    Ownership,
    PlayerSummary,
    PressDelivered,
    Rejected,
    SaveGame,
    ServerMessage,
    Solo,
    Summary,
    SwitchOff,
    SyntaxRefused,
    TimeLeft,
    TimeStopped,
)
from .order_syntax import OrderReader, OrderWriter, string
from .position_syntax import (
    MISSING,
    read_missing,
    read_ownership,
    read_position,
    write_missing,
    write_ownership,
    write_position,
)
from .tokens import (
    BRA,
    FRM,
    KET,
    MNEMONICS,
    ORD,
    RET,
    SMR,
    THX,
    TOKENS_BY_NAME,
    UNO,
    Tokens,
    number,
    text_of,
    value_of,
)
from .turn_tokens import read_turn, turn_tokens

# HLO


def _read_option(tokens: Tokens) -> tuple[HelloOption, int | None]:
    option = BY_TOKEN[MNEMONICS[tokens[0]]]
    return option, value_of(tokens[1]) if tokens[1:] else None


def _write_option(option: HelloOption, value: int | None) -> Tokens:
    name = TOKENS_BY_NAME[option.value.token]
    return bracketed((name,) if value is None else (name, number(value)))


def _write_options(given: Iterable[tuple[HelloOption, int | None]]) -> Tokens:
    """Return the options in the order of the document, not in that of *given*."""
    values = dict(given)
    return joined(
        _write_option(each, values[each]) for each in HelloOption if each in values
    )


_OWNER: Final = Field[Power | None](
    lambda reader, tokens: None if tokens[0] == UNO else reader.powers(tokens)[0],
    lambda writer, power: (UNO,) if power is None else writer.powers((power,)),
)
_OPTIONS: Final = Field[tuple[tuple[HelloOption, int | None], ...]](
    lambda _, tokens: tuple(map(_read_option, parts(tokens))),
    lambda _, given: _write_options(given),
)

# THX and ORD: a server sends one for each order, so their ends are prepared.

NOTE_TOKENS: Final[Mapping[OrderNote, Tokens]] = {
    note: (KET, BRA, TOKENS_BY_NAME[note.value], KET) for note in OrderNote
}
"""The end of THX, from the close bracket of the order on."""

RESULT_TOKENS: Final[Mapping[tuple[OrderResult | OrderNote | None, bool], Tokens]] = {
    (result, dislodged): (
        *(KET, BRA),
        *(() if result is None else (TOKENS_BY_NAME[result.value],)),
        *((RET, KET) if dislodged else (KET,)),
    )
    for result in (None, *OrderResult, *OrderNote)
    for dislodged in (False, True)
}
"""The end of ORD, from the close bracket of the order on."""

RESULTS_BY_NAME: Final[Mapping[str, OrderResult | OrderNote]] = {
    result.value: result for result in (*OrderResult, *OrderNote)
}


def _read_noted(_: OrderReader, groups: list[Tokens]) -> OrderNoted:
    return OrderNoted(groups[0], OrderNote(MNEMONICS[groups[1][0]]))


def _write_noted(_: OrderWriter, message: OrderNoted) -> Tokens:
    return THX, BRA, *message.as_sent, *NOTE_TOKENS[message.note]


def _read_resulted(reader: OrderReader, groups: list[Tokens]) -> OrderResulted:
    turn, order, result = groups
    report = Report(
        order=reader.order(order),
        result=RESULTS_BY_NAME.get(MNEMONICS[result[0]]),
        dislodged=result[-1] == RET,
    )
    return OrderResulted(read_turn(turn), report)


TURN_OF_RESULT: Final = slice(2, 4)
"""Where the turn stands in ORD: in other turns the rest can be the same."""


def _write_resulted(writer: OrderWriter, message: OrderResulted) -> Tokens:
    report = message.report
    turn, order = writer.turn(message.turn), writer.order(report.order)
    end = RESULT_TOKENS[report.result, report.dislodged]
    return ORD, BRA, *turn, KET, BRA, *order, *end


# SMR


def _read_summary(reader: OrderReader, groups: list[Tokens]) -> Summary:
    turn, *players = groups
    return Summary(
        read_turn(turn), tuple(_read_player(reader, each) for each in players)
    )


def _read_player(reader: OrderReader, tokens: Tokens) -> PlayerSummary:
    name, version = parts(tokens)
    numbers = tokens[1 + len(name) + len(version) + len("()()") :]
    centres, *eliminated = map(value_of, numbers)
    return PlayerSummary(
        power=reader.vocabulary.power(tokens[0]),
        name=text_of(name),
        version=text_of(version),
        centres=centres,
        eliminated=eliminated[0] if eliminated else None,
    )


def _write_summary(writer: OrderWriter, message: Summary) -> Tokens:
    players = joined(_write_player(writer, player) for player in message.players)
    return SMR, *bracketed(turn_tokens(message.turn)), *players


def _write_player(writer: OrderWriter, player: PlayerSummary) -> Tokens:
    end = () if player.eliminated is None else (number(player.eliminated),)
    return bracketed(
        (
            writer.vocabulary.power_token(player.power),
            *string(player.name),
            *string(player.version),
            number(player.centres),
            *end,
        )
    )


# FRM: the same powers write to each other, so the writer keeps how it begins.


def _read_delivered(reader: OrderReader, groups: list[Tokens]) -> PressDelivered:
    (sender,) = reader.powers(groups[0])
    return PressDelivered(sender, reader.powers(groups[1]), groups[2])


def _write_delivered(writer: OrderWriter, message: PressDelivered) -> Tokens:
    sender, recipients = message.sender, message.recipients
    start = writer.press_starts.get((sender, recipients))
    if start is None:
        start = (FRM, *bracketed(writer.power(sender)))
        start += (*bracketed(writer.powers(recipients)), BRA)
        if is_cacheable(start):
            writer.press_starts.store((sender, recipients), start)
    return start + message.content + (KET,)


# MDF


def _read_map(reader: OrderReader, groups: list[Tokens]) -> MapDefinition:
    return MapDefinition(read_map(groups, reader))


def _write_map(writer: OrderWriter, message: MapDefinition) -> Tokens:
    return write_map(message.map, writer)


SERVER_CODECS: Final = CodecTable[ServerMessage](
    (
        codec("YES", Accepted, TOKENS),
        codec("REJ", Rejected, TOKENS),
        codec("PRN", BracketsRefused, TOKENS),
        codec("HUH", SyntaxRefused, TOKENS),
        codec("MAP", MapName, STRING),
        custom_codec("MDF", (MapDefinition,), read=_read_map, write=_write_map),
        codec("HLO", Hello, _OWNER, NUMBER, _OPTIONS),
        custom_codec("SCO", (Ownership,), read=read_ownership, write=write_ownership),
        custom_codec(
            "NOW", (CurrentPosition,), read=read_position, write=write_position
        ),
        custom_codec("THX", (OrderNoted,), read=_read_noted, write=_write_noted),
        custom_codec("MIS", MISSING, read=read_missing, write=write_missing),
        custom_codec(
            "ORD", (OrderResulted,), read=_read_resulted, write=_write_resulted
        ),
        codec("TME", TimeLeft, NUMBER),
        codec("NOT TME", TimeStopped, NUMBER),
        codec("CCD", InDisorder, POWER),
        codec("NOT CCD", BackInControl, POWER),
        codec("OUT", Out, POWER),
        custom_codec(
            "FRM", (PressDelivered,), read=_read_delivered, write=_write_delivered
        ),
        codec("ADM", Admin, STRING, STRING),
        codec("SLO", Solo, POWER),
        codec("DRW", DrawDeclared, optional(POWERS)),
        custom_codec("SMR", (Summary,), read=_read_summary, write=_write_summary),
        codec("SVE", SaveGame, STRING),
        codec("LOD", LoadGame, STRING),
        codec("OFF", SwitchOff),
    )
)
