"""How a file says that a game ended, and who was left."""

import pytest

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.formats.diplobn.heading import ENDED_BY, ending_in, winners_in
from daide_server.formats.diplobn.map_names import BoardNames, board_names
from daide_server.formats.diplobn.shapes import (
    CountryResult,
    DiplobnGame,
    DiplobnSeason,
    Vote,
)
from daide_server.records.entries import Ending

END = DiplobnSeason(19013, "GameEnded", {})


@pytest.fixture(scope="session")
def names(standard: Variant) -> BoardNames:
    return board_names(standard.map)


@pytest.mark.parametrize(
    "ending", [each for each in Ending if each is not Ending.STALEMATE]
)
def test_every_ending_has_a_word_that_means_it(ending: Ending) -> None:
    """But that by the stalemate rule, which DiploBN has no word for: a draw."""
    assert ending_in(DiplobnGame(EndedBy=ENDED_BY[ending]), END) is ending


def test_an_ended_game_without_a_word_was_drawn() -> None:
    awaiting = DiplobnSeason(19013, "AwaitingOrders", {})
    assert ending_in(DiplobnGame(), END) is Ending.DRAW
    assert ending_in(DiplobnGame(), awaiting) is None


def test_the_vote_decides_before_the_results(
    standard: Variant, names: BoardNames
) -> None:
    vote = Vote(Passed=True, PlayersInDraw=["France", "Italy"])
    end = DiplobnSeason(19013, "GameEnded", {}, DrawVote=vote)
    results = {"Turkey": CountryResult(3, None, InGameAtEnd=True, Score=0.0, Rank=1)}
    game = DiplobnGame(EndedBy="Draw", ResultSummary=results)
    powers = (Power("FRA"), Power("ITA"))
    assert winners_in(game, end, names, standard.start) == powers
    assert winners_in(game, END, names, standard.start) == (Power("TUR"),)


def test_without_either_the_position_decides(
    standard: Variant, names: BoardNames
) -> None:
    def winners(ended_by: str) -> tuple[Power, ...]:
        return winners_in(DiplobnGame(EndedBy=ended_by), END, names, standard.start)

    assert winners("Solo") == (Power("RUS"),)
    assert winners("Draw") == standard.map.powers
    assert winners("GameManager") == ()
