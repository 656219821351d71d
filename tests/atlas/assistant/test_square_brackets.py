"""Square brackets around names and lists in statements."""

import pytest

from daide_server.atlas.assistant.statements import (
    bare,
    inside,
    listed,
    split_outside,
)


def test_a_name_loses_blanks_and_brackets() -> None:
    assert bare(" [ Spa ] ") == "Spa"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[Alb, Apu]", "Alb, Apu"), ("[Alb], [Apu]", "[Alb], [Apu]"), (" Alb ", "Alb")],
)
def test_only_brackets_around_everything_are_removed(text: str, expected: str) -> None:
    assert inside(text) == expected


def test_commas_in_brackets_do_not_separate() -> None:
    assert list(listed("[Mun: Boh, Ber], [Gal]")) == ["[Mun: Boh, Ber]", " [Gal]"]
    assert list(listed(" ")) == []


def test_a_text_is_split_at_the_first_mark_outside_brackets() -> None:
    assert split_outside("[a:b]:c:d", ":") == ("[a:b]", ":", "c:d")
    assert split_outside("[a:b]", ":") == ("[a:b]", "", "")
