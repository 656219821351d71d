"""Plans follow from the description only; each row of the table of designs holds."""

from collections import Counter
from itertools import chain

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.tournament import designs
from daide_server.tournament.description import (
    DescriptionError,
    DesignChoice,
    Entrant,
    StopRule,
    TournamentDescription,
    changes,
    refusal,
)
from daide_server.tournament.plan import LadderBot, ladder_draws, next_line_up, plan_of
from tests.support.tournaments import all_played, described


@pytest.mark.parametrize(("bots", "games"), [(2, 500), (3, 501), (7, 504), (11, 506)])
def test_blocks_partition_the_games(bots: int, games: int) -> None:
    """Which are rounded up to whole blocks."""
    found = plan_of(described(bots, 500))
    assert found.games == games
    blocks = range(1, found.blocks + 1)
    numbers = [game for block in blocks for game in found.block_games(block)]
    assert numbers == list(range(1, games + 1))
    for block in blocks:
        assert {found.game(game).block for game in found.block_games(block)} == {block}


def test_more_games_leave_the_first_as_they_were() -> None:
    few, many = plan_of(described(9, 40)), plan_of(described(9, 1000))
    assert list(few.all_games()) == [many.game(at + 1) for at in range(few.games)]


def test_a_whole_cycle_is_fully_balanced_under_any_labels() -> None:
    found = plan_of(described(8, 112))
    for games in (range(1, 57), range(57, 113)):
        seats = [found.game(game).bots for game in games]
        assert designs.balance(seats, 8, 7).is_fully_balanced


@given(seed=st.integers(0, 2**31), number=st.integers(1, 42))
def test_seeds_fit_into_31_bits_and_differ(seed: int, number: int) -> None:
    powers = tuple("ABCDEFG")
    cup = TournamentDescription("x", seed, powers, tuple(map(Entrant, powers)))  # type: ignore[arg-type]
    game = plan_of(cup).game(number)
    assert game == plan_of(cup).game(number)
    seeds = (game.seed, *game.bot_seeds)
    assert all(0 <= each < 2**31 for each in seeds)
    assert len(set(seeds)) == 8


def test_the_seed_changes_who_sits_where() -> None:
    seated = Counter(plan_of(described(seed=seed)).game(1).bots for seed in range(50))
    assert len(seated) > 30


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bots": (Entrant("a"), Entrant("a"))}, "found 'a' twice"),
        ({"bots": (Entrant("a"),)}, "found 1 bots, expected 2 or more"),
        (
            {"design": DesignChoice("fixed", seats=(0, 1))},
            "found 2 names, expected none or 7",
        ),
        (
            {"design": DesignChoice("fixed", seats=(9,) * 7)},
            "found bot 9, expected 0 to 6",
        ),
        (
            {"stop": StopRule(separated=8)},
            r"\[stop\] separated: found 8, expected at most 7",
        ),
        ({"rank_by": "luck"}, "rank_by: found 'luck', expected a scoring system"),
        ({"rank_by": "bangkokk"}, "did you mean Bangkok?"),
        (
            {"powers": ("A", "B"), "also": ("dixie",)},
            "also: dixie is made for seven powers",
        ),
    ],
)
def test_what_cannot_be_played_is_named(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(DescriptionError, match=message):
        plan_of(evolve(described(), **change))  # type: ignore[arg-type]


def test_games_scoring_stop_and_retries_may_change() -> None:
    before = described()
    after = evolve(
        before,
        design=DesignChoice(games=84),
        rank_by="draw_size",
        stop=StopRule(half_width=0.02),
        retries=5,
    )
    assert len(changes(before, after)) == 4
    assert refusal(before, after) is None


def test_bots_seed_design_and_game_may_not_change() -> None:
    before = described(terms={"game.mtl": "5"})
    after = evolve(
        before,
        seed=2,
        terms={"game.mtl": "10"},
        bots=(*before.bots[:6], Entrant("new", {"command": "./new"})),
        design=DesignChoice("one-against-six"),
    )
    assert (refusal(before, after) or "").splitlines()[1:] == [
        "  bot 7 command: nothing -> ./new",
        "  bot 7 name: bot6 -> new",
        "  design.kind: line-ups -> one-against-six",
        "  game.mtl: 5 -> 10",
        "  seed: 1 -> 2",
    ]


def test_a_ladder_takes_new_bots() -> None:
    before = described(design=DesignChoice("ladder"))
    after = evolve(before, bots=(*before.bots, Entrant("new")))
    assert refusal(before, after) is None
    assert refusal(after, before) is not None


def test_the_least_known_bot_plays_and_meets_its_like() -> None:
    before = designs.balance([tuple(range(7)), tuple(range(5, 12))], 13, 7)
    bots = [LadderBot(at, at * 1.0, 0.2) for at in range(12)]
    bots.append(LadderBot(12, 5.5, None))
    line_up = next_line_up(bots, before, ladder_draws(1, 1))
    assert {4, 5, 6, 7, 12} < set(line_up)
    assert line_up == next_line_up(bots, before, ladder_draws(1, 1))


def test_fewer_bots_than_seats_play_in_copies() -> None:
    bots = [LadderBot(0), LadderBot(1)]
    line_up = next_line_up(bots, designs.Balance(2, 7), ladder_draws(1, 1))
    assert sorted(Counter(line_up).values()) == [3, 4]


def test_a_bot_takes_the_seat_that_it_had_least() -> None:
    before = designs.balance([(0, 0, 0, 1, 0, 0, 0)], 7, 7)
    bots = [LadderBot(0), *(LadderBot(at, 0.0, 0.1) for at in range(1, 7))]
    assert next_line_up(bots, before, ladder_draws(1, 1))[3] == 0


def test_a_ladder_s_plan_is_its_decisions() -> None:
    ladder = evolve(described(), design=DesignChoice("ladder"))
    of = plan_of(ladder, [(0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)])
    assert of.game(2).bots == (6, 5, 4, 3, 2, 1, 0)
    found = all_played(of, (1.0,) * 7)
    assert found.is_complete()
    longer = plan_of(ladder, [*(game.bots for game in of.all_games()), (0,) * 7])
    assert longer.game(1) == of.game(1)


# Designs, by enumeration


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
    bots: int, goal: designs.DesignGoal, pairs: int, everything: int | None
) -> None:
    """Seven seats: P and F after exactly the games that the table has."""
    design = designs.line_ups(bots, goal=goal)
    if everything:
        assert designs.games_to_balance(design) == (pairs, everything)
        return
    games = list(chain(*design.blocks))[:pairs]
    assert designs.balance(games, bots, 7).is_pair_balanced
    assert not any(
        designs.balance(games[:end], bots, 7).is_pair_balanced
        for end in range(len(design.blocks[0]), pairs, len(design.blocks[0]))
    )


@pytest.mark.parametrize(
    "bots",
    [*range(2, 25), *(pytest.param(n, marks=pytest.mark.long) for n in range(25, 32))],
)
def test_each_round_gives_each_bot_each_seat_once(bots: int) -> None:
    """Pairs are even too: by 2 at most in the first blocks."""
    design = designs.line_ups(bots)
    for block in design.blocks[:20]:
        assert designs.balance(block, bots, 7).seat_spread == 0
    for end in (1, 2, 3, 5, 8, 12):
        counts = designs.balance(chain(*design.blocks[:end]), bots, 7)
        assert counts.pair_spread <= 2


@settings(max_examples=20)
@given(bots=st.integers(2, 24), seats=st.integers(2, 10))
def test_any_number_of_bots_and_powers_has_rounds(bots: int, seats: int) -> None:
    """Every seat is balanced after each block, games are even, copies as few as may."""
    block = designs.line_ups(bots, seats).blocks[0]
    counts = designs.balance(block, bots, seats)
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
        designs.line_ups(bots)


def test_one_against_six_has_the_single_bot_in_each_power() -> None:
    block = designs.one_against_six(3).blocks[0]
    assert len(block) == 21
    for pair in ((0, 1), (0, 2), (1, 2)):
        games = [game for game in block if set(game) == set(pair)]
        seats = {game.index(pair[0]) for game in games if game.count(pair[0]) == 1}
        assert seats == set(range(7))


def test_one_against_six_both_ways_is_balanced() -> None:
    block = designs.one_against_six(4, both_ways=True).blocks[0]
    assert len(block) == 84
    assert designs.balance(block, 4, 7).is_pair_balanced


def test_balance_counts() -> None:
    """Two games of three bots on three seats, one bot missing in the second."""
    counts = designs.balance([(0, 1, 2), (1, 0, 0)], 3, 3)
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
    games = chain(*designs.line_ups(7, 2).blocks)
    assert designs.balance(games, 7, 2).is_fully_balanced


def test_a_fixed_line_up_of_all_has_every_pair_as_often() -> None:
    design = designs.Design(7, 7, ((tuple(range(7)),),))
    assert designs.games_to_balance(design) == (1, None)
