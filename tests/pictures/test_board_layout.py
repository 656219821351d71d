"""At 1280 pixels every name of every shipped board can be read."""

import math
from functools import cache
from itertools import combinations

import pytest

from daide_server.formats.phase_json.map_names import names_of
from daide_server.pictures.board_layout import (
    BOARD_WIDTHS,
    BoardLayout,
    board_layout,
    label_box,
    name_places,
)
from daide_server.pictures.crowding import Box
from daide_server.storage.pictures import load_picture
from daide_server.storage.variants import load_variant, variant_names

NEEDED_PIXELS = 9.0


@cache
def laid_out(name: str) -> tuple[BoardLayout, dict[str, Box]]:
    """Return the layout of a board, and the boxes of its names."""
    variant = load_variant(name)
    labels = names_of(variant.map).provinces
    found = board_layout(load_picture(variant), labels)
    boxes = {
        str(place): label_box(labels[place], at, found.font)
        for place, at in found.names.items()
    }
    return found, boxes


@pytest.mark.parametrize("name", variant_names())
def test_names_are_complete_large_enough_and_free(name: str) -> None:
    """No name is missing, under nine pixels, under another name or under a badge."""
    layout, boxes = laid_out(name)
    badges = [
        Box(at, layout.badge, layout.badge)
        for location, at in layout.units.items()
        if location.coast is None
    ]

    assert layout.missing == ()
    assert boxes.keys() == {str(at) for at in load_variant(name).map.provinces}
    assert layout.readable <= max(BOARD_WIDTHS) <= 1280 - 32
    assert layout.font * layout.readable / layout.picture.width >= NEEDED_PIXELS
    for one, other in combinations(boxes.items(), 2):
        assert not one[1].overlaps(other[1]), (one[0], other[0])
    for place, box in boxes.items():
        assert not any(box.overlaps(badge) for badge in badges), place


@pytest.mark.parametrize("name", variant_names())
def test_badges_are_22_pixels_and_apart(name: str) -> None:
    layout, _ = laid_out(name)
    spots = [at for location, at in layout.units.items() if location.coast is None]

    assert layout.badge * layout.readable / layout.picture.width >= 21.99
    for one, other in combinations(spots, 2):
        assert math.dist(one, other) >= layout.badge * 0.99


@pytest.mark.parametrize("name", ["colonial", "world", "sam53"])
def test_a_name_outside_its_province_has_a_line_to_it(name: str) -> None:
    layout, _ = laid_out(name)
    outside = {
        place
        for place, at in layout.names.items()
        if not layout.picture.covers(place, at)
        and math.dist(at, layout.picture.names[place]) > layout.font
    }

    assert outside == set(layout.leaders)
    assert len(outside) <= len(layout.names) // 8


@pytest.mark.parametrize("name", variant_names())
def test_names_in_static_pictures_are_free_of_each_other(name: str) -> None:
    picture = load_picture(load_variant(name))
    found = name_places(picture, 13.5, 25.2)
    boxes = [label_box(place, at, 13.5) for place, at in found.items()]

    assert found.keys() == picture.names.keys()
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
