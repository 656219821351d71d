"""Plans follow from the description only, and say which changes they survive."""

from collections import Counter
from collections.abc import Callable
from itertools import chain

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
from daide_server.tournament.designs import balance
from daide_server.tournament.plan import plan

Described = Callable[..., TournamentDescription]


def test_games_are_rounded_up_to_whole_blocks(described: Described) -> None:
    found = plan(described(8, 50))
    assert (found.games, found.blocks) == (56, 7)
    assert plan(described(7, 42)).games == 42


@pytest.mark.parametrize("bots", [2, 3, 7, 8, 11])
def test_blocks_partition_the_games(described: Described, bots: int) -> None:
    found = plan(described(bots, 500))
    games = [
        game for block in range(found.blocks) for game in found.block_games(block + 1)
    ]
    assert games == list(range(1, found.games + 1))
    for block in range(1, found.blocks + 1):
        assert {found.game(game).block for game in found.block_games(block)} == {block}


def test_more_games_leave_the_first_as_they_were(described: Described) -> None:
    few, many = plan(described(9, 40)), plan(described(9, 1000))
    assert list(few.all_games()) == [many.game(at + 1) for at in range(few.games)]


def test_a_whole_cycle_is_fully_balanced_under_any_labels(described: Described) -> None:
    found = plan(described(8, 112))
    for games in (range(1, 57), range(57, 113)):
        seats = [found.game(game).bots for game in games]
        assert balance(seats, 8, 7).is_fully_balanced


@given(seed=st.integers(0, 2**31), number=st.integers(1, 42))
def test_seeds_fit_into_31_bits_and_differ(seed: int, number: int) -> None:
    powers = tuple("ABCDEFG")
    cup = TournamentDescription("x", seed, powers, tuple(map(Entrant, powers)))  # type: ignore[arg-type]
    game = plan(cup).game(number)
    assert game == plan(cup).game(number)
    seeds = (game.seed, *game.bot_seeds)
    assert all(0 <= each < 2**31 for each in seeds)
    assert len(set(seeds)) == 8


def test_the_seed_changes_who_sits_where(described: Described) -> None:
    seated = Counter(plan(described(seed=seed)).game(1).bots for seed in range(50))
    assert len(seated) > 30


def test_there_is_no_game_beyond_the_plan(described: Described) -> None:
    with pytest.raises(IndexError, match="no game 43: the plan has 1 to 42"):
        plan(described()).game(43)


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
        ({"design": DesignChoice("ladder")}, "ladder has no design"),
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
    described: Described, change: dict[str, object], message: str
) -> None:
    with pytest.raises(DescriptionError, match=message):
        plan(described(**change))


def test_games_scoring_stop_and_retries_may_change(described: Described) -> None:
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


def test_bots_seed_design_and_game_may_not_change(described: Described) -> None:
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


def test_a_ladder_takes_new_bots(described: Described) -> None:
    before = described(design=DesignChoice("ladder"))
    after = evolve(before, bots=(*before.bots, Entrant("new")))
    assert refusal(before, after) is None
    assert refusal(after, before) is not None


@pytest.mark.parametrize(
    ("bots", "copies"), [(2, 4), (3, 3), (4, 2), (5, 2), (6, 2), (7, 1), (20, 1)]
)
def test_copies_in_one_game(described: Described, bots: int, copies: int) -> None:
    """Two bots: four seats for one; three: three and two and two."""
    games = chain.from_iterable(plan(described(bots)).design.blocks)
    assert max(max(Counter(game).values()) for game in games) == copies


def test_a_plan_knows_its_balance(described: Described) -> None:
    assert plan(described(games=42)).balance().is_fully_balanced
    assert plan(described(9, 36)).balance().is_pair_balanced
    assert plan(described(9, 18)).balance().largest_imbalance == 1
