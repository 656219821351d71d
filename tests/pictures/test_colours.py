"""Colours: players know them, and no two powers share one."""

import pytest

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.pictures.colours import LAND, USUAL_COLOURS, colours, mixed
from daide_server.storage.variants import load_variant, variant_names


def test_a_power_has_the_colour_of_its_file(island: Variant) -> None:
    assert colours(island)[Power("BLU")] == "#0000ff"


def test_a_power_without_one_gets_a_free_colour(island: Variant) -> None:
    found = colours(island)

    assert found[Power("RED")] not in {"#0000ff", *found.keys()}


@pytest.mark.parametrize("name", variant_names())
def test_colours_of_powers_are_distinct(name: str) -> None:
    variant = load_variant(name)
    found = colours(variant)

    assert set(found) == set(variant.map.powers)
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("colour", USUAL_COLOURS.values())
def test_a_mixture_is_between_its_parts(colour: str) -> None:
    assert mixed(colour, LAND, 0) == LAND
    assert mixed(colour, LAND, 1) == colour
    assert mixed(colour, LAND, 0.5) not in {colour, LAND}
