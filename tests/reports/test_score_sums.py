"""Sums of points over games, by bot and by power."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from msgspec.structs import replace

from daide_server.records.record import GameRecord
from daide_server.records.turn_results import game_result
from daide_server.reports.curves import NO_NAME, Grouping, ScoreSum, ScoreSums
from daide_server.scoring.systems import points

Recorded = Callable[..., GameRecord]


def sums(record: GameRecord, games: int, grouping: Grouping) -> list[ScoreSum]:
    scored = {"draw_size": points("draw_size", game_result(record))}
    found = ScoreSums(grouping)
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
    found = ScoreSums("power")
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

    assert [each.name for each in sums(record, 1, "bot")] == [NO_NAME]
