"""What tests of the language share."""

from collections.abc import Callable

import pytest

from daide_server.board.map import Variant
from daide_server.daide.translation import ClientReader, LanguageError, Writer
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text

Answers = Callable[..., str]


def lines(text: str) -> list[tuple[int, str]]:
    """Return the lines `LEVEL: PRESS` of *text*."""
    split = (line.strip().partition(": ") for line in text.strip().splitlines())
    return [(int(level), said) for level, _, said in split]


@pytest.fixture(scope="session")
def vocabulary(standard: Variant) -> Vocabulary:
    """Return the vocabulary of the standard map."""
    return Vocabulary.of(standard.map)


@pytest.fixture(scope="session")
def answer(standard: Variant, vocabulary: Vocabulary) -> Answers:
    """Return what a server answers to a text whose language is wrong: `''` if none."""
    writer = Writer(vocabulary)

    def read(
        text: str, level: int = 0, *, partial_draws: bool = False, strict: bool = False
    ) -> str:
        reader = ClientReader(
            vocabulary, standard.map, level, partial_draws=partial_draws, strict=strict
        )
        try:
            reader.read(from_text(text, vocabulary))
        except LanguageError as error:
            return to_text(writer.write(error.reply), vocabulary)
        return ""

    return read
