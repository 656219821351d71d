"""Each game counts once, whatever fails; who is at fault; lists of incidents."""

from collections.abc import Mapping
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.scoring.game_result import GameResult
from daide_server.tournament.game_outcomes import (
    RETRY_AFTER,
    Attempt,
    Forfeit,
    GameOutcome,
    Ledger,
    PlayedGame,
    SeatOutcome,
    UnfinishedGame,
    VoidGame,
    incidents,
    mismatch,
)
from daide_server.tournament.plan import Plan, plan_of
from daide_server.tournament.standings import standings
from daide_server.tournament.worker_deaths import WorkerDeaths
from tests.support.tournaments import (
    POWERS,
    described,
    forfeited,
    ledger,
    played_ledger,
)

RESULT = GameResult(dict.fromkeys(POWERS, 1), {}, None, frozenset(), 1901, 1902, 7)
FORFEIT = Forfeit("F1905M", "its process ended with status 1")


def cup(bots: int = 7, games: int = 21, **others: object) -> Plan:
    return plan_of(described(bots, games, **others))


def played(
    of: Plan, game: int, attempt: int = 1, quitter: int | None = None
) -> PlayedGame:
    seats = tuple(
        SeatOutcome(bot, power, forfeit=FORFEIT if bot == quitter else None)
        for bot, power in zip(of.game(game).bots, POWERS, strict=True)
    )
    return PlayedGame(game, attempt, RESULT, seats)


def test_only_whole_blocks_from_the_beginning_count() -> None:
    found = ledger(
        cup(), [played(cup(), game) for game in (*range(2, 8), *range(8, 15))]
    )
    assert found.finished_blocks == 0
    found.add(played(cup(), 1))
    assert found.finished_blocks == 2
    assert [len(block) for block in found.blocks()] == [7, 7]


def test_an_unplayed_game_does_not_hold_up_its_block() -> None:
    found = Ledger(cup(retries=0))
    found.add(VoidGame(3, 1, "no memory"))
    for game in (1, 2, 4, 5, 6, 7):
        found.add(played(cup(), game))
    assert found.finished_blocks == 1
    assert [game.game for game in next(found.blocks())] == [1, 2, 4, 5, 6, 7]


def test_forfeits_in_a_row_bench_a_bot() -> None:
    found = Ledger(cup(bench_after=2))
    quitter = 3
    found.add(played(cup(), 1, quitter=quitter))
    found.add(played(cup(), 2))
    found.add(played(cup(), 3, quitter=quitter))
    assert not found.benched
    found.add(played(cup(), 4, quitter=quitter))
    assert found.benched == {quitter}


def test_a_void_game_is_charged_to_those_who_caused_it() -> None:
    found = Ledger(cup(8, 8))
    found.add(VoidGame(1, 1, "no memory"))
    found.add(VoidGame(1, 2, "not ready in time", blamed=(3,)))
    found.add(VoidGame(2, 1, "its worker was killed", suspects=(1, 3)))
    found.add(VoidGame(2, 2, "its worker was killed", suspects=(3,)))
    rows = {row.bot: row for row in standings(found)}
    assert [rows[bot].voids for bot in (1, 2, 3)] == [1, 0, 3]
    assert [rows[bot].worker_deaths for bot in (1, 2, 3)] == [1, 0, 2]


@settings(max_examples=30)
@given(st.data())
def test_every_game_is_played_once_whatever_happens(data: st.DataObject) -> None:
    """Runs are interrupted, games void, outcomes late or twice: the same end."""
    of = cup(games=14, retries=100)
    stored: list[GameOutcome] = []
    for _ in range(60):
        found = ledger(of, stored)
        left = list(found.to_play())
        if not left:
            break
        chosen = data.draw(st.sampled_from(left))
        kinds = st.sampled_from(("played", "played", "void", "unfinished", "twice"))
        match data.draw(kinds):
            case "played":
                stored.append(played(of, chosen.game, chosen.number))
            case "void":
                stored.append(VoidGame(chosen.game, chosen.number, "killed"))
            case "unfinished":
                stored.append(UnfinishedGame(chosen.game, chosen.number))
            case _:
                stored += [played(of, chosen.game, chosen.number)] * 2
    found = ledger(of, stored)
    for attempt in list(found.to_play()):
        found.add(played(of, attempt.game, attempt.number))
    assert found.is_complete()
    assert sorted(found.played) == list(range(1, 15))
    assert sum(map(len, found.blocks())) == 14


def test_forfeits_and_stand_ins_are_incidents() -> None:
    def change(game: PlayedGame) -> PlayedGame:
        seats = (evolve(game.seats[0], stand_in=game.game == 2), *game.seats[1:])
        return forfeited(5, "exit code 1")(evolve(game, seats=seats))

    stand_in, forfeit = incidents(played_ledger(games=42, change=change))

    assert (stand_in.kind, stand_in.attempt.game) == ("stand-in", 2)
    assert (forfeit.kind, forfeit.turn) == ("forfeit", "F1903M")
    assert stand_in.power == forfeit.power == "AUS"
    assert forfeit.output.startswith("Traceback")


def test_void_games_say_what_became_of_them() -> None:
    ledger = played_ledger(games=42, played=0)
    for game, attempts in ((1, 1), (2, 3), (3, 1)):
        for attempt in range(1, attempts + 1):
            ledger.add(VoidGame(game, attempt, "worker killed"))
    again = played_ledger(games=42).played[3]
    ledger.add(evolve(again, attempt=2))

    found = [(each.attempt.game, each.afterwards) for each in incidents(ledger)]

    assert found == [
        (1, "to be played again"),
        *[(2, "given up after its retries")] * 3,
        (3, "played in attempt 2"),
    ]


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


@pytest.mark.parametrize(
    ("killers", "bots", "seed"),
    [
        *(({2}, bots, seed) for bots in (8, 9, 12, 20) for seed in range(5)),
        *(({2, 5}, bots, 1) for bots in (9, 12, 20)),
    ],
)
def test_bots_that_kill_in_each_of_their_games_are_found(
    killers: set[int], bots: int, seed: int
) -> None:
    chances = dict.fromkeys(killers, 1.0)
    assert found(chances, bots=bots, draw=Random(seed)) == killers


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


@pytest.mark.parametrize(
    ("bots", "games", "every"),
    [
        # Bots that always play together are not told apart.
        ((0, 1), 19, 1),
        # A machine that loses a worker at times is no fault of a bot.
        ((3,), 300, 100),
    ],
)
def test_nobody_is_at_fault(bots: tuple[int, ...], games: int, every: int) -> None:
    deaths = WorkerDeaths()
    for game in range(1, games + 1):
        if game % every:
            deaths.add_played(bots)
        else:
            deaths.add_lost(game, bots)

    assert deaths.at_fault == set()


def test_one_bot_alone_with_built_in_ones_is_at_fault_after_three_games() -> None:
    """Attempts at one game are one game."""
    deaths = WorkerDeaths()
    for game in (1, 1, 1, 2):
        deaths.add_lost(game, (3,))
    assert deaths.at_fault == set()

    deaths.add_lost(3, (3,))

    assert deaths.at_fault == {3}


def test_a_lost_game_is_played_again_after_others() -> None:
    """Their line-ups show who ended its worker; then it waits no longer."""
    plan = planned(42, 9)
    kept = ledger(plan, [VoidGame(1, 1, "killed", plan.game(1).bots)])
    order = list(kept.to_play())
    assert order[0] == Attempt(2, 1)
    assert order.index(Attempt(1, 2)) == RETRY_AFTER
    assert len(order) == plan.games

    killer = plan.game(1).bots[0]
    for game in (50, 51, 52):
        kept.deaths.add_lost(game, (killer,))

    assert kept.deaths.at_fault == {killer}
    assert next(kept.to_play()) == Attempt(1, 2)


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
    reason = mismatch(VoidGame(1, 1, "killed", (9,)), planned(42, 9).description)

    assert reason == "found bot 9, expected 0 to 8"
