"""SVG as text: well-formed whatever it says, exact however long its lines are."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx  # noqa: PT013 - reads as a word

from daide_server.pictures.picture import Polyline
from daide_server.pictures.units import element, group, number, path, text, title

from .conftest import Read

coordinates = st.integers(-9999, 9999).map(lambda tenths: tenths / 10)
lines = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=40)


def test_an_element_has_attributes_with_dashes() -> None:
    assert element("path", d="M0 0", stroke_width=1.5) == (
        '<path d="M0 0" stroke-width="1.5"/>'
    )


def test_children_are_inside() -> None:
    assert element("g", "<a/>", "<b/>", id="x") == '<g id="x"><a/><b/></g>'


def test_a_group_of_nothing_is_nothing() -> None:
    assert group([]) == ""


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["C"])))
def test_words_may_be_anything(read: Read, words: str) -> None:
    tree = read([title(words), text(words, (0, 0)), element("g", id=words)])

    assert [(each.text or "") for each in tree][:2] == [words, words]
    assert tree[2].get("id") == words


def test_numbers_are_short() -> None:
    assert [number(value) for value in (0.0, -0.0, 12.0, 1.26, -3.04)] == [
        "0", "0", "12", "1.3", "-3",
    ]  # fmt: skip


@settings(deadline=None)
@given(lines)
def test_a_path_is_steps_that_add_up(line: list[tuple[float, float]]) -> None:
    line_of: Polyline = tuple(line)
    values = list(map(float, re.findall(r"-?[\d.]+", path([line_of], closed=True))))

    assert sum(values[::2]) == approx(line[-1][0])
    assert sum(values[1::2]) == approx(line[-1][1])


def test_closed_paths_are_closed_each() -> None:
    square: Polyline = ((0, 0), (1, 0), (1, 1))

    assert path([square, square], closed=True).count("Z") == 2
    assert "Z" not in path([square], closed=False)
