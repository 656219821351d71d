"""Turns and their order."""

from itertools import pairwise

import pytest

from daide_server.board.map import PHASE_OF_SEASON, SEASONS, Phase, Season, Turn


def test_every_season_has_a_phase() -> None:
    assert [PHASE_OF_SEASON[season] for season in SEASONS] == [
        Phase.MOVEMENT,
        Phase.RETREATS,
        Phase.MOVEMENT,
        Phase.RETREATS,
        Phase.ADJUSTMENTS,
    ]


def test_a_year_has_five_turns_in_order() -> None:
    turns = [Turn(Season.SPRING, 1901)]
    while len(turns) < 6:
        turns.append(turns[-1].next())
    assert [str(turn) for turn in turns] == [
        "SPR 1901",
        "SUM 1901",
        "FAL 1901",
        "AUT 1901",
        "WIN 1901",
        "SPR 1902",
    ]
    assert all(
        earlier < later and earlier <= later for earlier, later in pairwise(turns)
    )
    assert all(
        later > earlier and later >= earlier for earlier, later in pairwise(turns)
    )
    assert sorted(set(turns)) == turns


def test_a_turn_is_not_compared_with_anything_else() -> None:
    with pytest.raises(TypeError):
        _ = Turn(Season.SPRING, 1901) < 1902
