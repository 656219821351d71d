import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.language.tokens import (
    GOF,
    KET,
    MAX_CACHED_TOKENS,
    MAX_ENTRIES,
    MAX_NUMBER,
    MIN_NUMBER,
    MNEMONICS,
    TOKENS_BY_NAME,
    BoundedCache,
    Token,
    category,
    is_cacheable,
    is_number,
    is_power,
    is_province,
    is_text,
    number,
    text_of,
    text_tokens,
    value_of,
)
from daide_server.language.vocabulary import Vocabulary
from tests.support.data import table


def test_every_code_is_that_of_the_documents() -> None:
    """The table has the tokens on which programs agree."""
    listed = {name: int(code, 16) for name, code in table("tokens")}
    known = dict(Vocabulary.standard().tokens)

    assert len(listed) == 212
    assert {name: known.get(name) for name in listed} == listed


def test_names_and_codes_are_one_to_one() -> None:
    assert len(TOKENS_BY_NAME) == len(MNEMONICS)
    assert TOKENS_BY_NAME[")"] == KET


@pytest.mark.parametrize(
    ("value", "code"),
    [(0, 0x0000), (1901, 0x076D), (8191, 0x1FFF), (-1, 0x3FFF), (-8192, 0x2000)],
)
def test_numbers_are_14_bits_in_twos_complement(value: int, code: int) -> None:
    assert number(value) == code


@given(st.integers(MIN_NUMBER, MAX_NUMBER))
def test_numbers_keep_their_value(value: int) -> None:
    assert value_of(number(value)) == value
    assert is_number(number(value))


@pytest.mark.parametrize("value", [8192, -8193])
def test_numbers_beyond_14_bits_are_refused(value: int) -> None:
    with pytest.raises(ValueError, match="14 bits"):
        number(value)


@given(st.text())
def test_strings_are_read_as_they_were_written(text: str) -> None:
    plain = "".join(c for c in text if not 0xF780 <= ord(c) <= 0xF7FF)
    assert text_of(text_tokens(plain)) == plain


@given(st.binary())
def test_any_bytes_are_sent_on_as_they_came(data: bytes) -> None:
    """Strings need not be UTF-8: what cannot be decoded is kept, and can be stored."""
    tokens = tuple(Token(0x4B00 | byte) for byte in data)

    assert text_tokens(text_of(tokens)) == tokens
    assert text_of(tokens).encode().decode() == text_of(tokens)


@given(st.integers(0, 0xFFFF))
def test_a_token_is_of_one_kind(code: int) -> None:
    token = Token(code)
    kinds = is_number(token), is_text(token), is_power(token), is_province(token)

    assert sum(kinds) <= 1
    assert category(token) == code // 256


def test_what_is_kept_is_bounded() -> None:
    """A client cannot fill the memory with orders for units that do not exist."""
    cache: BoundedCache[int, int] = BoundedCache()

    for count in range(MAX_ENTRIES + 5):
        assert cache.store(count, -count) == -count
        assert len(cache) <= MAX_ENTRIES
    assert cache[MAX_ENTRIES + 4] == -MAX_ENTRIES - 4


def test_only_short_orders_are_worth_keeping() -> None:
    """Else few long ones would fill as much as many short ones."""
    assert is_cacheable((GOF,) * MAX_CACHED_TOKENS)
    assert not is_cacheable((GOF,) * (MAX_CACHED_TOKENS + 1))
