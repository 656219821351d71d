from typing import TypeVar

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.variant import Variant
from daide_server.language.messages import CurrentPosition, MapDefinition, Ownership
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import MNEMONICS, NAR, Token
from daide_server.language.translation import ServerReader, Writer
from daide_server.language.vocabulary import DIALECTS, Vocabulary
from tests.support.data import original_boards

RING = Map(
    name="ring",
    powers=(Power("RED"), Power("TAN")),
    provinces=(Province("MID"), Province("SEA"), Province("NAR")),
    centres=frozenset({Province("NAR")}),
    homes={Power("RED"): frozenset({Province("NAR")}), Power("TAN"): frozenset()},
    neighbours={
        (UnitType.ARMY, Location(Province("MID"))): (Location(Province("NAR")),),
        (UnitType.FLEET, Location(Province("SEA"))): (Location(Province("NAR")),),
        (UnitType.ARMY, Location(Province("NAR"))): (Location(Province("MID")),),
        (UnitType.FLEET, Location(Province("NAR"))): (Location(Province("SEA")),),
    },
)


def test_the_standard_map_has_the_built_in_codes_and_sends_no_names(
    standard: Variant,
) -> None:
    """An RM with names would confuse clients that know the standard map."""
    vocabulary = Vocabulary.of(standard.map)

    assert vocabulary.powers == Vocabulary.standard().powers
    assert vocabulary.provinces == Vocabulary.standard().provinces
    assert vocabulary.representation == ()


def test_the_built_in_codes_are_those_of_the_protocol_document() -> None:
    vocabulary = Vocabulary.standard()

    assert vocabulary.power_token(Power("TUR")) == 0x4106
    assert vocabulary.province_token(Province("BOH")) == 0x5000
    assert vocabulary.province_token(Province("ECH")) == 0x5214
    assert vocabulary.province_token(Province("STP")) == 0x574A


def test_the_category_tells_terrain_and_centre() -> None:
    tokens = Vocabulary.of(RING).province_tokens

    assert tokens == {"MID": 0x5000, "SEA": 0x5201, "NAR": 0x5502}
    assert tuple(Vocabulary.of(RING).centre_tokens) == ("NAR",)


def test_another_map_names_all_powers_and_provinces() -> None:
    vocabulary = Vocabulary.of(RING)

    again = Vocabulary.from_representation(vocabulary.representation)

    assert (again.powers, again.provinces) == (vocabulary.powers, vocabulary.provinces)
    assert [name for _, name in vocabulary.representation] == [
        *RING.powers,
        *RING.provinces,
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


def test_no_names_mean_the_standard_ones() -> None:
    assert Vocabulary.from_representation(()).powers == Vocabulary.standard().powers


def test_a_word_of_the_language_that_a_province_is_named_like_has_its_code() -> None:
    """The original server had maps with a province NAR, and with an ANG."""
    vocabulary = Vocabulary.of(RING)

    assert vocabulary.tokens["NAR"] == 0x5502
    assert to_text((NAR, Token(0x5502)), vocabulary) == "0x4A26 NAR"


@given(st.integers(0, 0xFF))
def test_unknown_tokens_are_written_as_they_were_read(low: int) -> None:
    vocabulary = Vocabulary.of(RING)
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


T = TypeVar("T")
NAMES = sorted(original_boards())
Said = str | list["Said"]


def vocabulary(name: str) -> Vocabulary:
    tokens = original_boards()[name]["tokens"]
    return Vocabulary.from_representation(
        [(Token(int(code, 16)), abbreviation) for code, abbreviation in tokens.items()]
    )


def text(said: Said) -> str:
    """Return part of a message as files have it: brackets need no space around them."""
    if isinstance(said, str):
        return said
    return "({})".format(" ".join(map(text, said)).replace(" (", "("))


def read(name: str, kind: str, expected: type[T]) -> T:
    words = vocabulary(name)
    said = " ".join(map(text, original_boards()[name][kind]))
    message = ServerReader(words).read(from_text(said, words))
    assert isinstance(message, expected)
    return message


def test_the_variants_are_there() -> None:
    assert len(NAMES) == 22


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_is_read_and_written_again(name: str) -> None:
    words = vocabulary(name)
    reader, writer = ServerReader(words), Writer(words)

    definition = read(name, "mdf", MapDefinition)
    position = read(name, "now", CurrentPosition)
    owners = read(name, "sco", Ownership)

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


NAMED = [name for name in NAMES if vocabulary(name).representation]


@pytest.mark.parametrize("name", NAMED)
def test_the_tokens_of_a_map_are_those_that_the_original_server_gave(
    name: str,
) -> None:
    """Islands excepted: it took a land without army neighbours for a sea."""
    words = vocabulary(name)
    board_map = read(name, "mdf", MapDefinition).map
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
