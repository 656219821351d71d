"""Colours of powers: told apart by everybody, and the text on them."""

import re
from itertools import combinations

import pytest

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.library.variants import load_variant, variant_names
from daide_server.pictures import palette
from tests.support.colour_distance import NORMAL, SIGHTS, ciede2000, contrast, distance

# Colours: players know them, and no two powers share one


def test_a_power_without_one_gets_a_free_colour(island: Variant) -> None:
    found = palette.colours(island)

    assert found[Power("BLU")] == "#0000ff"
    assert found[Power("RED")] not in {"#0000ff", *found.keys()}


@pytest.mark.parametrize("name", variant_names())
def test_colours_of_powers_are_distinct(name: str) -> None:
    variant = load_variant(name)
    found = palette.colours(variant)

    assert set(found) == set(variant.map.powers)
    assert len(set(found.values())) == len(found)


# Powers are told from each other by colour and letter, whatever one sees


LEAST = {7: (19.0, 12.5), 20: (15.0, 9.0)}
"""By number of powers: the least distance for all eyes, and for those of some."""


def test_the_distance_is_that_of_the_paper() -> None:
    """Pairs 1, 7 and 17 of the data that Sharma, Wu and Dalal published."""
    assert ciede2000((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(
        2.0425, abs=1e-4
    )
    assert ciede2000((50, 0, 0), (50, -1, 2)) == pytest.approx(2.3669, abs=1e-4)
    assert ciede2000((50, 2.5, 0), (73, 25, -18)) == pytest.approx(27.1492, abs=1e-4)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", variant_names())
def test_no_two_powers_of_a_board_look_alike(name: str, sight: str) -> None:
    powers = palette.palette(load_variant(name)).values()
    # Boards other than the standard one have colours like their file's.
    least = LEAST[20] if name not in {"standard", "1900"} else LEAST[7]
    needed = least[sight != NORMAL]
    for one, other in combinations(powers, 2):
        assert distance(one.light, other.light, sight) >= needed
        assert distance(one.dark, other.dark, sight) >= needed


@pytest.mark.parametrize("pair", palette.PAIRS)
def test_letters_can_be_read_on_badges(pair: tuple[str, str]) -> None:
    shown = palette.PowerColours(*pair)

    assert contrast(shown.light, palette.readable_ink(shown.light)) >= 4.5
    assert contrast(shown.dark, palette.readable_ink(shown.dark)) >= 4.5


@pytest.mark.parametrize("name", variant_names())
def test_letters_of_powers_are_distinct(name: str) -> None:
    variant = load_variant(name)
    found = palette.letters(variant)

    assert len(set(found.values())) == len(variant.map.powers)
    assert all(len(letter) <= 2 for letter in found.values())


def test_equal_initials_have_a_second_letter() -> None:
    found = palette.letters(load_variant("americas4"))

    assert [found[Power(each)] for each in ("COL", "CHL", "PER")] == ["Co", "Ch", "P"]


def test_the_style_sheet_has_both_schemes(standard: Variant) -> None:
    css = palette.palette_css(standard, "main")

    assert len(re.findall(r"main \.power-FRA\{--power:#0f81f8;", css)) == 1
    assert "prefers-color-scheme:dark" in css
