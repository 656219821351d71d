"""Signs are moved as little as is needed, and never on top of each other."""

import math
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from daide_server.pictures.crowding import (
    Box,
    BoxIndex,
    Canvas,
    Sign,
    places,
    separated,
)

CANVAS = Canvas(400.0, 300.0)
POINTS = st.tuples(st.integers(0, 400), st.integers(0, 300))


def sign(key: str, at: tuple[float, float]) -> Sign:
    return Sign(key, Box(at, 30.0, 10.0), lambda place: math.dist(place, at))


@given(st.lists(POINTS, max_size=15))
def test_no_two_signs_overlap(points: list[tuple[int, int]]) -> None:
    signs = [sign(str(number), at) for number, at in enumerate(points)]
    found = places(signs, BoxIndex(), CANVAS)
    boxes = [Box(at, 30.0, 10.0) for at in found.values()]

    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(CANVAS.holds(box) for box in boxes)


def test_a_sign_with_room_stays() -> None:
    found = places([sign("a", (100, 100)), sign("b", (200, 100))], BoxIndex(), CANVAS)

    assert found == {"a": (100, 100), "b": (200, 100)}


def test_a_sign_goes_to_the_nearest_free_place() -> None:
    found = places([sign("a", (100, 100)), sign("b", (100, 100))], BoxIndex(), CANVAS)

    assert math.dist(found["b"], (100, 100)) <= 15


def test_a_sign_without_room_is_left_out() -> None:
    full = BoxIndex([Box((200, 150), 400, 300)])

    assert places([sign("a", (100, 100))], full, CANVAS) == {}


def test_badges_are_pushed_apart() -> None:
    found = separated({"a": (100.0, 100.0), "b": (104.0, 100.0), "c": (300.0, 9.0)}, 20)

    assert math.dist(found["a"], found["b"]) >= 19.9
    assert found["c"] == (300.0, 9.0)


def test_two_badges_at_one_spot_find_a_direction() -> None:
    found = separated({"a": (100.0, 100.0), "b": (100.0, 100.0)}, 20)

    assert math.dist(found["a"], found["b"]) >= 19.9
