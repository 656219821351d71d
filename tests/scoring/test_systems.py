"""The worked values of the scoring systems, and what holds for every game."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import (
    SYSTEMS,
    WITHOUT_FORMULA,
    ScoringError,
    all_points,
    points,
    score,
)

POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")))


def result(
    counts: Sequence[int], *eliminated: int, solo: int | None = None
) -> GameResult:
    """Return a standing; *eliminated* are the years of the dead, in their order."""
    dead = [power for power, count in zip(POWERS, counts, strict=True) if not count]
    return GameResult(
        centres=dict(zip(POWERS, counts, strict=True)),
        eliminated=dict(zip(dead, eliminated, strict=False)),
        soloist=POWERS[0] if solo else None,
        draw=frozenset(),
        first_year=1901,
        last_year=solo or 1910,
        supply=34,
    )


A = result((13, 9, 6, 4, 2, 0, 0), 1906, 1904)
B = result((9, 9, 6, 5, 4, 1, 0), 1905)
S = result((18, 7, 5, 3, 1, 0, 0), 1905, 1903, solo=1908)

WORKED = [
    ("sum_of_squares", A, ".5523 .2647 .1176 .0523 .0131 0 0"),
    ("sum_of_squares", B, ".3375 .3375 .1500 .1042 .0667 .0042 0"),
    ("sum_of_squares", S, "1 0 0 0 0 0 0"),
    ("draw_size", A, ".2 .2 .2 .2 .2 0 0"),
    ("draw_size", B, ".1667 .1667 .1667 .1667 .1667 .1667 0"),
    ("draw_size", S, "1 0 0 0 0 0 0"),
    ("sum_of_centers", A, ".3824 .2647 .1765 .1176 .0588 0 0"),
    ("sum_of_centers", B, ".2647 .2647 .1765 .1471 .1176 .0294 0"),
    ("sum_of_centers", S, "1 0 0 0 0 0 0"),
    ("c_diplo_100", A, "52 24 14 5 3 1 1"),
    ("c_diplo_100", B, "36 36 14 6 5 2 1"),
    ("c_diplo_100", S, "100 0 0 0 0 0 0"),
    ("c_diplo_73", A, "52 24 14 5 3 1 1"),
    ("c_diplo_73", S, "73 0 0 0 0 0 0"),
    ("tribute", A, "54.2 15.2 12.2 10.2 8.2 0 0"),
    ("tribute", B, "26 26 14 13 12 9 0"),
    ("tribute", S, "100 0 0 0 0 0 0"),
    ("carnage", A, "7013 6009 5006 4004 3002 2000 1000"),
    ("carnage", B, "6509 6509 5006 4005 3004 2001 1000"),
    ("carnage", S, "28034 0 0 0 0 0 0"),
    ("dixie", A, "140.8 124.8 112.8 104.8 96.8 10 0"),
    ("dixie", B, "111.67 111.67 99.67 95.67 91.67 79.67 0"),
    ("dixie", S, "342 98 70 46 24 10 0"),
    ("SumOfSquares", A, "55.23 26.47 11.76 5.23 1.31 0 0"),
    ("DrawSize", A, "20 20 20 20 20 0 0"),
    ("CDiplo", A, "52 24 14 5 3 1 1"),
    ("CDiploNamur", A, "64 36 26 15 10 1 1"),
    ("CDiploNamur", S, "85 0 0 0 0 0 0"),
    ("Carnage", A, "7013 6009 5006 4004 3002 2000 1000"),
    ("Carnage100", A, "25.02 21.43 17.86 14.28 10.71 7.13 3.57"),
    ("Carnage100", S, "100 0 0 0 0 0 0"),
    ("Carnage21", A, "7013 6009 5006 4004 3002 2000 1000"),
    ("Carnage21", S, "21034 0 0 0 0 0 0"),
    ("CenterCountCarnage", A, "13507 10506 8005 6004 4003 2002 1001"),
    ("CenterCountCarnage", S, "39028 1000 1000 1000 1000 1000 1000"),
    ("HalfTribute", A, "40.2 18.7 15.7 13.7 11.7 0 0"),
    ("OpenTribute", A, "130 57 45 37 29 0 0"),
    ("OpenTribute", B, "68 68 49 45 41 29 0"),
    ("OpenTribute", S, "340 0 0 0 0 0 0"),
    ("MindTheGap", A, "45.3 19.3 14.8 11.8 8.8 0 0"),
    ("OpenMindTheGap", A, "49 21.5 15.5 11 8 0 0"),
    ("OpenMindTheGap", B, "26.25 26.25 19.5 16.5 15 10.5 0"),
    ("ManorCon", A, "42.78 24.01 13.72 8.66 5.05 .6 .4"),
    ("ManorCon", S, "75 .8 .8 .8 .8 .5 .3"),
    ("ManorConOriginal", S, "100 .8 .8 .8 .8 .5 .3"),
    ("Bangkok", A, "28 12 9 7 5 1.5 .9"),
    ("Bangkok", B, "18 18 9 8 7 4 1.2"),
    ("Bangkok", S, "41 3.5 2.5 1.5 .5 0 0"),
    ("Bangkok100", A, "44.16 18.93 14.2 11.04 7.89 2.37 1.42"),
    ("Bangkok100", S, "100 0 0 0 0 0 0"),
    ("Whipping", A, "168 102 72 52 32 6 4"),
    ("Whipping", S, "468 8 8 8 8 5 3"),
    ("WorldClassic", A, "208 120 90 70 50 5 3"),
    ("WorldClassic", S, "420 8 8 8 8 4 2"),
    ("Detour09", A, "39.66 24.14 17.24 12.07 6.9 1.25 .75"),
    ("Detour09", S, "110 2 2 2 2 1 .5"),
]


@pytest.mark.parametrize(("name", "game", "expected"), WORKED)
def test_worked_values(name: str, game: GameResult, expected: str) -> None:
    """Each value agrees with its document, in the decimals that are printed there."""
    for text, found in zip(expected.split(), points(name, game).values(), strict=True):
        decimals = len(text.partition(".")[2])
        # Half a last digit: the documents round halves either way.
        assert abs(found - Fraction(text)) <= Fraction(1, 2 * 10**decimals), name


TIES = [
    ("c_diplo_100", (11, 8, 8, 3, 3, 1, 0), "50 19.5 19.5 4 4 2 1"),
    ("tribute", (13, 12, 4, 4, 1, 0, 0), "54.2 18.2 10.2 10.2 7.2 0 0"),
    ("carnage", (8, 8, 7, 6, 4, 1, 0), "6508 6508 5007 4006 3004 2001 1000"),
]


@pytest.mark.parametrize(("name", "counts", "expected"), TIES)
def test_ties_share_their_places(
    name: str, counts: tuple[int, ...], expected: str
) -> None:
    found = points(name, result(counts))

    assert list(found.values()) == [Fraction(text) for text in expected.split()]


def test_a_power_voted_out_of_the_draw_is_ranked_behind_it() -> None:
    out = evolve(A, draw=frozenset(POWERS[:4]))

    assert list(points("dixie", out).values()) == [158, 142, 130, 122, 28, 10, 0]
    assert points("draw_size", out)[POWERS[4]] == 0
    assert points("draw_size", out)[POWERS[0]] == Fraction(1, 4)


def test_scores_are_shares_of_what_was_given_even_if_centres_are_left() -> None:
    given = points("c_diplo_100", result((4, 4, 4, 5, 4, 4, 3)))

    assert sum(given.values()) == 94
    assert sum(score(given).values()) == 1


def test_dead_powers_share_places_if_their_years_are_unknown() -> None:
    assert (
        list(points("carnage", result((14, 10, 10, 0, 0, 0, 0))).values())[3:]
        == [2500] * 4
    )


@pytest.mark.parametrize("name", WITHOUT_FORMULA)
def test_a_system_without_formula_is_named_as_such(name: str) -> None:
    with pytest.raises(ScoringError, match="its formula is not known"):
        points(name, A)


def test_an_unknown_system_is_named_with_those_that_exist() -> None:
    with pytest.raises(ScoringError, match="'elo', expected one of sum_of_squares"):
        points("elo", A)


def test_numbers_of_the_standard_map_are_not_used_elsewhere() -> None:
    five = evolve(A, centres=dict.fromkeys(POWERS[:5], 3), supply=21)

    with pytest.raises(ScoringError, match="seven powers and 34 centres only"):
        points("dixie", five)
    assert list(points("carnage", five).values()) == [3003] * 5
    alone = evolve(five, soloist=POWERS[0])
    assert points("carnage", alone)[POWERS[0]] == 15021
    assert all_points(five)["dixie"] is None
    assert all_points(five)["carnage"] == points("carnage", five)


@st.composite
def games(draw: st.DrawFn) -> GameResult:
    """Return standings with all 34 centres owned, with and without a soloist."""
    cuts = sorted(draw(st.lists(st.integers(0, 34), min_size=6, max_size=6)))
    counts = [b - a for a, b in zip([0, *cuts], [*cuts, 34], strict=True)]
    years = draw(st.lists(st.integers(1901, 1910), min_size=7, max_size=7))
    soloist = next((p for p, c in zip(POWERS, counts, strict=True) if c > 17), None)
    return evolve(result(counts, *years), soloist=soloist)


@given(games())
def test_all_points_are_those_of_each_system(game: GameResult) -> None:
    assert all_points(game) == {name: points(name, game) for name in SYSTEMS}


@given(games(), st.sampled_from(sorted(SYSTEMS)))
def test_scores_sum_to_one(game: GameResult, name: str) -> None:
    assert sum(score(points(name, game)).values()) == 1


@given(games(), st.sampled_from(sorted(SYSTEMS)), st.permutations(POWERS))
def test_permuting_powers_permutes_points(
    game: GameResult, name: str, order: list[Power]
) -> None:
    shuffled = evolve(game, centres={power: game.centres[power] for power in order})

    assert points(name, shuffled) == points(name, game)


@given(games(), st.sampled_from(sorted(SYSTEMS)))
def test_equal_powers_have_equal_points(game: GameResult, name: str) -> None:
    found = points(name, game)
    for one in POWERS:
        for other in POWERS:
            same = game.centres[one] == game.centres[other]
            died = game.eliminated.get(one) == game.eliminated.get(other)
            if same and died and game.soloist not in {one, other}:
                assert found[one] == found[other]


TOTALS = {
    "carnage": 28034,
    "c_diplo_100": 100,
    "tribute": 100,
    "dixie": 590,
    "MindTheGap": 100,
    "OpenMindTheGap": None,
    "Carnage100": 100,
}


@given(games(), st.sampled_from([name for name, total in TOTALS.items() if total]))
def test_totals_do_not_depend_on_the_game(game: GameResult, name: str) -> None:
    """A full board gives out the same every time, but for a soloist's own prize."""
    assert sum(points(name, game).values()) == TOTALS[name]
