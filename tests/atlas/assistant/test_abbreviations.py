"""Abbreviations for the assistant's regions and factions."""

from daide_server.atlas.assistant.from_regions import abbreviations


def test_a_nick_of_three_letters_is_kept() -> None:
    assert abbreviations([("Spa", "Spain"), ("q1z", "")]) == ["SPA", "Q1Z"]


def test_others_are_letters_of_the_name_in_order() -> None:
    assert abbreviations([("", "Spain"), ("N", "North Sea")]) == ["SPA", "NOR"]


def test_no_abbreviation_is_used_twice() -> None:
    found = abbreviations([("", "Spain"), ("Spa", "Other"), ("", "Spanish Sea")])

    assert found[1] == "SPA"
    assert len(set(found)) == 3


def test_a_short_name_is_filled() -> None:
    assert abbreviations([("", "O")]) == ["OXX"]
