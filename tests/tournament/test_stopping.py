"""The stop rule: when it ends a tournament, and how rarely it errs."""

from collections.abc import Callable

import pytest

from daide_server.tournament.description import (
    StopRule,
    TournamentDescription,
)
from daide_server.tournament.game_outcomes import Ledger
from daide_server.tournament.plan import plan
from daide_server.tournament.stopping import StopWatch
from tests.tournament.playing import Play, all_played

Described = Callable[..., TournamentDescription]


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
