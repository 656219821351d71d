"""Tokens, their names on each map and in each dialect, and messages as text."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Variant
from daide_server.board.names import Province, UnitType
from daide_server.daide import tokens
from daide_server.daide.messages import CurrentPosition, MapDefinition, Ownership
from daide_server.daide.tokens import (
    BRA,
    KET,
    MAX_ENTRIES,
    MAX_NUMBER,
    MIN_NUMBER,
    MNEMONICS,
    NAR,
    ULB,
    BoundedCache,
    Token,
    category,
    is_number,
    is_power,
    is_province,
    is_text,
    number,
    text_of,
    text_tokens,
    value_of,
)
from daide_server.daide.translation import ServerReader, Writer
from daide_server.daide.vocabulary import (
    DIALECTS,
    TextError,
    Vocabulary,
    from_text,
    to_text,
    without_passcodes,
)
from daide_server.library.variants import load_variant
from tests.support.data import original_boards, original_message, original_words, table

SAILHO = load_variant("sailho").map
"""A board of 60 provinces, one of which is called NAR."""


def test_the_standard_map_has_the_built_in_codes_and_sends_no_names(
    standard: Variant,
) -> None:
    """An RM with names would confuse clients that know the standard map."""
    vocabulary = Vocabulary.of(standard.map)

    assert vocabulary.powers == Vocabulary.standard().powers
    assert vocabulary.provinces == Vocabulary.standard().provinces
    assert vocabulary.representation == ()


def test_another_map_names_all_powers_and_provinces() -> None:
    vocabulary = Vocabulary.of(SAILHO)

    again = Vocabulary.from_representation(vocabulary.representation)

    assert (again.powers, again.provinces) == (vocabulary.powers, vocabulary.provinces)
    assert [name for _, name in vocabulary.representation] == [
        *SAILHO.powers,
        *SAILHO.provinces,
    ]


def test_the_standard_provinces_with_fewer_powers_are_another_map(
    standard: Variant,
) -> None:
    """A client has to hear which powers there are."""
    board_map = standard.map
    two = evolve(board_map, powers=board_map.powers[:2])
    names = [name for _, name in Vocabulary.of(two).representation]
    assert names[:2] == list(two.powers)
    assert len(names) == 2 + len(two.provinces)


def test_a_word_of_the_language_that_a_province_is_named_like_has_its_code() -> None:
    """The original server had maps with a province NAR, and with an ANG."""
    vocabulary = Vocabulary.of(SAILHO)

    assert vocabulary.tokens["NAR"] == 0x5211
    assert to_text((NAR, Token(0x5211)), vocabulary) == "0x4A26 NAR"


@given(st.integers(0, 0xFF))
def test_unknown_tokens_are_written_as_they_were_read(low: int) -> None:
    vocabulary = Vocabulary.of(SAILHO)
    power, province = Token(0x4100 | low), Token(0x5400 | low)

    assert vocabulary.power_token(vocabulary.power(power)) == power
    assert vocabulary.province_token(vocabulary.province(province)) == province


def test_a_name_that_is_none_is_an_error() -> None:
    with pytest.raises(ValueError, match="'XYZ'"):
        Vocabulary.standard().province_token(Province("XYZ"))


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("norman", "FCT FOR FWD CCL NAR"),
        ("parlance", "FWD FCT FOR CCL NAR"),
        ("diplomacy", "FCT FOR FWD NAR CCL"),
    ],
)
def test_the_codes_of_each_dialect(dialect: str, text: str) -> None:
    """0x4A06 to 0x4A08, 0x4A25 and 0x4A26; both ways."""
    vocabulary = Vocabulary.standard().in_dialect(dialect)
    tokens = from_text("0x4A06 0x4A07 0x4A08 0x4A25 0x4A26", vocabulary)

    assert to_text(tokens, vocabulary) == text
    assert from_text(text, vocabulary) == tokens


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_the_same_words(dialect: str) -> None:
    """None is lost, none is there twice, and only those five have other codes."""
    words = DIALECTS[dialect]

    assert sorted(words.values()) == sorted(MNEMONICS.values())
    assert words.keys() == MNEMONICS.keys()
    different = {token for token in words if words[token] != MNEMONICS[token]}
    assert different <= {0x4A06, 0x4A07, 0x4A08, 0x4A25, 0x4A26}


NAMES = sorted(original_boards())


def test_all_variants_of_the_original_are_tested() -> None:
    assert len(NAMES) == 22


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_is_read_and_written_again(name: str) -> None:
    words = original_words(name)
    reader, writer = ServerReader(words), Writer(words)

    definition = original_message(name, "mdf", MapDefinition)
    position = original_message(name, "now", CurrentPosition)
    owners = original_message(name, "sco", Ownership)

    again = reader.read(writer.write(definition))
    assert isinstance(again, MapDefinition)
    assert dict(again.map.neighbours) == dict(definition.map.neighbours)
    assert again.map.homes == definition.map.homes
    assert all(
        definition.map.can_stand(unit.type, unit.location)
        for unit in position.position.units
    )
    assert set(owners.owners) <= definition.map.centres
    assert reader.read(writer.write(position)) == position
    assert reader.read(writer.write(owners)) == owners
    assert len(writer.write(definition)) * 2 <= 32766


NAMED = [name for name in NAMES if original_words(name).representation]


@pytest.mark.parametrize("name", NAMED)
def test_the_tokens_of_a_map_are_those_that_the_original_server_gave(name: str) -> None:
    """Islands excepted: it took a land without army neighbours for a sea."""
    words = original_words(name)
    board_map = original_message(name, "mdf", MapDefinition).map
    islands = {
        at.province
        for (kind, at), places in board_map.neighbours.items()
        if kind is UnitType.ARMY and not places
    }
    expected = {
        token: province
        for token, province in words.provinces.items()
        if province not in islands
    }
    assert expected.items() <= Vocabulary.of(board_map).provinces.items()


def test_every_code_is_that_of_the_documents() -> None:
    """The table has the tokens on which programs agree."""
    listed = {name: int(code, 16) for name, code in table("tokens")}
    known = dict(Vocabulary.standard().tokens)

    assert len(listed) == 212
    assert {name: known.get(name) for name in listed} == listed


def test_constants_have_the_tokens_of_their_names() -> None:
    constants = {
        name: token
        for name, token in vars(tokens).items()
        if name.isupper() and len(name) == 3 and name not in {"BRA", "KET"}
    }
    assert constants
    assert constants == {name: tokens.TOKENS_BY_NAME[name] for name in constants}


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


VOCABULARY = Vocabulary.standard()
ANY_TOKENS = st.lists(st.integers(0, 0xFFFF).map(Token)).map(tuple)
TEXT_TOKENS = st.lists(st.integers(0x4B00, 0x4BFF).map(Token)).map(tuple)


@given(ANY_TOKENS | TEXT_TOKENS | TEXT_TOKENS.map(lambda text: (BRA, *text, KET)))
def test_any_tokens_are_read_as_they_were_printed(tokens: tuple[Token, ...]) -> None:
    """In one printable line, also of bytes that are no text."""
    printed = to_text(tokens, VOCABULARY)

    assert printed.isprintable()
    assert from_text(printed, VOCABULARY) == tokens


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


@pytest.mark.parametrize(
    "said",
    [
        "HLO ( FRA ) ( {} ) ( ( LVL 10 ) ( MTL 60 ) )",
        "IAM ( FRA ) ( {} )",
        "REJ ( IAM ( FRA ) ( {} ) )",
        "PRN ( IAM ( FRA ( {} ) )",
        "HUH ( IAM ERR ( {} ) ( FRA ) )",
        "HUH ( IAM ( FRA ) ( {} ) ERR ( 5 ) )",
        "TME ( 1234 )",
        "HLO",
        "REJ ( HLO )",
        "SUB ( SPR 1901 ) ( ( FRA AMY PAR ) HLD )",
    ],
)
def test_passcodes_alone_are_not_shown(said: str) -> None:
    """Also where the server quotes it, and where it stands in a wrong place."""
    tokens = from_text(said.format(1234), VOCABULARY)
    assert to_text(without_passcodes(tokens), VOCABULARY) == said.format(0)
