"""How a game stands: who shares, who leads, how long each lived, who is tied."""

from fractions import Fraction

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.scoring.game_result import GameResult, lowest, ranks, shared

AUS, ENG, FRA, GER = POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER")))
GAME = GameResult(
    centres={AUS: 9, ENG: 6, FRA: 0, GER: 0},
    eliminated={FRA: 1903, GER: 1905},
    soloist=None,
    draw=frozenset(),
    first_year=1901,
    last_year=1907,
    supply=34,
)


def test_a_draw_that_nobody_declared_is_one_of_all_survivors() -> None:
    assert GAME.sharing == {AUS, ENG}
    assert evolve(GAME, draw=frozenset({ENG})).sharing == {ENG}


def test_the_dead_have_no_part_in_a_draw() -> None:
    assert evolve(GAME, draw=frozenset({ENG, FRA})).sharing == {ENG}


def test_only_a_lone_topper_leads() -> None:
    tied = evolve(GAME, centres={**GAME.centres, ENG: 9})

    assert (GAME.toppers, GAME.lead, GAME.behind(ENG)) == ((AUS,), 3, 3)
    assert (tied.toppers, tied.lead) == ((AUS, ENG), 0)


@pytest.mark.parametrize(
    ("power", "full", "played"), [(AUS, 7, 7), (FRA, 2, 3), (GER, 4, 5)]
)
def test_the_year_of_death_is_played_but_not_full(
    power: Power, full: int, played: int
) -> None:
    assert (GAME.full_years(power), GAME.years_played(power)) == (full, played)


def test_the_dead_are_equal_by_centres_and_ranked_by_elimination() -> None:
    assert ranks(GAME.by_centres, POWERS) == {AUS: 1, ENG: 2, FRA: 3, GER: 3}
    assert ranks(GAME.by_elimination, POWERS) == {AUS: 1, ENG: 2, GER: 3, FRA: 4}


def test_tied_powers_have_the_average_of_their_places_or_the_lowest() -> None:
    worth = 40, 20, 10

    assert shared(GAME.by_centres, POWERS, worth)[FRA] == Fraction(5)
    assert lowest(GAME.by_centres, POWERS, worth)[FRA] == 0
