"""Pairs, ratings, the stop rule and the ladder."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import log

import pytest
from attrs import evolve

from daide_server.tournament.chance import NumberStream
from daide_server.tournament.description import (
    DesignChoice,
    StopRule,
    TournamentDescription,
)
from daide_server.tournament.figures import SeatEnd, SeatFigures
from daide_server.tournament.game_outcomes import Ledger, PlayedGame, ledger
from daide_server.tournament.ladder import (
    LadderBot,
    ladder_draws,
    ladder_plan,
    next_line_up,
)
from daide_server.tournament.pairs import cross_table, holm
from daide_server.tournament.plan import Plan, PlannedGame, plan
from daide_server.tournament.ratings import Blocks, fit_ratings
from daide_server.tournament.stopping import StopWatch

Described = Callable[..., TournamentDescription]
Play = Callable[[PlannedGame, Sequence[float]], PlayedGame]
LEADING = (3.0, *(1.0,) * 7)


def all_played(of: Plan, play: Play, strengths: Sequence[float]) -> Ledger:
    return ledger(of, [play(game, strengths) for game in of.all_games()])


# Pairs


def test_holm_by_example() -> None:
    """0.05 over 4, 3, 2, 1: the third smallest fails, so the fourth does too."""
    assert holm([0.04, 0.01, 0.03, 0.005]) == (False, True, False, True)
    assert holm([0.02, 0.012]) == (True, True)
    assert holm([]) == ()


def test_the_cross_table_finds_the_strong_bot(described: Described, play: Play) -> None:
    cells = cross_table(all_played(plan(described(games=210)), play, LEADING))
    assert len(cells) == 21
    for cell in cells:
        assert cell.games == 210
        assert cell.interval is not None
        assert cell.holds is (cell.pair[0] == 0)
        assert (cell.better > 0.6) is (cell.pair[0] == 0)


def test_with_more_bots_than_seats_only_shared_games_count(
    described: Described, play: Play
) -> None:
    cells = cross_table(all_played(plan(described(8, 56)), play, LEADING))
    assert {cell.games for cell in cells} == {42}


# Ratings


def drawn_game(
    skills: Sequence[float], powers: Sequence[float], draws: NumberStream
) -> tuple[SeatFigures, ...]:
    """Return a game whose places are drawn by the model: races of exponentials."""
    order = list(range(len(skills)))
    draws.shuffle(order)
    bots = order[: len(powers)]
    times = [
        -log(1 - draws.unit()) / 2.718281828459045 ** (skills[bot] + power)
        for bot, power in zip(bots, powers, strict=True)
    ]
    places = [sorted(times).index(time) + 1.0 for time in times]
    return tuple(
        SeatFigures(bot, f"P{at}", 0.0, SeatEnd.DRAW, 1, places[at], forfeited=False)  # type: ignore[arg-type]
        for at, bot in enumerate(bots)
    )


SKILLS = (-1.0, -0.5, 0.0, 0.0, 0.25, 0.5, 0.75)
STRENGTHS = (0.6, 0.3, 0.0, 0.0, -0.2, -0.3, -0.4)


def drawn_blocks(blocks: int, seed: int = 4) -> Blocks:
    draws = NumberStream(seed)
    return [
        [drawn_game(SKILLS, STRENGTHS, draws) for _ in range(7)] for _ in range(blocks)
    ]


def test_ratings_recover_known_skills() -> None:
    found = fit_ratings(drawn_blocks(150), 7)
    for rating, skill in zip(found.ratings, SKILLS, strict=True):
        assert rating.skill == pytest.approx(skill, abs=0.15)
        assert rating.low is not None
        assert rating.high is not None
        assert rating.low < rating.skill < rating.high
        assert rating.high - rating.low < 0.4
    assert list(found.powers.values()) == pytest.approx(STRENGTHS, abs=0.15)


@pytest.mark.parametrize("tournaments", [5, pytest.param(20, marks=pytest.mark.long)])
def test_intervals_of_ratings_cover(tournaments: int) -> None:
    """Of 30 blocks with seven intervals for 95 % each, correlated in a game."""
    hit = 0
    for seed in range(tournaments):
        found = fit_ratings(drawn_blocks(30, 100 + seed), 7)
        for rating, skill in zip(found.ratings, SKILLS, strict=True):
            assert rating.low is not None
            assert rating.high is not None
            hit += rating.low <= skill <= rating.high
    assert 0.88 <= hit / (7 * tournaments) <= 1


def test_the_order_of_games_does_not_matter() -> None:
    blocks = drawn_blocks(20)
    ratings = [each.skill for each in fit_ratings(blocks, 7).ratings]
    backwards = [each.skill for each in fit_ratings(blocks[::-1], 7).ratings]
    assert backwards == pytest.approx(ratings, abs=1e-6)


def test_two_bots_have_the_odds_of_their_games() -> None:
    """Without much prior, skill difference = log of wins to losses; powers even out."""
    first = (("A", 1.0), ("B", 2.0))

    def game(winner: int, *, swapped: bool) -> tuple[SeatFigures, ...]:
        bots = (winner, 1 - winner)
        powers = ("B", "A") if swapped else ("A", "B")
        return tuple(
            SeatFigures(bot, power, 0.0, SeatEnd.DRAW, 1, place, forfeited=False)  # type: ignore[arg-type]
            for bot, power, (_, place) in zip(bots, powers, first, strict=True)
        )

    games = [game(0, swapped=at % 2 == 0) for at in range(300)]
    games += [game(1, swapped=at % 2 == 0) for at in range(100)]
    found = fit_ratings([games], 2)
    difference = found.ratings[0].skill - found.ratings[1].skill
    assert difference == pytest.approx(log(3), abs=0.001)
    assert found.ratings[0].low is None


def test_anchors_stay_where_they_are() -> None:
    found = fit_ratings(drawn_blocks(60), 7, {0: 4.0})
    assert found.ratings[0].skill == 4.0
    assert found.ratings[0].is_anchor
    assert found.ratings[6].skill == pytest.approx(4 + SKILLS[6] - SKILLS[0], abs=0.4)


def test_who_always_wins_has_a_finite_skill() -> None:
    game = tuple(
        SeatFigures(bot, f"P{bot}", 0.0, SeatEnd.DRAW, 1, bot + 1.0, forfeited=False)  # type: ignore[arg-type]
        for bot in range(7)
    )
    found = fit_ratings([[game]] * 20, 7)
    skills = [rating.skill for rating in found.ratings]
    assert skills == sorted(skills, reverse=True)
    assert skills[0] < 20


# Stopping


def test_a_clear_winner_ends_the_tournament_early(
    described: Described, play: Play
) -> None:
    of = plan(described(games=420, stop=StopRule(separated=2)))
    watch = StopWatch(of)
    verdict = watch.follow(all_played(of, play, (4.0, *(1.0,) * 6)))
    assert verdict is not None
    assert verdict.block < 60
    assert verdict.order[0] == 0
    assert verdict.reason.startswith("separated: bot0 > bot")


def test_narrow_intervals_end_it_too(described: Described, play: Play) -> None:
    of = plan(described(games=420, stop=StopRule(half_width=0.05)))
    verdict = StopWatch(of).follow(all_played(of, play, (1.0,) * 7))
    assert verdict is not None
    assert verdict.reason == "every interval is at most 0.05 to each side"


def test_without_a_rule_nothing_stops(described: Described, play: Play) -> None:
    of = plan(described(games=84))
    assert StopWatch(of).follow(all_played(of, play, (9.0, *(1.0,) * 6))) is None


def test_the_verdict_does_not_depend_on_when_one_looks(
    described: Described, play: Play
) -> None:
    of = plan(described(games=420, stop=StopRule(separated=2)))
    done = all_played(of, play, (4.0, *(1.0,) * 6))
    at_once, step_by_step, growing = StopWatch(of), StopWatch(of), Ledger(of)
    for game in done.played.values():
        growing.add(game)
        step_by_step.follow(growing)
    assert at_once.follow(done) == step_by_step.verdict


@pytest.mark.parametrize("tournaments", [4, pytest.param(20, marks=pytest.mark.long)])
def test_equal_bots_are_rarely_separated(
    described: Described, play: Play, tournaments: int
) -> None:
    """In 5 % of tournaments at most, here of 15 blocks; seeds are fixed."""
    wrong = 0
    for seed in range(tournaments):
        of = plan(described(games=105, seed=seed, stop=StopRule(separated=2)))
        wrong += StopWatch(of).follow(all_played(of, play, (1.0,) * 7)) is not None
    assert wrong <= tournaments * 0.05


# Ladder


def test_the_least_known_bot_plays_and_meets_its_like() -> None:
    bots = [LadderBot(at, at * 1.0, 0.2, (5,) * 7) for at in range(12)]
    bots.append(LadderBot(12, 5.5, None))
    line_up = next_line_up(bots, 7, ladder_draws(1, 1))
    assert sorted(line_up) == [2, 3, 4, 5, 6, 7, 12] or {4, 5, 6, 7, 12} < set(line_up)
    assert line_up == next_line_up(bots, 7, ladder_draws(1, 1))


def test_fewer_bots_than_seats_play_in_copies() -> None:
    line_up = next_line_up([LadderBot(0), LadderBot(1)], 7, ladder_draws(1, 1))
    assert sorted(Counter(line_up).values()) == [3, 4]


def test_a_bot_takes_the_seat_that_it_had_least() -> None:
    held = (3, 3, 3, 0, 3, 3, 3)
    bots = [LadderBot(0, 0.0, None, held)]
    bots += [LadderBot(at, 0.0, 0.1, (9,) * 7) for at in range(1, 7)]
    assert next_line_up(bots, 7, ladder_draws(1, 1))[3] == 0


def test_nobody_to_play_is_an_error() -> None:
    with pytest.raises(ValueError, match="needs a bot"):
        next_line_up([], 7, ladder_draws(1, 1))


def test_a_ladder_s_plan_is_its_decisions(described: Described, play: Play) -> None:
    ladder = evolve(described(), design=DesignChoice("ladder"))
    of = ladder_plan(ladder, [(0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0)])
    assert of.game(2).bots == (6, 5, 4, 3, 2, 1, 0)
    found = all_played(of, play, (1.0,) * 7)
    assert found.is_complete()
    longer = ladder_plan(ladder, [*(game.bots for game in of.all_games()), (0,) * 7])
    assert longer.game(1) == of.game(1)
