"""Curves of centres and sums of scores."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.records.record import GameRecord
from daide_server.records.standings import game_result
from daide_server.scoring.systems import points
from daide_server.tournament.report import curves
from tests.support.random_games import Recorded

# Lines, ticks and labels of a report


@given(st.lists(st.floats(0, 100), max_size=12))
def test_labels_never_overlap(wanted: list[float]) -> None:
    found = sorted(curves.spaced(wanted))

    for one, other in pairwise(found):
        assert other - one >= curves.LABEL_HEIGHT - 0.02


def test_labels_that_fit_stay_where_they_are() -> None:
    assert curves.spaced([80.0, 10.0, 40.0]) == [80.0, 10.0, 40.0]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 0.62, [0, 0.2, 0.4, 0.6, 0.8]),
        (0, 17, [0, 5, 10, 15, 20]),
        (1900, 1910, [1900, 1902, 1904, 1906, 1908, 1910]),
    ],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert curves.ticks(low, high) == expected


def test_a_line_ends_with_its_last_point() -> None:
    points = [(float(at), at / 5000) for at in range(5000)]

    assert len(curves.thinned(points)) == curves.MOST_POINTS
    assert curves.thinned(points)[-1] == points[-1]


def test_a_plot_has_a_curve_for_each_line() -> None:
    lines = {"a": [(1, 0.0), (3, 1.0)], "b": [(1, 0.5), (3, 0.5)]}
    found = curves.plot(lines, "{:.2f}".format, 8)

    assert found is not None
    assert [curve.path for curve in found.curves] == [
        "M0 1000L1000 0",
        "M0 500L1000 500",
    ]
    assert [curve.last for curve in found.curves] == ["1.00", "0.50"]


def test_a_single_point_is_no_plot() -> None:
    assert curves.plot({"a": [(1, 0.5)], "b": []}, "{:.2f}".format, 8) is None


def test_an_axis_of_scores_ends_behind_the_longest_interval() -> None:
    axis = curves.score_axis(0.5)

    assert axis.at(0.0) == 0
    assert axis.at(0.52) == 100
    assert axis.at(0.9) == 100
    assert [tick.text for tick in axis.ticks("{:g}".format)][:2] == ["0", "0.2"]
    assert curves.score_axis(1.0).high == 1
    assert curves.score_axis(0.0).high > 0


@given(st.lists(st.none() | st.floats(-3000, 3000), max_size=9))
@example([100.0, -5e-324])
def test_all_ratings_are_on_their_axis(points: list[float | None]) -> None:
    axis = curves.rating_axis(points)

    assert axis.high - axis.low >= 100
    for each in points:
        assert each is None or axis.low <= each <= axis.high


def test_colours_of_bots_do_not_repeat_below_sixteen() -> None:
    """And do not change with the order of the table."""
    names = [f"bot {number}" for number in range(curves.BOT_COLOURS)]
    found = curves.colour_numbers(names)

    assert sorted(found.values()) == list(range(16))
    assert curves.colour_numbers(reversed(names)) == found


# Sums of points over games, by bot and by power


def sums(
    record: GameRecord, games: int, grouping: curves.Grouping
) -> list[curves.ScoreSum]:
    scored = {"draw_size": points("draw_size", game_result(record))}
    found = curves.ScoreSums(grouping)
    for _ in range(games):
        found.add(record, scored)
    return list(found.sums())


def test_a_bot_with_several_seats_counts_with_its_mean(record_of: Recorded) -> None:
    """Austria and France share the draw."""
    record = record_of(turns=3)
    same = tuple(replace(each, name="one") for each in record.sittings)

    (found,) = sums(replace(record, sittings=same), 4, "bot")

    assert (found.name, found.games, found.seats) == ("one", 4, 28)
    assert found.total == Fraction(4)
    assert found.mean == pytest.approx(1 / 7)


def test_the_best_mean_is_first(record_of: Recorded) -> None:
    found = sums(record_of(turns=3), 2, "power")

    assert [each.name for each in found[:2]] == ["AUSTRIA", "FRANCE"]
    assert [each.total for each in found] == [1, 1, 0, 0, 0, 0, 0]


def test_without_spread_or_with_few_games_there_is_no_interval(
    record_of: Recorded,
) -> None:
    for games in (9, 30):
        assert all(each.interval is None for each in sums(record_of(), games, "power"))


def test_an_interval_needs_games_that_differ(record_of: Recorded) -> None:
    record = record_of(turns=3)
    found = curves.ScoreSums("power")
    for at in range(30):
        winners = record.winners[: 1 + at % 2]
        drawn = replace(record, winners=winners)
        found.add(drawn, {"draw_size": points("draw_size", game_result(drawn))})

    best = next(found.sums())

    assert best.mean == pytest.approx(0.75)
    assert best.interval is not None
    assert best.interval.low < 0.75 < best.interval.high


def test_a_seat_without_a_client_has_no_name(record_of: Recorded) -> None:
    record = replace(record_of(turns=3), sittings=())

    assert [each.name for each in sums(record, 1, "bot")] == [curves.NO_NAME]
