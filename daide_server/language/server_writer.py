"""Writes what a server says, in the order of contents that the document gives."""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, Final

from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.results import OrderNote, OrderResult

from .brackets import bracketed
from .hello_options import HelloOption
from .map_definition import write_map
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
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    OrderNoted,
    OrderResulted,
    Out,
    Ownership,
    PlayerSummary,
    PressDelivered,
    Rejected,
    SaveGame,
    Solo,
    Summary,
    SwitchOff,
    SyntaxRefused,
    TimeLeft,
    TimeStopped,
)
from .order_syntax import OrderWriter, string
from .tokens import (
    ADM,
    BRA,
    CCD,
    DRW,
    FRM,
    HLO,
    HUH,
    KET,
    LOD,
    MAP,
    MIS,
    MRT,
    NOT,
    NOW,
    OFF,
    ORD,
    OUT,
    PRN,
    REJ,
    RET,
    SCO,
    SLO,
    SMR,
    SVE,
    THX,
    TME,
    TOKENS_BY_NAME,
    UNO,
    YES,
    Token,
    Tokens,
    number,
)
from .turn_tokens import turn_tokens

NOTE_TOKENS: Final[Mapping[OrderNote, Tokens]] = {
    note: (KET, BRA, TOKENS_BY_NAME[note.value], KET) for note in OrderNote
}
"""How THX ends, from the order's close bracket on."""

RESULT_TOKENS: Final[Mapping[tuple[OrderResult | OrderNote | None, bool], Tokens]] = {
    (result, dislodged): (
        *(KET, BRA),
        *(() if result is None else (TOKENS_BY_NAME[result.value],)),
        *((RET, KET) if dislodged else (KET,)),
    )
    for result in (None, *OrderResult, *OrderNote)
    for dislodged in (False, True)
}
"""How ORD ends, from the order's close bracket on."""


def _hello(nouns: OrderWriter, message: Hello) -> Tokens:
    power = (UNO,) if message.power is None else nouns.powers((message.power,))
    given = dict(message.options)
    # In the order of the document, whatever the order they came in.
    options = [_option(each, given[each]) for each in HelloOption if each in given]
    passcode = (number(message.passcode),)
    return HLO, *bracketed(power), *bracketed(passcode), *bracketed(_joined(options))


def _option(option: HelloOption, value: int | None) -> Tokens:
    name = TOKENS_BY_NAME[option.value.token]
    return bracketed((name,) if value is None else (name, number(value)))


def _joined(parts: list[Tokens]) -> Tokens:
    return tuple(chain.from_iterable(parts))


def _ownership(nouns: OrderWriter, message: Ownership) -> Tokens:
    owners: list[Power | None] = [*nouns.vocabulary.powers.values(), None]
    owned: dict[Power | None, list[Province]] = {owner: [] for owner in owners}
    for centre in nouns.vocabulary.centres:
        owned.setdefault(message.owners.get(centre), []).append(centre)
    parts = [_owned(nouns, owner, found) for owner, found in owned.items() if found]
    return SCO, *_joined(parts)


def _owned(nouns: OrderWriter, owner: Power | None, centres: list[Province]) -> Tokens:
    name = UNO if owner is None else nouns.vocabulary.power_token(owner)
    return bracketed((name, *map(nouns.vocabulary.province_token, centres)))


def _position(nouns: OrderWriter, message: CurrentPosition) -> Tokens:
    position = message.position
    turn = bracketed(turn_tokens(position.turn))
    units = _joined([nouns.unit(unit) for unit in position.units])
    return NOW, *turn, *units, *_retreats(nouns, position.dislodged)


def _retreats(
    nouns: OrderWriter, retreats: Mapping[Unit, tuple[Location, ...]]
) -> Tokens:
    return _joined([_retreat(nouns, unit, to) for unit, to in retreats.items()])


def _retreat(nouns: OrderWriter, unit: Unit, places: tuple[Location, ...]) -> Tokens:
    options = _joined([nouns.location(place) for place in places])
    return bracketed((*nouns.unit_within(unit), MRT, *bracketed(options)))


def _missing_units(nouns: OrderWriter, message: MissingUnits) -> Tokens:
    return MIS, *_joined([nouns.unit(unit) for unit in message.units])


def _noted(_: OrderWriter, message: OrderNoted) -> Tokens:
    return THX, BRA, *message.as_sent, *NOTE_TOKENS[message.note]


def _resulted(nouns: OrderWriter, message: OrderResulted) -> Tokens:
    report = message.report
    order = nouns.order(report.order)
    season, year = turn_tokens(message.turn)
    end = RESULT_TOKENS[report.result, report.dislodged]
    return ORD, BRA, season, year, KET, BRA, *order, *end


def _press(nouns: OrderWriter, message: PressDelivered) -> Tokens:
    sender = bracketed(nouns.powers((message.sender,)))
    recipients = bracketed(nouns.powers(message.recipients))
    return FRM, *sender, *recipients, *bracketed(message.content)


def _draw(nouns: OrderWriter, message: DrawDeclared) -> Tokens:
    if message.powers is None:
        return (DRW,)
    return DRW, *bracketed(nouns.powers(message.powers))


def _summary(nouns: OrderWriter, message: Summary) -> Tokens:
    players = _joined([_player(nouns, player) for player in message.players])
    return SMR, *bracketed(turn_tokens(message.turn)), *players


def _player(nouns: OrderWriter, player: PlayerSummary) -> Tokens:
    end = () if player.eliminated is None else (number(player.eliminated),)
    return bracketed(
        (
            nouns.vocabulary.power_token(player.power),
            *string(player.name),
            *string(player.version),
            number(player.centres),
            *end,
        )
    )


def _of_power(
    command: Token,
) -> Callable[[OrderWriter, InDisorder | Out | Solo], Tokens]:
    return lambda nouns, said: (command, *bracketed(nouns.powers((said.power,))))


def _time(seconds: int) -> Tokens:
    return TME, *bracketed((number(seconds),))


def _back(nouns: OrderWriter, message: BackInControl) -> Tokens:
    power = bracketed(nouns.powers((message.power,)))
    return NOT, *bracketed((CCD, *power))


SERVER_WRITERS: Final[Mapping[type, Callable[[OrderWriter, Any], Tokens]]] = {
    Accepted: lambda _, said: (YES, BRA, *said.message, KET),
    Rejected: lambda _, said: (REJ, BRA, *said.message, KET),
    BracketsRefused: lambda _, said: (PRN, BRA, *said.message, KET),
    SyntaxRefused: lambda _, said: (HUH, BRA, *said.message, KET),
    MapName: lambda _, said: (MAP, *string(said.name)),
    MapDefinition: lambda nouns, said: write_map(said.map, nouns),
    Hello: _hello,
    Ownership: _ownership,
    CurrentPosition: _position,
    OrderNoted: _noted,
    MissingUnits: _missing_units,
    MissingRetreats: lambda nouns, said: (MIS, *_retreats(nouns, said.retreats)),
    MissingAdjustments: lambda _, said: (MIS, *bracketed((number(said.number),))),
    OrderResulted: _resulted,
    TimeLeft: lambda _, said: _time(said.seconds),
    TimeStopped: lambda _, said: (NOT, *bracketed(_time(said.seconds))),
    InDisorder: _of_power(CCD),
    BackInControl: _back,
    Out: _of_power(OUT),
    PressDelivered: _press,
    Admin: lambda _, said: (ADM, *string(said.name), *string(said.text)),
    Solo: _of_power(SLO),
    DrawDeclared: _draw,
    Summary: _summary,
    SaveGame: lambda _, said: (SVE, *string(said.name)),
    LoadGame: lambda _, said: (LOD, *string(said.name)),
    SwitchOff: lambda *_: (OFF,),
}
"""How each message is written; `Any` because each takes only its own class."""
