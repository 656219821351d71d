"""Geometry: what holds of lines wherever they run."""

import math

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pytest import approx  # noqa: PT013 - reads as a word

from daide_server.pictures.geometry import (
    beside,
    between,
    bow,
    curve,
    length,
    middle,
    plus,
    toward,
    trimmed,
)
from daide_server.pictures.picture import Point

numbers = st.floats(-1000, 1000).map(lambda value: round(value, 2))
points = st.tuples(numbers, numbers)
lines = st.lists(points, min_size=2, max_size=6, unique=True)


def test_plus() -> None:
    assert plus((1, 2), (3, 5)) == (4, 7)


@settings(deadline=None)
@given(points, points)
def test_between_is_on_the_way(start: Point, end: Point) -> None:
    half = between(start, end, 0.5)

    assert math.dist(start, half) == approx(math.dist(half, end))


@settings(deadline=None)
@given(points, points, st.floats(0, 100))
def test_toward_is_at_the_given_distance(
    start: Point, end: Point, distance: float
) -> None:
    assume(math.dist(start, end) > 0.1)

    assert math.dist(start, toward(start, end, distance)) == approx(distance, abs=1e-6)


def test_toward_itself_stays() -> None:
    assert toward((1, 1), (1, 1), 5) == (1, 1)


def test_beside_is_on_the_right_in_a_picture() -> None:
    """A picture's second axis points down, so the right of east is south."""
    assert beside((0, 0), (10, 0), 0.5, 2) == (5, 2)


@settings(deadline=None)
@given(lines, st.floats(0, 50), st.floats(0, 50))
def test_a_trimmed_line_is_shorter_but_never_gone(
    line: list[Point], first: float, last: float
) -> None:
    whole = length(line)
    left = length(trimmed(line, first, last))

    assert left <= whole + 1e-6
    assert left >= whole * 0.2 - 1e-6


def test_trimming_removes_the_given_lengths() -> None:
    assert trimmed([(0, 0), (100, 0)], 10, 20) == ((10, 0), (80, 0))


def test_trimming_goes_around_corners() -> None:
    assert trimmed([(0, 0), (10, 0), (10, 90)], 20, 0) == ((10, 10), (10, 90))


def test_the_middle_is_by_length() -> None:
    assert middle([(0, 0), (10, 0), (10, 90)]) == (10, 40)


@settings(deadline=None)
@given(lines)
def test_a_curve_goes_through_its_points(line: list[Point]) -> None:
    found = curve(line)

    for point in line:
        assert min(math.dist(point, near) for near in found) == approx(0, abs=1e-6)


@settings(deadline=None)
@given(points, points)
def test_opposite_bows_do_not_meet_in_the_middle(start: Point, end: Point) -> None:
    assume(math.dist(start, end) > 1)
    there, back = bow(start, end, 0.1), bow(end, start, 0.1)

    assert there[0] == approx(start)
    assert there[-1] == approx(end)
    apart = math.dist(there[len(there) // 2], back[len(back) // 2])
    assert apart == approx(0.2 * math.dist(start, end))
