"""Strokes: arrows point where they lead, and are visible on any background."""

import math
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx  # noqa: PT013 - reads as a word

from daide_server.pictures.picture import Point
from daide_server.pictures.units import arrow, burst, cross, plus_sign, ring, stroke

from .conftest import Read

points = st.tuples(st.integers(0, 500), st.integers(0, 500))


@settings(deadline=None)
@given(points, points)
def test_the_head_of_an_arrow_is_at_its_end(
    read: Read, start: Point, end: Point
) -> None:
    if math.dist(start, end) < 1:
        return
    head = read(arrow((start, end), "#123456"))[1].get("d") or ""

    tip = list(map(float, re.findall(r"-?[\d.]+", head)[:2]))
    assert tip == approx(list(end), abs=0.1)


def test_a_stroke_lies_on_a_wider_pale_one(read: Read) -> None:
    below, *_, above = read(stroke(((0, 0), (9, 9)), "#123456", 3, ""))

    assert below.get("stroke") == "#ffffff"
    assert above.get("stroke") == "#123456"
    assert float(below.get("stroke-width", 0)) > float(above.get("stroke-width", 9))


def test_dashes_are_dashes(read: Read) -> None:
    (*_, above) = read(stroke(((0, 0), (9, 9)), "#123456", 3, "7 3"))

    assert above.get("stroke-dasharray") == "7 3"


def test_marks_are_at_the_given_point(read: Read) -> None:
    marks = read([*cross((50, 60), 5), *plus_sign((50, 60)), *ring((50, 60), "#000")])

    assert len(marks) == 7
    assert marks[-1].get("cx") == "50"


def test_a_burst_is_around_its_middle(read: Read) -> None:
    (shape,) = read(burst((50, 60)))
    steps = list(map(float, re.findall(r"-?[\d.]+", shape.get("d") or "")))

    assert len(steps) == 40
    assert abs(steps[0] - 50) > 10
