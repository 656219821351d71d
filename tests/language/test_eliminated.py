"""Which press names powers that it must not name."""

import pytest

from daide_server.language.eliminated import eliminated_place
from daide_server.language.text import from_text
from daide_server.language.vocabulary import Vocabulary

WORDS = Vocabulary.standard()


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("PRP (PCE (FRA ENG))", None),
        ("PRP (PCE (FRA TUR ENG))", 5),
        ("THK (NOT (SLO (TUR)))", 6),
        ("HOW (TUR)", 2),
        ("YES (PRP (PCE (FRA TUR)))", None),
        ("THK (QRY (SLO (TUR)))", None),
        ("FCT (NOT (QRY (SLO (TUR))))", None),
    ],
)
def test_new_press_must_not_name_who_is_out(content: str, place: int | None) -> None:
    """An answer repeats what it answers."""
    out = {WORDS.tokens["TUR"]}
    assert eliminated_place(from_text(content, WORDS), out) == place
