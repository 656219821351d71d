"""The names in a .nam file."""

from daide_server.atlas.aiserver.definition import Titles, read_titles, write_titles
from daide_server.storage.variants import load_variant


def test_powers_come_first_then_provinces() -> None:
    text = "fra:France:French\r\nger: Germany\r\n\r\npar:Paris\r\nno name\r\n"

    assert read_titles(text) == Titles(
        powers={"FRA": "France", "GER": "Germany"},
        adjectives={"FRA": "French"},
        provinces={"PAR": "Paris"},
    )


def test_an_empty_file_has_no_names() -> None:
    assert read_titles("") == Titles({}, {}, {})


def test_what_is_written_is_read_back() -> None:
    standard = load_variant("standard")

    titles = read_titles(write_titles(standard))

    assert {**titles.powers, **titles.provinces} == standard.titles
    assert titles.adjectives == standard.adjectives
