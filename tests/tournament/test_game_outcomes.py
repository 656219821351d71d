"""Each game counts once, whatever fails, in whatever order things come to an end."""

import msgspec
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.names import Power
from daide_server.scoring.game_result import GameResult
from daide_server.tournament.description import (
    DesignChoice,
    Entrant,
    TournamentDescription,
)
from daide_server.tournament.game_outcomes import (
    Attempt,
    Forfeit,
    GameOutcome,
    Ledger,
    PlayedGame,
    SeatOutcome,
    UnfinishedGame,
    VoidGame,
)
from daide_server.tournament.plan import Plan, plan
from tests.support.tournaments import ledger

POWERS = tuple(map(Power, "ABCDEFG"))
RESULT = GameResult(dict.fromkeys(POWERS, 1), {}, None, frozenset(), 1901, 1902, 7)
FORFEIT = Forfeit("F1905M", "its process ended with status 1")


def cup(
    bots: int = 7, games: int = 21, *, retries: int = 2, bench_after: int = 5
) -> Plan:
    entrants = tuple(Entrant(str(at)) for at in range(bots))
    description = TournamentDescription(
        "x", 1, POWERS, entrants, DesignChoice(games=games)
    )
    return plan(evolve(description, retries=retries, bench_after=bench_after))


def played(
    of: Plan, game: int, attempt: int = 1, quitter: int | None = None
) -> PlayedGame:
    seats = tuple(
        SeatOutcome(bot, power, forfeit=FORFEIT if bot == quitter else None)
        for bot, power in zip(of.game(game).bots, POWERS, strict=True)
    )
    return PlayedGame(game, attempt, RESULT, seats)


def test_all_games_are_to_be_played_at_first() -> None:
    assert list(Ledger(cup()).to_play()) == [Attempt(at + 1, 1) for at in range(21)]


def test_running_games_are_left_alone() -> None:
    assert next(Ledger(cup()).to_play(running={1, 2})) == Attempt(3, 1)


def test_only_whole_blocks_from_the_beginning_count() -> None:
    found = ledger(
        cup(), [played(cup(), game) for game in (*range(2, 8), *range(8, 15))]
    )
    assert found.finished_blocks == 0
    found.add(played(cup(), 1))
    assert found.finished_blocks == 2
    assert [len(block) for block in found.blocks()] == [7, 7]


def test_the_first_outcome_of_a_game_counts() -> None:
    found = Ledger(cup())
    assert found.add(played(cup(), 1, attempt=2))
    assert not found.add(played(cup(), 1, attempt=1))
    assert found.played[1].attempt == 2


def test_a_void_game_is_played_again_until_its_retries_are_used_up() -> None:
    found = Ledger(cup(retries=1))
    found.add(VoidGame(1, 1, "no memory"))
    assert next(found.to_play()) == Attempt(1, 2)
    assert not found.unplayed
    found.add(VoidGame(1, 2, "no memory"))
    assert next(found.to_play()) == Attempt(2, 1)
    assert found.unplayed == (1,)


def test_an_unplayed_game_does_not_hold_up_its_block() -> None:
    found = Ledger(cup(retries=0))
    found.add(VoidGame(3, 1, "no memory"))
    for game in (1, 2, 4, 5, 6, 7):
        found.add(played(cup(), game))
    assert found.finished_blocks == 1
    assert [game.game for game in next(found.blocks())] == [1, 2, 4, 5, 6, 7]


def test_an_unfinished_game_is_no_retry() -> None:
    found = Ledger(cup(retries=0))
    found.add(UnfinishedGame(1, 1))
    assert next(found.to_play()) == Attempt(1, 2)
    assert not found.unplayed


def test_forfeits_in_a_row_bench_a_bot() -> None:
    found = Ledger(cup(bench_after=2))
    quitter = 3
    found.add(played(cup(), 1, quitter=quitter))
    found.add(played(cup(), 2))
    found.add(played(cup(), 3, quitter=quitter))
    assert not found.benched
    found.add(played(cup(), 4, quitter=quitter))
    assert found.benched == {quitter}


def test_nobody_is_benched_with_zero() -> None:
    found = ledger(
        cup(bench_after=0), [played(cup(), at, quitter=1) for at in range(1, 10)]
    )
    assert not found.benched


def test_games_of_a_benched_bot_are_not_played() -> None:
    """With more bots than seats; the blocks count without them."""
    of = cup(8, 56, bench_after=2)
    found, quitter = Ledger(of), of.game(1).bots[0]
    played_games = 0
    while (attempt := next(found.to_play(), None)) is not None:
        is_in = quitter in of.bots(attempt.game)
        found.add(played(of, attempt.game, quitter=quitter if is_in else None))
        played_games += is_in
    assert found.benched == {quitter}
    assert played_games == 2
    left = {game for game in found.unplayed if quitter in of.bots(game)}
    assert left == {*found.unplayed} == {*range(1, of.games + 1)} - {*found.played}
    assert found.is_complete()
    assert found.left_out_of(found.unplayed[0]) == {quitter}


def test_where_every_game_has_the_bot_the_others_play_on() -> None:
    found = ledger(
        cup(bench_after=2), [played(cup(), at, quitter=1) for at in range(1, 5)]
    )
    assert found.benched == {1}
    assert not found.unplayed
    assert next(found.to_play()) == Attempt(5, 1)


def test_a_void_game_is_charged_to_those_who_caused_it() -> None:
    found = Ledger(cup(8, 8))
    found.add(VoidGame(1, 1, "no memory"))
    found.add(VoidGame(1, 2, "not ready in time", blamed=(3,)))
    found.add(VoidGame(2, 1, "its worker was killed", suspects=(1, 3)))
    assert found.void == {1: 1, 3: 2}


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


@pytest.mark.parametrize(
    "value",
    [
        cup().game(3),
        cup().description,
        played(cup(), 1, quitter=2),
        VoidGame(1, 2, "killed"),
        UnfinishedGame(1, 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_survive_json(value: object) -> None:
    """So workers and stores elsewhere need no code for them."""
    text = msgspec.json.encode(value)
    assert msgspec.json.decode(text, type=type(value)) == value
