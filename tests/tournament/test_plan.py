"""Plans follow from the description only, and say which changes they survive."""

from collections import Counter

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from daide_server.tournament.description import (
    DescriptionError,
    DesignChoice,
    Entrant,
    StopRule,
    TournamentDescription,
    changes,
    refusal,
)
from daide_server.tournament.designs import Balance, balance
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
        assert balance(seats, 8, 7).is_fully_balanced


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
    before = balance([tuple(range(7)), tuple(range(5, 12))], 13, 7)
    bots = [LadderBot(at, at * 1.0, 0.2) for at in range(12)]
    bots.append(LadderBot(12, 5.5, None))
    line_up = next_line_up(bots, before, ladder_draws(1, 1))
    assert {4, 5, 6, 7, 12} < set(line_up)
    assert line_up == next_line_up(bots, before, ladder_draws(1, 1))


def test_fewer_bots_than_seats_play_in_copies() -> None:
    bots = [LadderBot(0), LadderBot(1)]
    line_up = next_line_up(bots, Balance(2, 7), ladder_draws(1, 1))
    assert sorted(Counter(line_up).values()) == [3, 4]


def test_a_bot_takes_the_seat_that_it_had_least() -> None:
    before = balance([(0, 0, 0, 1, 0, 0, 0)], 7, 7)
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
