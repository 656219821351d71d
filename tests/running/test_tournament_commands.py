"""Commands on tournaments that were played: `again`, `plan`, `compare`."""

from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.running.game_task import BENCHED
from daide_server.running.scheduler import task_again, task_for
from daide_server.running.tournament_settings import DesignSettings
from daide_server.running.tournament_state import TournamentState, playing
from daide_server.tournament.game_outcomes import Attempt, Forfeit, PlayedGame
from tests.running.cups import cup_settings, result_of_task, scheduler, write_cup


def forfeited(state: TournamentState, game: int, reason: str) -> PlayedGame:
    """Return the outcome of a game that the first bot has forfeited."""
    found = result_of_task(task_for(state, Attempt(game, 1)))
    lost = Forfeit(None, reason)
    seats = [evolve(each, forfeit=None if each.bot else lost) for each in found.seats]
    return evolve(found, seats=tuple(seats))


async def test_a_game_is_played_again_with_the_bots_that_it_had(tmp_path: Path) -> None:
    """One that was benched after it plays, one that was benched then does not."""
    with playing(write_cup(tmp_path, games=7)) as (state, _):
        for game in range(1, 8):
            state.ledger.add(forfeited(state, game, "exited with code 1 in the game"))
        assert state.ledger.benched == {0}

        again = task_again(state, state.ledger.played[1])
        benched = task_again(state, forfeited(state, 1, BENCHED))

    assert again.attempt == Attempt(1, 1)
    assert not any(seat.stand_in for seat in again.seats)
    assert [seat.bot for seat in benched.seats if seat.stand_in] == [0]


@pytest.mark.parametrize("command", [("plan",), ("again", "1"), ("run",)])
async def test_a_file_of_other_games_is_refused(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Nothing is played by it, and no game of it can be compared."""
    folder = write_cup(tmp_path, games=7, bots=7)
    with playing(folder) as (state, _):
        await scheduler(state)[0].run()
    write_cup(tmp_path, games=7, bots=6)

    name, *words = command
    done = CliRunner().invoke(main, ["tournament", name, str(folder), *words])

    assert done.exit_code == 1
    assert "games were played with other settings" in done.output
    assert "bot 7 name: bot6 -> nothing" in done.output
    shown = CliRunner().invoke(main, ["tournament", "status", str(folder)])
    assert "7 of 7 games played" in shown.output


def compare(one: Path, other: Path) -> Result:
    return CliRunner().invoke(main, ["tournament", "compare", str(one), str(other)])


async def play(folder: Path) -> Path:
    with playing(folder) as (state, _):
        await scheduler(state)[0].run()
    return folder


async def test_scores_of_two_tournaments_are_compared(tmp_path: Path) -> None:
    one = await play(write_cup(tmp_path / "one", games=70))
    names = cup_settings().names
    other = write_cup(tmp_path / "other", games=70, bots=6)
    text = (other / "tournament.toml").read_text()
    (other / "tournament.toml").write_text(text.replace("seed = 7", "seed = 8"))
    await play(other)

    done = compare(one, other)
    same = compare(one, one)

    assert names.seed == 7
    assert done.exit_code == 0, done.output
    assert "differs: bot 7 name: bot6 -> nothing" in done.output
    assert "seed" not in done.output
    rows = [line.split() for line in done.output.splitlines()]
    assert {row[0] for row in rows if row} >= {f"bot{at}" for at in range(6)}
    assert not any(row[0] == "bot6" for row in rows if row)
    assert "+0.000" in same.output
    assert "differs" not in same.output
    assert " to " in same.output


def test_ladders_do_not_compare_by_scores(tmp_path: Path) -> None:
    ladder = write_cup(tmp_path, design=DesignSettings(kind="ladder"))

    done = compare(ladder, ladder)

    assert done.exit_code == 1
    assert "found a ladder" in done.output
