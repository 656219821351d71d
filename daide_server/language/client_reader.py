"""Reads what clients say to a server."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from daide_server.board.map import Map

from .brackets import are_paired, only_parts, parts
from .commands import client_grammar, order_grammar
from .errors import BracketError, GrammarError
from .grammar import Grammar
from .keeping import is_short, kept
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
    SubmittedOrder,
    VoteDraw,
    Wait,
    WithdrawDraw,
)
from .order_syntax import OrderReader
from .press import APPENDIX
from .press_grammar import PressGrammar
from .tokens import (
    ADM,
    DRW,
    GOF,
    HLO,
    HST,
    HUH,
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
    PRN,
    REJ,
    SCO,
    SND,
    SUB,
    TME,
    YES,
    Token,
    Tokens,
    text_of,
    value_of,
)
from .turn_tokens import is_turn, read_turn
from .vocabulary import Vocabulary


class ClientReader:
    """Reads the messages of clients on one map, at one level.

    It may be shared by all clients and games of that map and level.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        map: Map,  # noqa: A002, the word of the field
        level: int,
        *,
        partial_draws: bool = False,
        strict: bool = False,
    ) -> None:
        self._level: Final = level
        self._strict: Final = strict
        self._partial_draws: Final = partial_draws
        self._nouns: Final = OrderReader(vocabulary, map)
        self._orders: Final[dict[Tokens, SubmittedOrder]] = {}

    def read(self, tokens: Tokens) -> ClientMessage:
        """Return the message that *tokens* are; raises `LanguageError`."""
        command = tokens[0] if tokens else None
        if command == SUB:
            submission = self._submission(tokens)
            if submission is not None:
                return submission
        elif command in (PRN, HUH):
            # These are never answered, so they may be as wrong as they like.
            return Complaint(tokens)
        self._check(tokens)
        return _READERS[tokens[0]](self._nouns, parts(tokens))

    @cached_property
    def _press(self) -> PressGrammar:
        return PressGrammar(
            self._level,
            self._nouns.vocabulary,
            partial_draws=self._partial_draws,
            strict=self._strict,
        )

    @cached_property
    def _commands(self) -> Grammar:
        return client_grammar(self._level, strict=self._strict)

    def _check(self, tokens: Tokens) -> None:
        is_press = tokens[:1] == (SND,) and self._level >= APPENDIX[0].number
        grammar = self._press if is_press else self._commands
        place = grammar.fault(tokens)
        if place is None:
            return
        if not are_paired(tokens):
            raise BracketError(tokens)
        raise GrammarError(tokens, place)

    # SUB is most of what bots say: the same orders come again and again, and the
    # grammar is asked only about new ones, and where ERR belongs.

    def _submission(self, tokens: Tokens) -> SubmitOrders | None:
        """Return the orders of a SUB, or `None` if something is wrong with it."""
        said = only_parts(tokens[1:])
        if not said:
            return None
        turn = read_turn(said.pop(0)) if is_turn(said[0]) else None
        orders: list[SubmittedOrder] = []
        for each in said:
            order = self._orders.get(each) or self._submitted(each)
            if order is None:
                return None
            orders.append(order)
        return SubmitOrders(turn, tuple(orders)) if orders else None

    def _submitted(self, tokens: Tokens) -> SubmittedOrder | None:
        if order_grammar().fault(tokens) is not None:
            return None
        order = SubmittedOrder(self._nouns.order(tokens), tokens)
        return kept(self._orders, tokens, order) if is_short(tokens) else order


# What has passed the grammar is read without looking back: from what the brackets
# after the command enclose.


def _rejoining(nouns: OrderReader, said: list[Tokens]) -> Rejoin:
    return Rejoin(nouns.powers(said[0])[0], value_of(said[1][0]))


def _agreement(_: OrderReader, said: list[Tokens]) -> AcceptMap | AnswerSave:
    name = text_of(parts(said[0])[0])
    return AcceptMap(name) if said[0][0] == MAP else AnswerSave(name, saved=True)


def _refusal(_: OrderReader, said: list[Tokens]) -> ClientMessage:
    name = text_of(parts(said[0])[0])
    command = said[0][0]
    if command == MAP:
        return RefuseMap(name)
    return RefuseLoad(name) if command == LOD else AnswerSave(name, saved=False)


def _history(_: OrderReader, said: list[Tokens]) -> AskHistory:
    return AskHistory(read_turn(said[0]) if said else None)


def _time(_: OrderReader, said: list[Tokens]) -> AskTime | RequestTime:
    return RequestTime(value_of(said[0][0])) if said else AskTime()


def _draw(nouns: OrderReader, said: list[Tokens]) -> VoteDraw:
    return VoteDraw(nouns.powers(said[0]) if said else None)


def _press(nouns: OrderReader, said: list[Tokens]) -> SendPress:
    turn = read_turn(said[0]) if is_turn(said[0]) else None
    return SendPress(turn, nouns.powers(said[-2]), said[-1])


def _negation(nouns: OrderReader, said: list[Tokens]) -> ClientMessage:
    return _NEGATED[said[0][0]](nouns, parts(said[0]))


def _cancelled_orders(
    nouns: OrderReader, said: list[Tokens]
) -> CancelOrders | CancelOrder:
    return CancelOrder(nouns.order(said[0])) if said else CancelOrders()


def _cancelled_time(_: OrderReader, said: list[Tokens]) -> CancelTime:
    return CancelTime(value_of(said[0][0]) if said else None)


def _withdrawn_draw(nouns: OrderReader, said: list[Tokens]) -> WithdrawDraw:
    return WithdrawDraw(nouns.powers(said[0]) if said else None)


_Readers = Mapping[Token, Callable[[OrderReader, list[Tokens]], ClientMessage]]

_READERS: Final[_Readers] = {
    NME: lambda _, said: Name(text_of(said[0]), text_of(said[1])),
    OBS: lambda *_: Observe(),
    IAM: _rejoining,
    MAP: lambda *_: AskMap(),
    MDF: lambda *_: AskMapDefinition(),
    YES: _agreement,
    REJ: _refusal,
    NOW: lambda *_: AskPosition(),
    SCO: lambda *_: AskOwnership(),
    HST: _history,
    TME: _time,
    ADM: lambda _, said: Admin(text_of(said[0]), text_of(said[1])),
    HLO: lambda *_: AskHello(),
    NOT: _negation,
    MIS: lambda *_: AskMissing(),
    GOF: lambda *_: Go(),
    ORD: lambda *_: AskResults(),
    DRW: _draw,
    SND: _press,
}

_NEGATED: Final[_Readers] = {
    SUB: _cancelled_orders,
    GOF: lambda *_: Wait(),
    DRW: _withdrawn_draw,
    TME: _cancelled_time,
}
