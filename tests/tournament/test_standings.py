"""The table: means, shares, intervals and troubles of each bot."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import attrs
import msgspec
import pytest
from attrs import astuple, evolve

from daide_server.scoring.game_result import SeatEnd
from daide_server.tournament.description import DesignChoice
from daide_server.tournament.designs import DesignKind
from daide_server.tournament.game_outcomes import Forfeit, PlayedGame, VoidGame, scored
from daide_server.tournament.intervals import share_interval
from daide_server.tournament.plan import plan_of
from daide_server.tournament.standings import (
    BotStatus,
    standings,
    status_json,
    status_object,
)
from daide_server.usage import think_times
from tests.support.tournaments import (
    POWERS,
    all_played,
    described,
    drawn_game,
    ladder_ledger,
    ledger,
)

EVEN = (1.0,) * 9
LEADING = (9.0, *EVEN)


def widths(row: BotStatus) -> tuple[float, float]:
    """Return how wide the intervals of *row* are: for any time, and the fixed one."""
    assert row.low_fixed is not None
    assert row.high_fixed is not None
    return row.high - row.low, row.high_fixed - row.low_fixed


def played_with(counts: Sequence[int]) -> PlayedGame:
    """Return the first game of a cup, ended with these centres."""
    return with_centres(drawn_game(plan_of(described()).game(1), EVEN), counts)


def with_centres(game: PlayedGame, counts: Sequence[int]) -> PlayedGame:
    result = game.result
    centres = dict(zip(result.centres, counts, strict=True))
    dead = {power: 1905 + at for at, power in enumerate(centres) if not centres[power]}
    solo = next((power for power, count in centres.items() if count >= 18), None)
    return evolve(
        game, result=evolve(result, centres=centres, eliminated=dead, soloist=solo)
    )


def test_figures_of_a_game() -> None:
    """Squares 18 + 64 + 64, two dead in different years."""
    found = scored(played_with((16, 8, 8, 2, 0, 0, 0)), described()).seats
    assert found[0].score == float(Fraction(256, 256 + 64 + 64 + 4))
    assert [seat.place for seat in found] == [1, 2.5, 2.5, 4, 7, 6, 5]
    assert found[1].end is SeatEnd.SHARED
    assert found[4].end is SeatEnd.ELIMINATED


def test_a_solo_leaves_survivors() -> None:
    found = scored(played_with((1, 18, 15, 0, 0, 0, 0)), described()).seats
    assert [seat.end for seat in found[:4]] == [
        SeatEnd.SURVIVED,
        SeatEnd.WIN,
        SeatEnd.SURVIVED,
        SeatEnd.ELIMINATED,
    ]
    assert [seat.score for seat in found[:3]] == [0, 1, 0]


@pytest.mark.parametrize(("rule", "kept"), [("zero", False), ("as played", True)])
def test_a_forfeit_costs_the_quitter_only(rule: str, kept: object) -> None:
    cup = described(forfeit_score=rule)
    fair = played_with((10, 10, 10, 4, 0, 0, 0))
    seats = (evolve(fair.seats[0], forfeit=Forfeit(None, "exit 1")), *fair.seats[1:])
    before = scored(fair, cup).seats
    after = scored(evolve(fair, seats=seats), cup).seats
    assert after[1].score == before[1].score
    assert (after[0].score == before[0].score) is kept


def test_forfeited_seats_have_the_last_places() -> None:
    """Whatever their holding units reached; two of them share."""
    fair = played_with((10, 9, 8, 7, 0, 0, 0))
    quit_ = Forfeit(None, "exit 1")
    seats = tuple(
        evolve(seat, forfeit=quit_) if at in {0, 3} else seat
        for at, seat in enumerate(fair.seats)
    )
    for rule in ("zero", "as played"):
        cup = described(forfeit_score=rule)
        found = scored(evolve(fair, seats=seats), cup)
        assert [seat.place for seat in found.seats] == [6.5, 1, 2, 6.5, 5, 4, 3]


def test_a_bot_that_never_moves_is_rated_last() -> None:
    """Its units hold and reach much; bots that lose everything are rated above it."""
    of = plan_of(described())
    games = []
    for game in of.all_games():
        counts = [14 if bot == 0 else 20 - 4 * bot for bot in game.bots]
        seats = drawn_game(game, EVEN).seats
        played = with_centres(
            drawn_game(game, EVEN), [max(0, count) for count in counts]
        )
        quit_ = tuple(
            evolve(seat, forfeit=Forfeit(None, "crash")) if seat.bot == 0 else seat
            for seat in seats
        )
        games.append(evolve(played, seats=quit_))
    rows = standings(ledger(of, games), rated=True)
    ratings = {row.bot: row.rating or 0 for row in rows}
    assert min(ratings, key=ratings.__getitem__) == 0


def test_draws_by_vote_are_not_shares_at_the_year_limit() -> None:
    game = played_with((12, 11, 11, 0, 0, 0, 0))
    voted = evolve(game.result, by_vote=True, draw=frozenset(POWERS[:2]))
    assert [game.result.end_of(power).value for power in POWERS[:4]] == [
        *["shared"] * 3,
        "eliminated",
    ]
    assert [voted.end_of(power).value for power in POWERS[:4]] == [
        *["draw"] * 2,
        "survived",
        "eliminated",
    ]


def test_one_against_six_has_a_win_rate_per_seat() -> None:
    """Of the games alone; else one of six seats wins at most."""
    of = plan_of(described(2, design=DesignChoice(kind="one-against-six", games=42)))
    alone, field = (4.0, 1.0)
    rows = standings(all_played(of, (alone, field)))
    rates = {row.bot: row.win_rate for row in rows if row.win_rate}
    assert [rates[bot].seats for bot in (0, 1)] == [42, 252]
    for rate in rates.values():
        assert 0 <= rate.interval.low <= rate.share <= rate.interval.high <= 1
    assert rates[1].interval.high <= 1 / 6
    assert share_interval(0, 42).low == 0
    assert share_interval(3, 42).high == pytest.approx(0.1907, abs=1e-3)


def test_scores_add_up_and_the_best_is_first() -> None:
    rows = standings(all_played(plan_of(described()), LEADING))
    assert rows[0].name == "bot0"
    assert sum(row.score or 0 for row in rows) == pytest.approx(1)
    assert [row.games for row in rows] == [42] * 7
    for row in rows:
        assert row.endings is not None
        assert sum(astuple(row.endings)) == (pytest.approx(1))
        assert {each.games for each in row.by_power.values()} == {6}
        assert row.low <= (row.score or 0) <= row.high
        assert row.low_fixed is None
    assert sum(row.centres or 0 for row in rows) == pytest.approx(34)
    assert sum(row.place or 0 for row in rows) == pytest.approx(28)


@pytest.mark.parametrize(
    ("bots", "games", "most"),
    # With more bots than seats they are narrow too.
    [(7, 210, 1.6), (8, 240, 1.5)],
)
def test_fixed_intervals_come_with_thirty_blocks(
    bots: int, games: int, most: float
) -> None:
    of = plan_of(described(bots, games=games))
    any_time, fixed = widths(standings(all_played(of, EVEN[:bots]))[0])
    assert fixed < any_time < most * fixed


def test_troubles_are_counted_in_all_games() -> None:
    of = plan_of(described())
    game = drawn_game(of.game(5), EVEN)
    worst = evolve(
        game.seats[0],
        forfeit=Forfeit("S1902M", "garbage"),
        refused=3,
        late=2,
        version="2.1",
        think_times=think_times([0.5, 0.5, 4.0]),
    )
    found = ledger(of, [evolve(game, seats=(worst, *game.seats[1:]))])
    found.add(VoidGame(6, 1, "no memory", blamed=(worst.bot,)))
    row = next(row for row in standings(found) if row.bot == worst.bot)
    assert (row.forfeits, row.voids) == (1, 1)
    assert (row.refused, row.late) == (3, 2)
    assert row.versions == ("2.1",)


def test_games_without_forfeits_have_their_own_mean() -> None:
    of = plan_of(described(games=7))
    games = [drawn_game(game, EVEN) for game in of.all_games()]
    bad = games[0]
    seats = (evolve(bad.seats[0], forfeit=Forfeit(None, "exit 1")), *bad.seats[1:])
    rows = standings(ledger(of, [evolve(bad, seats=seats), *games[1:]]))
    assert {row.clean_games for row in rows} == {6}


def test_a_block_uses_the_games_that_were_planned_when_it_began() -> None:
    of = plan_of(described(games=84))
    found = all_played(of, EVEN)
    usual = standings(found)
    found.planned = ((1, 42), (7, 84))
    assert [found.planned_at(block) for block in (6, 7)] == [42, 84]
    assert standings(found) != usual
    found.planned = ((1, 84),)
    assert standings(found) == usual


@pytest.mark.parametrize(
    ("bots", "design", "alone", "together"),
    [
        (3, "line-ups", 1, 1),
        (7, "line-ups", 1, 1),
        (8, "line-ups", 7 / 8, 3 / 4),
        (15, "line-ups", 7 / 15, 1 / 5),
        (3, "one-against-six", 2 / 3, 1 / 3),
        (9, "fixed", 1, 1),
    ],
)
def test_the_share_of_the_games_of_a_bot_and_of_two(
    bots: int, design: DesignKind, alone: float, together: float
) -> None:
    found = plan_of(described(bots, design=DesignChoice(design))).design
    assert found.bot_share == pytest.approx(alone)
    assert found.pair_share == pytest.approx(together)


@pytest.mark.parametrize(("bots", "most"), [(2, 1 / 3), (3, 1 / 2), (4, 1), (9, 1)])
def test_copies_limit_what_a_bot_can_score(bots: int, most: float) -> None:
    """No bot ever has fewer copies in a game than that follows from."""
    of = plan_of(described(bots))
    fewest = min(
        count for game in of.all_games() for count in Counter(game.bots).values()
    )
    assert of.design.most_score == pytest.approx(most) == pytest.approx(1 / fewest)


def test_think_times_add_up() -> None:
    """Quantiles are within 9 %, the longest exact."""
    times = think_times([at / 100 for at in range(1, 1001)])
    assert times.turns == 1000
    assert times.quantile(0.5) == pytest.approx(5, rel=0.09)
    assert times.quantile(0.99) == pytest.approx(9.9, rel=0.09)
    assert times.longest == 10
    assert think_times([]).quantile(0.5) is None


def test_a_ladder_is_ranked_by_ratings_and_claims_nothing_of_scores() -> None:
    """Its bots meet other opponents each, so a mean score has no interval."""
    rows = standings(ladder_ledger(games=60, strengths=(3, 1, 2, 1.5, 1, 1, 1, 1)))

    points = [row.rating for row in rows if row.rating is not None]
    assert points == sorted(points, reverse=True)
    assert len(points) == 8
    assert rows[0].name == "bot0"
    assert {(row.low, row.high, row.low_fixed) for row in rows} == {(0, 1, None)}


def test_a_fixed_line_up_has_no_ratings() -> None:
    """Skill and the strength of the powers cannot be told apart."""
    cup = described(design=DesignChoice(kind="fixed", games=20))

    rows = standings(all_played(plan_of(cup), EVEN), rated=True)

    assert {row.rating for row in rows} == {None}


def test_copies_count_with_their_mean() -> None:
    """Three bots in seven seats: each has 42 games of 42, whatever its copies."""
    rows = standings(all_played(plan_of(described(3)), (4.0, 2.0, 1.0)))
    assert [(row.name, row.games) for row in rows] == [
        (f"bot{at}", 42) for at in range(3)
    ]
    for row in rows:
        assert row.endings is not None
        assert sum(astuple(row.endings)) == (pytest.approx(1))
        assert 1 <= (row.place or 0) <= 7
        assert (row.centres or 0) <= 34


def test_the_keys_are_those_that_were_promised() -> None:
    found = ledger(plan_of(described()), [])
    status = msgspec.json.decode(status_json(status_object(found, standings(found))))

    assert " ".join(status) == (
        "name rank_by games played running remaining unplayed stopped bots kind"
    )
    assert " ".join(status["bots"][0]) == (
        "name version games score low high low_fixed high_fixed forfeits voids refused "
        "late rating rating_low rating_high anchor worker_deaths endings win_rate "
        "never_ordered usage cost_per_game fixed_is_rough centres place clean_games "
        "clean_score by_power played said_names versions boxes bot"
    )


def test_the_games_add_up() -> None:
    of = plan_of(described(retries=0))
    found = ledger(of, [drawn_game(of.game(at), EVEN) for at in range(1, 11)])
    found.add(VoidGame(12, 1, "no memory"))

    status = status_object(found, standings(found), running=2, stopped="separated")

    assert attrs.astuple(status)[2:8] == (42, 10, 2, 29, 1, "separated")
    assert status.bots[0].games == 7
