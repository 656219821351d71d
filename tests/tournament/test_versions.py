"""Versions of a bot: who counts for which, and by how much one is better."""

from collections.abc import Callable, Sequence

import pytest
from attrs import evolve

from daide_server.tournament.description import DesignChoice, TournamentDescription
from daide_server.tournament.game_outcomes import Ledger, PlayedGame
from daide_server.tournament.pairs import VersionResult, version_results
from daide_server.tournament.plan import PlannedGame, plan, plan_of
from tests.support.tournaments import ledger

Described = Callable[..., TournamentDescription]
Play = Callable[[PlannedGame, Sequence[float]], PlayedGame]
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


def changing(cup: TournamentDescription, play: Play, version: Version) -> Ledger:
    """Return a ledger in which bot 3 plays better from game `CHANGED` on."""
    of = plan(cup)
    return ledger(
        of,
        [
            with_versions(
                play(game, STRONG if game.number >= CHANGED else WEAK),
                version(game.number),
            )
            for game in of.all_games()
        ],
    )


def results_of(found: Ledger) -> tuple[VersionResult, ...]:
    return version_results(found)


def test_a_better_version_is_better(described: Described, play: Play) -> None:
    cup = described(games=420)
    before, after = results_of(
        changing(cup, play, lambda game: "1.0" if game < CHANGED else "1.1")
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


def test_equal_versions_are_seldom_told_apart(described: Described, play: Play) -> None:
    told = 0
    for seed in range(40):
        of = plan(described(games=140, seed=seed))
        games = (
            with_versions(play(game, WEAK), "1" if game.number <= 70 else "2")
            for game in of.all_games()
        )
        _, after = results_of(ledger(of, games))
        assert after.change_interval is not None
        told += not after.change_interval.low < 0 < after.change_interval.high
    assert told <= 5


def test_bots_of_one_version_are_not_listed(described: Described, play: Play) -> None:
    assert results_of(changing(described(), play, lambda _: "1.0")) == ()


def test_who_said_no_version_counts_for_the_one_before(
    described: Described, play: Play
) -> None:
    """Games in which it never joined, the first among them; blocks of seven games."""
    said = {1: "", 2: "1.0", 28: "", 29: "1.1", 40: ""}
    versions = [said.get(game, "1.0" if game < 29 else "1.1") for game in range(43)]

    results = results_of(changing(described(), play, versions.__getitem__))

    assert [(each.version, each.games) for each in results] == [
        ("1.0", 28),
        ("1.1", 14),
    ]
    assert results[1].change_interval is None


def test_a_block_of_two_versions_counts_for_neither(
    described: Described, play: Play
) -> None:
    """What the second one has of it is no balanced part."""
    results = results_of(
        changing(described(), play, lambda game: "1.0" if game < 31 else "1.1")
    )

    assert [(each.version, each.games) for each in results] == [("1.0", 28), ("1.1", 7)]


def test_scores_of_a_ladder_do_not_compare(described: Described, play: Play) -> None:
    cup = described(design=DesignChoice(kind="ladder"))
    of = plan_of(cup, [tuple(range(7))] * 30)
    games = [
        with_versions(play(game, WEAK), str(game.number)) for game in of.all_games()
    ]

    assert results_of(ledger(of, games)) == ()
