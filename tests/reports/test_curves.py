"""Lines, ticks and labels of a report."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daide_server.reports.curves import (
    BOT_COLOURS,
    LABEL_HEIGHT,
    MOST_POINTS,
    colour_numbers,
    plot,
    rating_axis,
    score_axis,
    spaced,
    thinned,
    ticks,
)


@given(st.lists(st.floats(0, 100), max_size=12))
def test_labels_never_overlap(wanted: list[float]) -> None:
    found = sorted(spaced(wanted))

    for one, other in pairwise(found):
        assert other - one >= LABEL_HEIGHT - 0.02


def test_labels_that_fit_stay_where_they_are() -> None:
    assert spaced([80.0, 10.0, 40.0]) == [80.0, 10.0, 40.0]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 0.62, [0, 0.2, 0.4, 0.6, 0.8]),
        (0, 17, [0, 5, 10, 15, 20]),
        (1900, 1910, [1900, 1902, 1904, 1906, 1908, 1910]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == expected


def test_a_line_ends_with_its_last_point() -> None:
    points = [(float(at), at / 5000) for at in range(5000)]

    assert len(thinned(points)) == MOST_POINTS
    assert thinned(points)[-1] == points[-1]


def test_a_plot_has_a_curve_for_each_line() -> None:
    lines = {"a": [(1, 0.0), (3, 1.0)], "b": [(1, 0.5), (3, 0.5)]}
    found = plot(lines, "{:.2f}".format, {"a": 0, "b": 1})

    assert found is not None
    assert [curve.path for curve in found.curves] == [
        "M0 1000L1000 0",
        "M0 500L1000 500",
    ]
    assert [curve.last for curve in found.curves] == ["1.00", "0.50"]


def test_a_single_point_is_no_plot() -> None:
    assert plot({"a": [(1, 0.5)], "b": []}, "{:.2f}".format, {}) is None


def test_an_axis_of_scores_ends_behind_the_longest_interval() -> None:
    axis = score_axis(0.5)

    assert axis.at(0.0) == 0
    assert axis.at(0.52) == 100
    assert axis.at(0.9) == 100
    assert [tick.text for tick in axis.ticks("{:g}".format)][:2] == ["0", "0.2"]
    assert score_axis(1.0).high == 1
    assert score_axis(0.0).high > 0


@given(st.lists(st.none() | st.floats(-3000, 3000), max_size=9))
@example([100.0, -5e-324])
def test_all_ratings_are_on_their_axis(points: list[float | None]) -> None:
    axis = rating_axis(points)

    assert axis.high - axis.low >= 100
    for each in points:
        assert each is None or axis.low <= each <= axis.high


def test_colours_of_bots_do_not_repeat_below_sixteen() -> None:
    """And do not change with the order of the table."""
    names = [f"bot {number}" for number in range(BOT_COLOURS)]
    found = colour_numbers(names)

    assert sorted(found.values()) == list(range(16))
    assert colour_numbers(reversed(names)) == found
