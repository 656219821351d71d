"""Schematic pictures: any map, all neighbours linked, no discs on each other."""

import math
from itertools import combinations

import pytest

from daide_server.board.variant import Variant
from daide_server.pictures.schematic import RADIUS, schematic
from daide_server.storage.variants import load_variant


@pytest.mark.parametrize("name", ["standard", "hundred3", "pure"])
def test_neighbours_are_linked_and_others_are_not(name: str) -> None:
    board_map = load_variant(name).map
    wanted = {
        frozenset((at.province, to.province))
        for (_, at), places in board_map.neighbours.items()
        for to in places
        if to.province != at.province
    }

    assert set(map(frozenset, schematic(board_map).links)) == wanted


@pytest.mark.parametrize("name", ["standard", "pure"])
def test_discs_do_not_hide_each_other(name: str) -> None:
    picture = schematic(load_variant(name).map)

    nearest = min(math.dist(*pair) for pair in combinations(picture.names.values(), 2))
    assert nearest > RADIUS


def test_everything_is_inside_the_frame(island: Variant) -> None:
    picture = schematic(island.map)

    for arc in picture.arcs:
        for x, y in arc:
            assert 0 < x < picture.width
            assert 0 < y < picture.height


def test_places_between_which_there_is_no_way_are_drawn(standard: Variant) -> None:
    """A map in two parts is odd, and still can be looked at."""
    board_map = standard.map
    apart = type(board_map)(
        name="apart",
        powers=(),
        provinces=board_map.provinces[:3],
        centres=frozenset(),
        homes={},
        neighbours={},
    )

    assert set(schematic(apart).faces) == set(board_map.provinces[:3])
