"""Passcodes are not shown, wherever a message has them."""

import pytest

from daide_server.language.passcodes import without_passcodes
from daide_server.language.text import from_text, to_text
from daide_server.language.vocabulary import Vocabulary

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
