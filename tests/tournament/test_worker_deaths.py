"""Who ends workers is found from the games that lost theirs; others are not blamed."""

from collections.abc import Mapping
from random import Random

import pytest
from attrs import evolve

from daide_server.tournament.game_outcomes import (
    RETRY_AFTER,
    Attempt,
    PlayedGame,
    VoidGame,
    misfit,
)
from daide_server.tournament.plan import Plan
from daide_server.tournament.worker_deaths import WorkerDeaths
from tests.support.tournaments import ledger, played_ledger

GAMES = 84


def planned(games: int, bots: int) -> Plan:
    return played_ledger(games=games, strengths=(1,) * bots, played=0).plan


def found(killers: Mapping[int, float], *, bots: int, draw: Random) -> set[int]:
    """Return who is found at fault when each of *killers* kills by its chance."""
    deaths = WorkerDeaths()
    for game in planned(GAMES, bots).all_games():
        running = set(game.bots) - deaths.at_fault
        if any(draw.random() < killers.get(bot, 0) for bot in sorted(running)):
            deaths.add_lost(game.number, running)
        else:
            deaths.add_played(running)
    return deaths.at_fault


@pytest.mark.parametrize("bots", [8, 9, 12, 20])
@pytest.mark.parametrize("seed", range(5))
def test_a_bot_that_kills_in_each_of_its_games_is_found(bots: int, seed: int) -> None:
    assert found({2: 1.0}, bots=bots, draw=Random(seed)) == {2}


@pytest.mark.parametrize("bots", [9, 12, 20])
def test_two_of_them_are_found(bots: int) -> None:
    assert found({2: 1.0, 5: 1.0}, bots=bots, draw=Random(1)) == {2, 5}


@pytest.mark.parametrize("bots", [8, 9, 12, 20])
@pytest.mark.parametrize("chance", [0.1, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(5))
def test_a_bot_that_kills_at_times_puts_the_blame_on_nobody_else(
    bots: int, chance: float, seed: int
) -> None:
    assert found({2: chance}, bots=bots, draw=Random(seed)) <= {2}


def test_a_bot_cannot_have_another_one_found_at_fault() -> None:
    """It kills only when its victim plays as well."""
    deaths = WorkerDeaths()
    for game in planned(GAMES, 9).all_games():
        if {0, 1} <= set(game.bots):
            deaths.add_lost(game.number, game.bots)
        else:
            deaths.add_played(game.bots)

    assert deaths.at_fault == set()


def test_bots_that_always_play_together_are_not_told_apart() -> None:
    deaths = WorkerDeaths()
    for game in range(1, 20):
        deaths.add_lost(game, (0, 1))

    assert deaths.at_fault == set()


def test_one_bot_alone_with_ours_is_at_fault_after_three_games() -> None:
    """Attempts at one game are one game."""
    deaths = WorkerDeaths()
    for game in (1, 1, 1, 2):
        deaths.add_lost(game, (3,))
    assert deaths.at_fault == set()

    deaths.add_lost(3, (3,))

    assert deaths.at_fault == {3}


def test_a_machine_that_loses_a_worker_at_times_is_no_fault_of_a_bot() -> None:
    deaths = WorkerDeaths()
    for game in range(1, 301):
        if game % 100:
            deaths.add_played((3,))
        else:
            deaths.add_lost(game, (3,))

    assert deaths.at_fault == set()


def test_a_lost_game_is_played_again_after_others() -> None:
    """Their line-ups show who ended its worker; then it waits no longer."""
    plan = planned(42, 9)
    kept = ledger(plan, [VoidGame(1, 1, "killed", plan.game(1).bots)])
    order = list(kept.to_play())
    assert order[0] == Attempt(2, 1)
    assert order.index(Attempt(1, 2)) == RETRY_AFTER
    assert len(order) == plan.games

    kept.deaths.add_lost(50, (plan.game(1).bots[0],))
    kept.deaths.add_lost(51, (plan.game(1).bots[0],))
    kept.deaths.add_lost(52, (plan.game(1).bots[0],))

    assert kept.deaths.at_fault == {plan.game(1).bots[0]}
    assert next(kept.to_play()) == Attempt(1, 2)


def test_deaths_are_counted_per_bot_and_for_each_attempt() -> None:
    voids = [VoidGame(1, 1, "killed", (0, 1)), VoidGame(1, 2, "killed", (1,))]

    counts = ledger(planned(42, 9), [*voids, VoidGame(2, 1, "other")]).lost

    assert counts == {0: 1, 1: 2}


def test_games_of_a_stand_in_say_nothing_for_a_bot() -> None:
    """It was not started then; all that it was started for was lost."""

    def not_started(game: PlayedGame) -> PlayedGame:
        seats = [evolve(seat, stand_in=seat.bot == 0) for seat in game.seats]
        return evolve(game, seats=tuple(seats))

    kept = played_ledger(games=84, strengths=(1,) * 7, played=80, change=not_started)
    for game in (81, 82, 83):
        kept.add(VoidGame(game, 1, "killed", (0,)))

    assert kept.deaths.at_fault == {0}


def test_a_suspect_that_there_is_not_is_named() -> None:
    reason = misfit(VoidGame(1, 1, "killed", (9,)), planned(42, 9).description)

    assert reason == "found bot 9, expected 0 to 8"
