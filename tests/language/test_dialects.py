"""Codes that programs disagree on: one message, named in each dialect."""

import pytest

from daide_server.language.dialects import DIALECTS
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import MNEMONICS
from daide_server.language.vocabulary import Vocabulary


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
