"""Each row of the table of designs, by enumeration."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.tournament.designs import (
    Design,
    DesignGoal,
    balance,
    games_to_balance,
    line_ups,
    one_against_six,
)

ROWS = [
    (2, "rounds", 2, 14),
    (3, "rounds", 3, 126),
    (4, "rounds", 4, 28),
    (5, "rounds", 10, 420),
    (6, "rounds", 6, 252),
    (7, "rounds", 7, 42),
    (8, "rounds", 8, 56),
    (9, "rounds", 36, 72),
    (10, "rounds", 60, 2520),
    (10, "pairs", 30, None),
    (10, "everything", 240, 360),
    (11, "rounds", 55, 110),
    (12, "rounds", 132, 5544),
    (12, "everything", 660, 660),
    (13, "rounds", 26, 156),
    (14, "pairs", 182, None),
    (14, "everything", 1092, 1092),
    (15, "rounds", 15, 630),
    (16, "rounds", 80, 240),
    (17, "rounds", 136, 272),
    (19, "pairs", 57, 342),
    (20, "rounds", 380, None),
    (21, "rounds", 210, None),
    (22, "rounds", 44, None),
    (23, "rounds", 253, 506),
    (25, "pairs", 100, 600),
    (29, "rounds", 58, 812),
    (31, "pairs", 155, 930),
]
"""Bots, goal, games to P and to F; `None` for F that is not claimed."""


@pytest.mark.parametrize(("bots", "goal", "pairs", "everything"), ROWS)
def test_a_row_of_the_table_holds(
    bots: int, goal: DesignGoal, pairs: int, everything: int | None
) -> None:
    """Seven seats: P and F after exactly the games that the table has."""
    design = line_ups(bots, goal=goal)
    if everything:
        assert games_to_balance(design) == (pairs, everything)
        return
    games = list(chain(*design.blocks))[:pairs]
    assert balance(games, bots, 7).is_pair_balanced
    assert not any(
        balance(games[:end], bots, 7).is_pair_balanced
        for end in range(len(design.blocks[0]), pairs, len(design.blocks[0]))
    )


@pytest.mark.parametrize(
    "bots",
    [*range(2, 25), *(pytest.param(n, marks=pytest.mark.long) for n in range(25, 32))],
)
def test_each_round_gives_each_bot_each_seat_once(bots: int) -> None:
    """Pairs are even too: by 2 at most in the first blocks."""
    design = line_ups(bots)
    for block in design.blocks[:20]:
        assert balance(block, bots, 7).seat_spread == 0
    for end in (1, 2, 3, 5, 8, 12):
        counts = balance(chain(*design.blocks[:end]), bots, 7)
        assert counts.pair_spread <= 2


@settings(max_examples=20)
@given(bots=st.integers(2, 24), seats=st.integers(2, 10))
def test_any_number_of_bots_and_powers_has_rounds(bots: int, seats: int) -> None:
    """Every seat is balanced after each block, games are even, copies as few as may."""
    block = line_ups(bots, seats).blocks[0]
    counts = balance(block, bots, seats)
    assert counts.seat_spread == 0
    assert counts.game_spread == 0
    for game in block:
        copies = [game.count(bot) for bot in range(bots)]
        assert max(copies) <= -(-seats // bots)


@pytest.mark.long
def test_the_table_is_what_its_tool_writes() -> None:
    tool = pytest.importorskip("tools.designs.__main__")
    written = "\n".join(
        tool.text_of(tool.blocks_of(bots, "rounds")) for bots in (2, 10, 15, 31)
    )
    table = tool.TABLE.read_text()
    assert all(line in table for line in written.splitlines())


@pytest.mark.parametrize("bots", [0, 1])
def test_a_design_takes_two_bots(bots: int) -> None:
    with pytest.raises(ValueError, match="takes two bots"):
        line_ups(bots)


def test_one_against_six_has_the_hero_in_each_power() -> None:
    block = one_against_six(3).blocks[0]
    assert len(block) == 21
    for pair in ((0, 1), (0, 2), (1, 2)):
        games = [game for game in block if set(game) == set(pair)]
        heroes = {game.index(pair[0]) for game in games if game.count(pair[0]) == 1}
        assert heroes == set(range(7))


def test_one_against_six_both_ways_is_balanced() -> None:
    block = one_against_six(4, both_ways=True).blocks[0]
    assert len(block) == 84
    assert balance(block, 4, 7).is_pair_balanced


def test_balance_counts() -> None:
    """Two games of three bots on three seats, one bot missing in the second."""
    counts = balance([(0, 1, 2), (1, 0, 0)], 3, 3)
    assert counts.per_bot == {0: 2, 1: 2, 2: 1}
    assert [counts.held[0, seat] for seat in range(3)] == [1, 1, 1]
    assert [counts.held[2, seat] for seat in range(3)] == [0, 0, 1]
    assert counts.met == {(0, 1): 3, (0, 2): 1, (1, 2): 1}
    assert (counts.game_spread, counts.seat_spread, counts.pair_spread) == (1, 1, 2)
    assert counts.seated[0, 1, 0, 1] == 1
    assert counts.seated[0, 1, 1, 0] == 1
    assert not counts.is_pair_balanced


def test_two_powers_meet_all() -> None:
    """Other boards have rotations: each bot moves on by one seat, by two, and so on."""
    assert balance(chain(*line_ups(7, 2).blocks), 7, 2).is_fully_balanced


def test_a_fixed_line_up_of_all_has_every_pair_as_often() -> None:
    assert games_to_balance(Design(7, 7, ((tuple(range(7)),),))) == (1, None)
