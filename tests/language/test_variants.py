"""The maps of the original server, in its own text, are understood."""

from typing import TypeVar

import pytest

from daide_server.board.names import UnitType
from daide_server.language.messages import CurrentPosition, MapDefinition, Ownership
from daide_server.language.reading import ServerReader
from daide_server.language.text import from_text
from daide_server.language.tokens import Token
from daide_server.language.vocabulary import Vocabulary
from daide_server.language.writing import Writer
from tests.support.shared import SHARED

T = TypeVar("T")
FOLDER = SHARED / "data" / "variants"

NAMES = sorted(path.stem for path in FOLDER.glob("*.mdf"))


def vocabulary(name: str) -> Vocabulary:
    _, *lines = (FOLDER / f"{name}.rem").read_text(encoding="latin-1").split()
    entries = (line.split(":") for line in lines)
    return Vocabulary.from_representation(
        [(Token(int(code, 16)), abbreviation) for code, abbreviation in entries]
    )


def read(name: str, kind: str, expected: type[T]) -> T:
    words = vocabulary(name)
    text = (FOLDER / f"{name}.{kind}").read_text(encoding="latin-1")
    message = ServerReader(words).read(from_text(text, words))
    assert isinstance(message, expected)
    return message


def test_the_variants_are_there() -> None:
    if not FOLDER.exists():
        pytest.skip(f"the original server's variants are not at {FOLDER}")
    assert len(NAMES) > 10


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
