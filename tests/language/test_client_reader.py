import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Power
from daide_server.language.commands import client_grammar
from daide_server.language.messages import (
    AcceptMap,
    Admin,
    AnswerSave,
    AskHistory,
    CancelOrders,
    CancelTime,
    ClientMessage,
    Go,
    Name,
    RefuseLoad,
    Rejoin,
    RequestTime,
    SubmitOrders,
    VoteDraw,
    Wait,
    WithdrawDraw,
)
from daide_server.language.syntax import are_paired
from daide_server.language.tokens import (
    ERR,
    MAX_CACHED_TOKENS,
    MNEMONICS,
    Token,
    Tokens,
)
from daide_server.language.translation import (
    ClientReader,
    LanguageError,
)
from daide_server.language.vocabulary import Vocabulary, from_text

ENGLAND, FRANCE, GERMANY = Power("ENG"), Power("FRA"), Power("GER")
SPRING = Turn(Season.SPRING, 1901)

VOCABULARY = Vocabulary.standard()
WORDS = [
    *from_text("( ) ( ) ( ) ( ) SUB SUB NOT GOF SND FRA ENG AMY FLT", VOCABULARY),
    *from_text("LON NTH (STP NCS) HLD MTO SUP WVE SPR 1901 PRP PCE DRW", VOCABULARY),
    *from_text("'text' YES REJ MAP HUH PRN TME 0x4AFE 0x50FE AND", VOCABULARY),
]
ANY_TOKENS = st.integers(0, 0xFFFF).map(Token) | st.sampled_from(sorted(MNEMONICS))
MESSAGES = st.lists(st.sampled_from(WORDS) | ANY_TOKENS, max_size=40).map(tuple)


@pytest.fixture(scope="module")
def reader(standard: Variant) -> ClientReader:
    return ClientReader(VOCABULARY, standard.map, 130)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NME ('Albert') ('v6')", Name("Albert", "v6")),
        ("IAM (FRA) (1234)", Rejoin(FRANCE, 1234)),
        ("YES (MAP ('standard'))", AcceptMap("standard")),
        ("REJ (LOD ('game1'))", RefuseLoad("game1")),
        ("REJ (SVE ('game1'))", AnswerSave("game1", saved=False)),
        ("HST", AskHistory(None)),
        ("HST (SPR 1901)", AskHistory(SPRING)),
        ("NOT (SUB)", CancelOrders()),
        ("GOF", Go()),
        ("NOT (GOF)", Wait()),
        ("TME (-5)", RequestTime(-5)),
        ("NOT (TME)", CancelTime(None)),
        ("NOT (TME (60))", CancelTime(60)),
        ("DRW", VoteDraw(None)),
        ("DRW (ENG FRA)", VoteDraw((ENGLAND, FRANCE))),
        ("NOT (DRW (ENG FRA))", WithdrawDraw((ENGLAND, FRANCE))),
        ("ADM ('Me') ('Hi')", Admin("Me", "Hi")),
        ("IAM (0x4109) (1)", Rejoin(Power("0x4109"), 1)),
    ],
)
def test_messages_are_read_as_what_they_mean(
    reader: ClientReader, text: str, message: ClientMessage
) -> None:
    assert reader.read(from_text(text, VOCABULARY)) == message


def test_orders_travel_with_the_tokens_that_said_them(reader: ClientReader) -> None:
    """THX repeats each order as it was sent."""
    first, second = "(ENG FLT LON) MTO NTH", "(ENG FLT EDI) SUP (ENG FLT LON) MTO NTH"

    message = reader.read(from_text(f"SUB ({first}) ({second})", VOCABULARY))

    assert isinstance(message, SubmitOrders)
    assert message.turn is None
    assert [order.as_sent for order in message.orders] == [
        from_text(first, VOCABULARY),
        from_text(second, VOCABULARY),
    ]


def test_orders_may_name_their_turn(reader: ClientReader) -> None:
    plain = reader.read(from_text("SUB (ENG WVE)", VOCABULARY))
    dated = reader.read(from_text("SUB (SPR 1901) (ENG WVE)", VOCABULARY))

    assert isinstance(plain, SubmitOrders)
    assert dated == SubmitOrders(SPRING, plain.orders)


def test_places_outside_the_map_are_no_fault_of_the_language(
    reader: ClientReader,
) -> None:
    """They are answered with a note on the order, NSP."""
    tokens = from_text("SUB ((ENG FLT 0x50FE) MTO 0x54FD)", VOCABULARY)

    message = reader.read(tokens)

    assert isinstance(message, SubmitOrders)
    assert message.orders[0].as_sent == tokens[2:-1]


def answer_to(reader: ClientReader, tokens: Tokens) -> Tokens | None:
    try:
        reader.read(tokens)
    except LanguageError as error:
        return error.reply.message
    return None


@given(MESSAGES)
def test_whatever_is_said_is_read_or_answered(
    reader: ClientReader, tokens: Tokens
) -> None:
    """An answer quotes the message: as it is, or with one ERR inserted."""
    quoted = answer_to(reader, tokens)

    if quoted is not None and are_paired(tokens):
        assert len(quoted) == len(tokens) + 1
        assert any(
            quoted[:place] + quoted[place + 1 :] == tokens
            for place, token in enumerate(quoted)
            if token == ERR
        )
    elif quoted is not None:
        assert quoted == tokens


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_orders_are_read_exactly_if_the_grammar_allows_them(
    reader: ClientReader, words: list[Token]
) -> None:
    """The short way that SUB takes is the grammar's."""
    said = from_text("SUB ((ENG FLT LON)", VOCABULARY)
    for tokens in ((*said[:1], *words), (*said, *words, *said[-1:])):
        is_allowed = client_grammar(130).error_index(tokens) is None
        assert (answer_to(reader, tokens) is None) is is_allowed


def test_brackets_nested_beyond_any_use_are_read_all_the_same(
    reader: ClientReader,
) -> None:
    depth = 4000
    inner = "NOT (" * depth + "DRW" + ")" * depth
    tokens = from_text(f"SND (FRA) (PRP ({inner}))", VOCABULARY)

    assert answer_to(reader, tokens) is None
    assert answer_to(reader, tokens[:-1]) == tokens[:-1]


def test_an_order_with_a_very_long_route_is_not_kept(reader: ClientReader) -> None:
    """A client cannot fill the memory with them; all others are the same object."""

    def order(seas: int) -> object:
        route = " ".join(["NTH"] * seas)
        text = f"SUB ((ENG AMY LON) CTO BEL VIA ({route}))"
        message = reader.read(from_text(text, VOCABULARY))
        assert isinstance(message, SubmitOrders)
        return message.orders[0]

    assert order(3) is order(3)
    assert order(MAX_CACHED_TOKENS) is not order(MAX_CACHED_TOKENS)
