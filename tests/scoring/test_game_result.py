"""How a game stands: who shares, who leads, how long each lived, who is tied."""

from fractions import Fraction

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


def test_the_dead_have_no_part_in_a_draw() -> None:
    assert evolve(GAME, draw=frozenset({ENG, FRA})).sharing == {ENG}


def test_the_dead_are_equal_by_centres_and_ranked_by_elimination() -> None:
    assert ranks(GAME.by_centres, POWERS) == {AUS: 1, ENG: 2, FRA: 3, GER: 3}
    assert ranks(GAME.by_elimination, POWERS) == {AUS: 1, ENG: 2, GER: 3, FRA: 4}


def test_tied_powers_have_the_average_of_their_places_or_the_lowest() -> None:
    worth = 40, 20, 10

    assert shared(GAME.by_centres, POWERS, worth)[FRA] == Fraction(5)
    assert lowest(GAME.by_centres, POWERS, worth)[FRA] == 0
