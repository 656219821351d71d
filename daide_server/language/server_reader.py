"""Reads what a server says, on a client's part.

Order, syntax and levels of the content of YES, REJ, THX and FRM are not checked:
a client must cope with whatever reaches it.
"""

from collections.abc import Callable, Mapping
from typing import Final

from daide_server.board.map import Map
from daide_server.board.names import Location, Unit
from daide_server.board.position import Position
from daide_server.board.results import OrderNote, OrderResult, Report

from .brackets import are_paired, parts
from .commands import server_grammar
from .errors import BracketError, GrammarError
from .hello_options import BY_TOKEN, HelloOption
from .map_definition import read_map
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
    ServerMessage,
    Solo,
    Summary,
    SwitchOff,
    SyntaxRefused,
    TimeLeft,
    TimeStopped,
)
from .order_syntax import OrderReader
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
    MDF,
    MIS,
    MNEMONICS,
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
    UNO,
    YES,
    Token,
    Tokens,
    is_number,
    text_of,
    value_of,
)
from .turn_tokens import read_turn
from .vocabulary import Vocabulary

RESULTS_BY_NAME: Final[Mapping[str, OrderResult | OrderNote]] = {
    result.value: result for result in (*OrderResult, *OrderNote)
}


class ServerReader:
    """Reads the messages of a server; with a map, units are the map's own objects."""

    def __init__(self, vocabulary: Vocabulary, board_map: Map | None = None) -> None:
        self._nouns: Final = OrderReader(vocabulary, board_map)

    def read(self, tokens: Tokens) -> ServerMessage:
        """Return the message that *tokens* are; raises `LanguageError`."""
        if tokens[:2] == (PRN, BRA) and tokens[-1] == KET:
            return BracketsRefused(tokens[2:-1])
        place = server_grammar().fault(tokens)
        if place is None:
            return _READERS[tokens[0]](self._nouns, parts(tokens))
        if not are_paired(tokens):
            raise BracketError(tokens)
        raise GrammarError(tokens, place)


def _hello(nouns: OrderReader, said: list[Tokens]) -> Hello:
    power, passcode, options = said
    return Hello(
        power=None if power[0] == UNO else nouns.powers(power)[0],
        passcode=value_of(passcode[0]),
        options=tuple(map(_option, parts(options))),
    )


def _option(tokens: Tokens) -> tuple[HelloOption, int | None]:
    option = BY_TOKEN[MNEMONICS[tokens[0]]]
    return option, value_of(tokens[1]) if tokens[1:] else None


def _position(nouns: OrderReader, said: list[Tokens]) -> CurrentPosition:
    turn, *units = said
    placed = [nouns.unit(unit) for unit in units if MRT not in unit]
    position = Position(
        turn=read_turn(turn),
        units=tuple(placed),
        owners={},
        dislodged=_retreats(nouns, units),
    )
    return CurrentPosition(position)


def _retreats(
    nouns: OrderReader, units: list[Tokens]
) -> Mapping[Unit, tuple[Location, ...]]:
    """Return the units of a list that must retreat, and where they may go."""
    found = {}
    for tokens in units:
        if MRT in tokens:
            place = tokens.index(MRT)
            unit = nouns.unit(tokens[:place])
            found[unit] = nouns.locations(tokens[place + 2 : -1])
    return found


def _ownership(nouns: OrderReader, said: list[Tokens]) -> Ownership:
    owners = {
        nouns.vocabulary.province(centre): nouns.vocabulary.power(owner)
        for owner, *centres in said
        if owner != UNO
        for centre in centres
    }
    return Ownership(owners)


def _missing(
    nouns: OrderReader, said: list[Tokens]
) -> MissingUnits | MissingRetreats | MissingAdjustments:
    if said and is_number(said[0][0]):
        return MissingAdjustments(value_of(said[0][0]))
    retreats = _retreats(nouns, said)
    return (
        MissingRetreats(retreats)
        if retreats
        else MissingUnits(tuple(map(nouns.unit, said)))
    )


def _noted(_: OrderReader, said: list[Tokens]) -> OrderNoted:
    return OrderNoted(said[0], OrderNote(MNEMONICS[said[1][0]]))


def _resulted(nouns: OrderReader, said: list[Tokens]) -> OrderResulted:
    turn, order, result = said
    report = Report(
        order=nouns.order(order),
        result=RESULTS_BY_NAME.get(MNEMONICS[result[0]]),
        dislodged=result[-1] == RET,
    )
    return OrderResulted(read_turn(turn), report)


def _negation(nouns: OrderReader, said: list[Tokens]) -> TimeStopped | BackInControl:
    inner = parts(said[0])[0]
    if said[0][0] == TME:
        return TimeStopped(value_of(inner[0]))
    return BackInControl(*nouns.powers(inner))


def _summary(nouns: OrderReader, said: list[Tokens]) -> Summary:
    turn, *players = said
    return Summary(read_turn(turn), tuple(_player(nouns, each) for each in players))


def _player(nouns: OrderReader, tokens: Tokens) -> PlayerSummary:
    name, version = parts(tokens)
    numbers = tokens[1 + len(name) + len(version) + len("()()") :]
    centres, *eliminated = map(value_of, numbers)
    return PlayerSummary(
        power=nouns.vocabulary.power(tokens[0]),
        name=text_of(name),
        version=text_of(version),
        centres=centres,
        eliminated=eliminated[0] if eliminated else None,
    )


def _press(nouns: OrderReader, said: list[Tokens]) -> PressDelivered:
    (sender,) = nouns.powers(said[0])
    return PressDelivered(sender, nouns.powers(said[1]), said[2])


_READERS: Final[
    Mapping[Token, Callable[[OrderReader, list[Tokens]], ServerMessage]]
] = {
    YES: lambda _, said: Accepted(said[0]),
    REJ: lambda _, said: Rejected(said[0]),
    MAP: lambda _, said: MapName(text_of(said[0])),
    HLO: _hello,
    NOW: _position,
    SCO: _ownership,
    THX: _noted,
    MIS: _missing,
    ORD: _resulted,
    SVE: lambda _, said: SaveGame(text_of(said[0])),
    LOD: lambda _, said: LoadGame(text_of(said[0])),
    OFF: lambda *_: SwitchOff(),
    TME: lambda _, said: TimeLeft(value_of(said[0][0])),
    HUH: lambda _, said: SyntaxRefused(said[0]),
    CCD: lambda nouns, said: InDisorder(*nouns.powers(said[0])),
    NOT: _negation,
    ADM: lambda _, said: Admin(text_of(said[0]), text_of(said[1])),
    SLO: lambda nouns, said: Solo(*nouns.powers(said[0])),
    DRW: lambda nouns, said: DrawDeclared(nouns.powers(said[0]) if said else None),
    SMR: _summary,
    OUT: lambda nouns, said: Out(*nouns.powers(said[0])),
    FRM: _press,
    MDF: lambda nouns, said: MapDefinition(read_map(said, nouns)),
}
