"""A map file that we write is read back as the same board, and a person can read it."""

import tomllib

import pytest

from daide_server.atlas.toml_writer import line_of, to_toml
from daide_server.board.map import Variant
from daide_server.board.map_reading import from_mapping
from daide_server.library.variants import load_variant, variant_names
from tests.atlas.boards import isle


def facts(variant: Variant) -> list[object]:
    board_map = variant.map
    return [
        *(variant.name, variant.start, variant.titles),
        *(variant.adjectives, variant.colours),
        *(board_map.powers, board_map.provinces, board_map.centres, board_map.homes),
        *(board_map.neighbours, board_map.majority, board_map.fixed_numbers),
    ]


@pytest.mark.parametrize("name", variant_names())
def test_every_board_is_read_back(name: str) -> None:
    variant = load_variant(name)
    again = from_mapping(tomllib.loads(to_toml(variant)))
    assert facts(again) == facts(variant)


def test_what_follows_from_the_rest_is_not_written() -> None:
    """No token, owner, victory or adjective that the map does not have."""
    text = to_toml(from_mapping(isle()))
    for key in ("token", "owns", "victory", "adjective", "colour"):
        assert key not in text
    assert (
        '\nILE = { name = "Island", centre = true, army = [], fleet = ["SEA"] }' in text
    )


def test_peculiar_facts_are_written() -> None:
    token = ("provinces ILE token", 0x5500)
    variant = from_mapping(isle(("victory", 1), ("powers RED owns", []), token))

    assert facts(from_mapping(tomllib.loads(to_toml(variant)))) == facts(variant)
    assert "token = 0x5500" in to_toml(variant)


def test_a_line_is_found_by_keys_in_tables_and_in_lines() -> None:
    text = (
        'name = "x"\n[powers]\nRED = { homes = [] }\n'
        "[provinces.ONE]\narmy = []\n[provinces]\n'TWO' = {}\n"
    )
    assert line_of(text, ("name",)) == 1
    assert line_of(text, ("powers", "RED", "homes")) == 3
    assert line_of(text, ("provinces", "ONE", "army")) == 5
    assert line_of(text, ("provinces", "ONE", "fleet")) == 4
    assert line_of(text, ("provinces", "TWO")) == 7
    assert line_of(text, ("victory",)) == 0
