"""The outcomes of many games in a few numbers."""

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.cli.branch import (
    Continuation,
    Distribution,
    distribution,
    endings_of,
    spread_of,
)
from daide_server.records.record import Ending

FRANCE, RUSSIA = Power("FRA"), Power("RUS")
SOLO = Continuation(Ending.SOLO, (FRANCE,), {FRANCE: 18, RUSSIA: 0}, {FRANCE: 1.0})
DRAW = Continuation(
    Ending.DRAW,
    (FRANCE, RUSSIA),
    {FRANCE: 17, RUSSIA: 17},
    {FRANCE: 0.5, RUSSIA: 0.5},
)


def test_one_game_is_its_own_distribution() -> None:
    assert distribution([7]) == Distribution(7, 7, 7, 7)


def test_quantiles_leave_a_twentieth_below_and_above() -> None:
    assert distribution(list(range(21))) == Distribution(10, 1, 10, 19)


def test_shares_are_of_all_games() -> None:
    games = [SOLO, evolve(DRAW, ending=Ending.YEAR_LIMIT), DRAW, SOLO]
    france, russia = spread_of(games, FRANCE), spread_of(games, RUSSIA)
    assert (france.solos, france.draws, france.shared) == (0.5, 0.25, 0.25)
    assert (russia.solos, russia.draws, russia.eliminations) == (0.0, 0.25, 0.5)
    assert france.centres.mean == pytest.approx(17.5)
    assert russia.scores.mean == pytest.approx(0.25)


def test_the_most_frequent_ending_is_first() -> None:
    assert list(endings_of([SOLO, DRAW, DRAW]).items()) == [
        (Ending.DRAW, 2),
        (Ending.SOLO, 1),
    ]
