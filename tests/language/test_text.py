import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.language.text import TextError, from_text, to_text, without_passcodes
from daide_server.language.tokens import (
    BRA,
    HUH,
    KET,
    NME,
    PRP,
    TEXT_CATEGORY,
    ULB,
    Token,
    number,
    text_tokens,
)
from daide_server.language.vocabulary import Vocabulary

VOCABULARY = Vocabulary.standard()
ANY_TOKENS = st.lists(st.integers(0, 0xFFFF).map(Token)).map(tuple)
TEXT_TOKENS = st.lists(st.integers(0x4B00, 0x4BFF).map(Token)).map(tuple)


@given(ANY_TOKENS | TEXT_TOKENS)
def test_any_tokens_are_read_as_they_were_printed(tokens: tuple[Token, ...]) -> None:
    assert from_text(to_text(tokens, VOCABULARY), VOCABULARY) == tokens


@given(st.text(alphabet="0123456789.+-eE", max_size=6))
def test_bounds_are_read_as_they_were_printed(digits: str) -> None:
    tokens = ULB, BRA, Token(0x4103), *text_tokens(digits), KET
    assert from_text(to_text(tokens, VOCABULARY), VOCABULARY) == tokens


def test_words_are_read_in_any_case_and_spacing() -> None:
    spaced = from_text("  prp(Pce ( ENG fra))", VOCABULARY)
    assert to_text(spaced, VOCABULARY) == "PRP ( PCE ( ENG FRA ) )"


def test_strings_stand_in_single_quotes() -> None:
    tokens = from_text(r"NME ('it\'s me') ('a\\b\x0A')", VOCABULARY)

    assert tokens[2:9] == text_tokens("it's me")
    assert to_text(tokens, VOCABULARY) == r"NME ( 'it\'s me' ) ( 'a\\b\x0A' )"


def test_a_bound_prints_without_quotes_and_is_read_with_or_without() -> None:
    plain = from_text("ULB (GER -0.8e3)", VOCABULARY)

    assert plain == from_text("ULB (GER '-0.8e3')", VOCABULARY)
    assert to_text(plain, VOCABULARY) == "ULB ( GER -0.8e3 )"


def test_numbers_and_unknown_tokens() -> None:
    tokens = from_text("-3 0x4afe 0x50FE 1901", VOCABULARY)

    assert tokens == (number(-3), 0x4AFE, 0x50FE, number(1901))
    assert to_text(tokens, VOCABULARY) == "-3 0x4AFE 0x50FE 1901"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("PRP (FOO)", "'FOO'"),
        ("NME ('a", "character 5"),
        ("HST 9999", "14 bits"),
        ("YES {", "character 4"),
        ("YES {(PRP (DRW", r"^cannot read '{\(PRP \(DRW' at character 4$"),
    ],
)
def test_what_is_no_message_is_refused_with_its_place(
    text: str, complaint: str
) -> None:
    with pytest.raises(TextError, match=complaint):
        from_text(text, VOCABULARY)


def test_the_tokens_are_those_of_the_constants() -> None:
    assert from_text("PRP NME HUH", VOCABULARY) == (PRP, NME, HUH)


@given(st.binary(min_size=1, max_size=30))
def test_what_is_printed_of_any_string_can_be_read_again(data: bytes) -> None:
    """As one printable line, also of bytes that are no text."""
    tokens = (BRA, *(Token(TEXT_CATEGORY << 8 | byte) for byte in data), KET)
    text = to_text(tokens, VOCABULARY)
    assert text.isprintable()
    assert from_text(text, VOCABULARY) == tokens


@pytest.mark.parametrize("byte", range(0x80, 0x100))
def test_every_byte_has_an_escape(byte: int) -> None:
    """A byte that is no UTF-8, and the character of that code."""
    for data in (bytes([byte]), chr(byte).encode()):
        tokens = tuple(Token(TEXT_CATEGORY << 8 | each) for each in data)
        text = to_text(tokens, VOCABULARY)
        assert text.isprintable()
        assert from_text(text, VOCABULARY) == tokens


NAMES = Vocabulary.standard()


@pytest.mark.parametrize(
    "said",
    [
        "HLO ( FRA ) ( {} ) ( ( LVL 10 ) ( MTL 60 ) )",
        "IAM ( FRA ) ( {} )",
        "REJ ( IAM ( FRA ) ( {} ) )",
        "PRN ( IAM ( FRA ( {} ) )",
        "HUH ( IAM ERR ( {} ) ( FRA ) )",
        "HUH ( IAM ( FRA ) ( {} ) ERR ( 5 ) )",
    ],
)
def test_a_passcode_is_not_shown(said: str) -> None:
    """Also where the server quotes it, and where it stands in a wrong place."""
    tokens = from_text(said.format(1234), NAMES)
    assert to_text(without_passcodes(tokens), NAMES) == said.format(0)


@pytest.mark.parametrize(
    "said",
    ["TME ( 1234 )", "HLO", "REJ ( HLO )", "SUB ( SPR 1901 ) ( ( FRA AMY PAR ) HLD )"],
)
def test_other_numbers_are(said: str) -> None:
    tokens = from_text(said, NAMES)
    assert without_passcodes(tokens) == tokens
