"""Whatever clients and servers say is read, or answered with the place of its fault."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.daide.commands import client_grammar
from daide_server.daide.messages import MissingUnits, ServerMessage, SubmitOrders
from daide_server.daide.syntax import are_paired
from daide_server.daide.tokens import ERR, MAX_CACHED_TOKENS, MNEMONICS, Token, Tokens
from daide_server.daide.translation import ClientReader, LanguageError, ServerReader
from daide_server.daide.vocabulary import Vocabulary, from_text

VOCABULARY = Vocabulary.standard()
SERVER_READER = ServerReader(VOCABULARY)
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


def submitted(reader: ClientReader, text: str) -> SubmitOrders:
    message = reader.read(from_text(text, VOCABULARY))
    assert isinstance(message, SubmitOrders)
    return message


def test_places_outside_the_map_are_no_fault_of_the_language(
    reader: ClientReader,
) -> None:
    """They are answered with a note on the order, NSP."""
    (order,) = submitted(reader, "SUB ((ENG FLT 0x50FE) MTO 0x54FD)").orders
    assert order.as_sent == from_text("(ENG FLT 0x50FE) MTO 0x54FD", VOCABULARY)


def answer_to(reader: ClientReader, tokens: Tokens) -> Tokens | None:
    try:
        reader.read(tokens)
    except LanguageError as error:
        return error.reply.message
    return None


@given(MESSAGES)
def test_whatever_a_client_says_is_read_or_answered(
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


@given(MESSAGES)
def test_what_precedes_the_fault_could_have_gone_on(tokens: Tokens) -> None:
    """The longest faultless beginning does not depend on what follows it."""
    place = client_grammar(130).error_index(tokens)

    if place is not None and place < len(tokens):
        assert client_grammar(130).error_index(tokens[: place + 1]) == place
        assert client_grammar(130).error_index(tokens[:place]) in {None, place}


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
        said = submitted(reader, f"SUB ((ENG AMY LON) CTO BEL VIA ({route}))")
        return said.orders[0]

    assert order(3) is order(3)
    assert order(MAX_CACHED_TOKENS) is not order(MAX_CACHED_TOKENS)


def test_with_a_map_units_are_the_maps_own(standard: Variant) -> None:
    said = from_text("MIS (FRA AMY PAR)", VOCABULARY)
    message = ServerReader(VOCABULARY, standard.map).read(said)

    assert isinstance(message, MissingUnits)
    assert message.units[0] is standard.map.unit(
        Power("FRA"), UnitType.ARMY, Location(Province("PAR"))
    )


@pytest.mark.parametrize(
    "text", ["", "NME ('a') ('b')", "CCD (ENG) (FRA)", "MDF () ()", "NOW (1901)", "PRN"]
)
def test_what_no_server_says_is_an_error(text: str) -> None:
    with pytest.raises(LanguageError):
        SERVER_READER.read(from_text(text, VOCABULARY))


@given(st.lists(ANY_TOKENS, max_size=25).map(tuple))
def test_whatever_a_server_says_is_read_or_refused(tokens: Tokens) -> None:
    try:
        message = SERVER_READER.read(tokens)
    except LanguageError:
        return
    assert isinstance(message, ServerMessage)
