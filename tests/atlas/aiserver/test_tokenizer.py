"""Messages as text are split into words and brackets, each with its line."""

import pytest

from daide_server.atlas.aiserver.definition import Bracketed, Word, read_message
from daide_server.atlas.checking import AtlasError


def test_words_are_capitals_with_their_lines() -> None:
    message = read_message("sco\n (fra par\n  bre)", "x.sco", "SCO")

    group = Bracketed((Word("FRA", 2), Word("PAR", 2), Word("BRE", 3)), 2)
    assert message == Bracketed((group,), 1)


def test_words_and_groups_of_a_group_are_separate() -> None:
    message = read_message("NOW (FRA FLT (STP NCS))", "x.now", "NOW")

    (unit,) = message.groups
    assert [word.text for word in unit.words] == ["FRA", "FLT"]
    assert [word.text for word in unit.groups[0].words] == ["STP", "NCS"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("MDF ()", "x.sco:1: found MDF, expected SCO"),
        ("(SCO)", "x.sco:1: found something else, expected SCO"),
        ("", "x.sco:1: found something else, expected SCO"),
        ("SCO\n(FRA", "x.sco:2: the bracket that opens here is not closed"),
        ("SCO (FRA)\n)", "x.sco:2: a bracket closes that was not open"),
    ],
)
def test_another_message_or_a_single_bracket_is_refused(text: str, fault: str) -> None:
    with pytest.raises(AtlasError) as caught:
        read_message(text, "x.sco", "SCO")
    assert str(caught.value) == fault
