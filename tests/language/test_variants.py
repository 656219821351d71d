"""The maps of the original server are understood, spelled as it spelled them."""

from typing import TypeVar

import pytest

from daide_server.board.names import UnitType
from daide_server.language.messages import CurrentPosition, MapDefinition, Ownership
from daide_server.language.server_reader import ServerReader
from daide_server.language.text import from_text
from daide_server.language.tokens import Token
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writer import Writer
from tests.support.data import original_boards

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
