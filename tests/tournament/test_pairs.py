"""Who is better: pairs of bots, versions of one, the stop rule, and ratings."""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite, log, log10

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.tournament.chance import NumberStream
from daide_server.tournament.description import (
    DesignChoice,
    StopRule,
    TournamentDescription,
)
from daide_server.tournament.game_outcomes import Ledger, PlayedGame, SeatOutcome
from daide_server.tournament.pairs import StopWatch, cross_table, holm, version_results
from daide_server.tournament.plan import plan_of
from daide_server.tournament.ratings import POINTS_PER_UNIT, Blocks, Rating, fit_ratings
from daide_server.tournament.run.bot_settings import ANCHOR_POINTS
from tests.support.tournaments import all_played, described, drawn_game, ledger

LEADING = (3.0, *(1.0,) * 7)


def test_holm_by_example() -> None:
    """0.05 over 4, 3, 2, 1: the third smallest fails, so the fourth does too."""
    assert holm([0.04, 0.01, 0.03, 0.005]) == (False, True, False, True)
    assert holm([0.02, 0.012]) == (True, True)
    assert holm([]) == ()


def test_the_cross_table_finds_the_strong_bot() -> None:
    cells = cross_table(all_played(plan_of(described(games=210)), LEADING))
    assert len(cells) == 21
    for cell in cells:
        assert cell.games == 210
        assert cell.interval is not None
        assert cell.holds is (cell.pair[0] == 0)
        assert (cell.better > 0.6) is (cell.pair[0] == 0)


def test_with_more_bots_than_seats_only_shared_games_count() -> None:
    cells = cross_table(all_played(plan_of(described(8, 56)), LEADING))
    assert {cell.games for cell in cells} == {42}


Version = Callable[[int], str]
WEAK = (1.0,) * 7
STRONG = (1.0, 1.0, 1.0, 2.5, 1.0, 1.0, 1.0)
CHANGED = 211
"""The first game in which bot 3 is another one."""


def with_versions(game: PlayedGame, of_changing: str) -> PlayedGame:
    seats = (
        evolve(seat, version=of_changing if seat.bot == 3 else "1.0")
        for seat in game.seats
    )
    return evolve(game, seats=tuple(seats))


def changing(cup: TournamentDescription, version: Version) -> Ledger:
    """Return a ledger in which bot 3 plays better from game `CHANGED` on."""
    of = plan_of(cup)
    return ledger(
        of,
        [
            with_versions(
                drawn_game(game, STRONG if game.number >= CHANGED else WEAK),
                version(game.number),
            )
            for game in of.all_games()
        ],
    )


def test_a_better_version_is_better() -> None:
    cup = described(games=420)
    before, after = version_results(
        changing(cup, lambda game: "1.0" if game < CHANGED else "1.1")
    )

    assert [each.bot for each in (before, after)] == [3, 3]
    assert [each.version for each in (before, after)] == ["1.0", "1.1"]
    assert [each.games for each in (before, after)] == [210, 210]
    assert before.change is None
    assert after.change == pytest.approx(after.score - before.score)
    assert after.change is not None
    assert after.change_interval is not None
    assert 0 < after.change_interval.low < after.change < after.change_interval.high
    assert after.interval is not None
    assert after.interval.low < after.score < after.interval.high


def test_equal_versions_are_seldom_told_apart() -> None:
    told = 0
    for seed in range(40):
        of = plan_of(described(games=140, seed=seed))
        games = (
            with_versions(drawn_game(game, WEAK), "1" if game.number <= 70 else "2")
            for game in of.all_games()
        )
        _, after = version_results(ledger(of, games))
        assert after.change_interval is not None
        told += not after.change_interval.low < 0 < after.change_interval.high
    assert told <= 5


def test_bots_of_one_version_are_not_listed() -> None:
    assert version_results(changing(described(), lambda _: "1.0")) == ()


SAID = {1: "", 2: "1.0", 28: "", 29: "1.1", 40: ""}


@pytest.mark.parametrize(
    ("version", "games"),
    [
        # Games in which it never joined count for the version before.
        (lambda game: SAID.get(game, "1.0" if game < 29 else "1.1"), (28, 14)),
        # A block of two versions counts for neither: it is no balanced part.
        (lambda game: "1.0" if game < 31 else "1.1", (28, 7)),
    ],
    ids=["said nothing", "block of two"],
)
def test_whole_blocks_of_seven_games_count_for_a_version(
    version: Version, games: tuple[int, int]
) -> None:
    results = version_results(changing(described(), version))

    assert [each.version for each in results] == ["1.0", "1.1"]
    assert tuple(each.games for each in results) == games
    assert results[1].change_interval is None


def test_scores_of_a_ladder_do_not_compare() -> None:
    cup = described(design=DesignChoice(kind="ladder"))
    of = plan_of(cup, [tuple(range(7))] * 30)
    games = [
        with_versions(drawn_game(game, WEAK), str(game.number))
        for game in of.all_games()
    ]

    assert version_results(ledger(of, games)) == ()


def test_a_clear_winner_ends_the_tournament_early() -> None:
    of = plan_of(described(games=420, stop=StopRule(separated=2)))
    watch = StopWatch(of)
    verdict = watch.follow(all_played(of, (4.0, *(1.0,) * 6)))
    assert verdict is not None
    assert verdict.block < 60
    assert verdict.order[0] == 0
    assert verdict.reason.startswith("separated: bot0 > bot")


def test_bots_against_one_opponent_are_told_apart() -> None:
    """It has the other seats of every game, and is not ranked with them."""
    design = DesignChoice("one-against-six", games=210, opponent=2)
    of = plan_of(described(3, design=design, stop=StopRule(separated=2)))
    verdict = StopWatch(of).follow(all_played(of, (9.0, 1.0, 2.0)))
    assert verdict is not None
    assert verdict.order == (0, 1)


def test_the_verdict_does_not_depend_on_when_one_looks() -> None:
    of = plan_of(described(games=420, stop=StopRule(separated=2)))
    done = all_played(of, (4.0, *(1.0,) * 6))
    at_once, step_by_step, growing = StopWatch(of), StopWatch(of), Ledger(of)
    for game in done.played.values():
        growing.add(game)
        step_by_step.follow(growing)
    assert at_once.follow(done) == step_by_step.verdict


@pytest.mark.parametrize("tournaments", [4, pytest.param(20, marks=pytest.mark.long)])
def test_equal_bots_are_rarely_separated(tournaments: int) -> None:
    """In 5 % of tournaments at most, here of 15 blocks; seeds are fixed."""
    wrong = 0
    for seed in range(tournaments):
        of = plan_of(described(games=105, seed=seed, stop=StopRule(separated=2)))
        wrong += StopWatch(of).follow(all_played(of, (1.0,) * 7)) is not None
    assert wrong <= tournaments * 0.05


# Skills from places: known ones are found, and intervals cover them


def drawn_seats(
    skills: Sequence[float], powers: Sequence[float], draws: NumberStream
) -> tuple[SeatOutcome, ...]:
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
        SeatOutcome(bot, Power(f"P{at}"), place=places[at])
        for at, bot in enumerate(bots)
    )


SKILLS = (-1.0, -0.5, 0.0, 0.0, 0.25, 0.5, 0.75)
STRENGTHS = (0.6, 0.3, 0.0, 0.0, -0.2, -0.3, -0.4)


def drawn_blocks(blocks: int, seed: int = 4) -> Blocks:
    draws = NumberStream(seed)
    return [
        [drawn_seats(SKILLS, STRENGTHS, draws) for _ in range(7)] for _ in range(blocks)
    ]


def interval(rating: Rating) -> tuple[float, float]:
    assert rating.low is not None
    assert rating.high is not None
    return rating.low, rating.high


def covered(found: Iterable[Rating]) -> int:
    """Return how many intervals have the skill in them."""
    ends = map(interval, found)
    skills = [POINTS_PER_UNIT * skill for skill in SKILLS]
    return sum(
        low <= skill <= high for (low, high), skill in zip(ends, skills, strict=True)
    )


def test_ratings_recover_known_skills() -> None:
    found = fit_ratings(drawn_blocks(150), 7)
    for rating, skill in zip(found, SKILLS, strict=True):
        assert rating.points == pytest.approx(POINTS_PER_UNIT * skill, abs=26)
        low, high = interval(rating)
        assert low < rating.points < high < low + 70


@pytest.mark.parametrize("tournaments", [5, pytest.param(20, marks=pytest.mark.long)])
def test_intervals_of_ratings_cover(tournaments: int) -> None:
    """Of 30 blocks with seven intervals for 95 % each, correlated in a game."""
    hit = sum(
        covered(fit_ratings(drawn_blocks(30, 100 + seed), 7))
        for seed in range(tournaments)
    )
    assert 0.88 <= hit / (7 * tournaments) <= 1


def test_few_games_have_wider_intervals_than_their_resamples() -> None:
    """Ten games each; with the quantiles of the resamples alone, 90 % held."""
    hit = 0
    for seed in range(40):
        draws = NumberStream(500 + seed)
        games = [[drawn_seats(SKILLS, STRENGTHS, draws)] for _ in range(10)]
        hit += covered(fit_ratings(games, 7))
    assert hit / (7 * 40) >= 0.92


def test_the_order_of_games_does_not_matter() -> None:
    blocks = drawn_blocks(20)
    ratings = [each.points for each in fit_ratings(blocks, 7)]
    backwards = [each.points for each in fit_ratings(blocks[::-1], 7)]
    assert backwards == pytest.approx(ratings, abs=1e-4)


def test_two_bots_have_the_odds_of_their_games() -> None:
    """Without much prior, 400 points for odds of ten; powers even out."""
    first = (("A", 1.0), ("B", 2.0))

    def game(winner: int, *, swapped: bool) -> tuple[SeatOutcome, ...]:
        bots = (winner, 1 - winner)
        powers = ("B", "A") if swapped else ("A", "B")
        return tuple(
            SeatOutcome(bot, Power(power), place=place)
            for bot, power, (_, place) in zip(bots, powers, first, strict=True)
        )

    games = [game(0, swapped=at % 2 == 0) for at in range(300)]
    games += [game(1, swapped=at % 2 == 0) for at in range(100)]
    found = fit_ratings([games], 2)
    difference = found[0].points - found[1].points
    assert difference == pytest.approx(400 * log10(3), abs=0.2)
    assert found[0].low is None


def test_anchors_stay_where_they_are() -> None:
    found = fit_ratings(drawn_blocks(60), 7, {0: 700.0})
    assert found[0].points == 700.0
    assert found[0].is_anchor
    apart = POINTS_PER_UNIT * (SKILLS[6] - SKILLS[0])
    assert found[6].points == pytest.approx(700 + apart, abs=70)


@pytest.mark.parametrize("other", [-ANCHOR_POINTS, 0, ANCHOR_POINTS])
def test_anchors_may_be_as_far_apart_as_they_can_be_given(other: int) -> None:
    """Whoever has none stays finite, whatever its results."""
    anchors = {0: float(ANCHOR_POINTS), 1: float(other)}
    found = fit_ratings(drawn_blocks(20), 7, anchors)
    assert found[0].points == ANCHOR_POINTS
    assert found[1].points == other
    assert all(isfinite(each.points) for each in found)


def test_a_bot_that_always_wins_has_a_finite_rating() -> None:
    game = tuple(
        SeatOutcome(bot, Power(f"P{bot}"), place=bot + 1.0) for bot in range(7)
    )
    found = fit_ratings([[game]] * 20, 7)
    points = [rating.points for rating in found]
    assert points == sorted(points, reverse=True)
    assert points[0] < 20 * POINTS_PER_UNIT
