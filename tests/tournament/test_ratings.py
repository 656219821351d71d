"""Skills from places: known ones are found, and intervals cover them."""

from collections.abc import Iterable, Sequence
from math import isfinite, log, log10

import pytest

from daide_server.board.names import Power
from daide_server.tournament.chance import NumberStream
from daide_server.tournament.game_outcomes import SeatOutcome
from daide_server.tournament.ratings import POINTS_PER_UNIT, Blocks, Rating, fit_ratings
from daide_server.tournament.run.bot_settings import ANCHOR_POINTS


def drawn_game(
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
        [drawn_game(SKILLS, STRENGTHS, draws) for _ in range(7)] for _ in range(blocks)
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
        games = [[drawn_game(SKILLS, STRENGTHS, draws)] for _ in range(10)]
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


def test_who_always_wins_has_a_finite_rating() -> None:
    game = tuple(
        SeatOutcome(bot, Power(f"P{bot}"), place=bot + 1.0) for bot in range(7)
    )
    found = fit_ratings([[game]] * 20, 7)
    points = [rating.points for rating in found]
    assert points == sorted(points, reverse=True)
    assert points[0] < 20 * POINTS_PER_UNIT
