"""One line from bots to a result, and commands on tournaments that were played."""

import json
import os
import sys
from collections.abc import Iterator
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
from tests.running.cups import cup_settings, look, result_of_task, scheduler, write_cup

pytestmark = pytest.mark.end_to_end


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(tmp_path)
    yield
    os.chdir(before)


def match(*words: str) -> Result:
    return CliRunner().invoke(main, ["match", *words])


SHORT = ("--games", "7", "--year-limit", "1901")


def test_a_match_ends_with_a_table_and_goes_on_in_its_folder(tmp_path: Path) -> None:
    first = match("--bot", "dumb", "--against", "hold", *SHORT)

    assert first.exit_code == 0, first.output
    assert "7 of 7 games played" in first.output
    folder = tmp_path / "match-1"
    before = look(folder)
    assert before.plan.description.design.kind == "one-against-six"

    more = match("--bot", "dumb", "--against", "hold", "--folder", "match-1")
    other = match("--bot", "rand", "--against", "hold", *SHORT, "--folder", "match-1")

    # Another year limit, and another bot, are other games.
    assert (more.exit_code, other.exit_code) == (1, 1)
    assert "game.year_limit: 1901 -> 1910" in more.output
    assert "bot 1 builtin: dumb -> rand" in other.output
    again = match(
        *("--bot", "dumb", "--against", "hold", "--folder", "match-1", "--json"),
        *("--games", "14", "--year-limit", "1901"),
    )
    status = json.loads(again.output.splitlines()[-1])
    assert (again.exit_code, status["played"]) == (0, 14)
    after = look(folder).ledger.played
    assert all(after[game] == each for game, each in before.ledger.played.items())


def test_the_exit_code_says_that_nothing_is_known() -> None:
    """In a year two that hold are alike."""
    done = match("--bot", "hold", "--against", "hold", *SHORT, "--stop-when", "apart")

    assert done.exit_code == 4
    assert "not told apart" in done.output


def test_several_bots_play_against_the_other_only(tmp_path: Path) -> None:
    """In the same seats and with the same seeds, so that they compare."""
    done = match("--bot", "dumb", "--bot", "rand", "--against", "hold", *SHORT)

    assert done.exit_code == 0, done.output
    assert "dumb less rand: " in done.output
    plan = look(tmp_path / "match-1").plan
    games = list(plan.all_games())
    assert plan.games == 14
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.bots.count(0), other.bots.count(1)) == (1, 1)
        assert one.bots.index(0) == other.bots.index(1)
        assert (one.bots.count(2), other.bots.count(2)) == (6, 6)
        assert (one.seed, one.bot_seeds) == (other.seed, other.bot_seeds)


def test_versions_are_compared_in_pairs_of_games(tmp_path: Path) -> None:
    """In two intervals, and with the games that this saves."""
    games = ("--games", "140", "--year-limit", "1901")
    done = match("--paired", "rand", "dumb", "--against", "hold", *games)

    assert done.exit_code == 0, done.output
    (line,) = [line for line in done.output.splitlines() if "less rand" in line]
    assert "in 70 pairs of games, at any time 95 %" in line
    assert "unpaired (Welch)" in line
    bots = [bot.name for bot in look(tmp_path / "match-1").plan.description.bots]
    assert bots == ["dumb", "rand", "hold"]


def test_a_match_says_how_many_games_it_takes() -> None:
    done = match(
        *("--bot", "dumb", "--against", "hold", "--year-limit", "1901"),
        *("--detect", "0.1", "--power", "0.9"),
    )

    assert done.exit_code == 0, done.output
    assert (
        "a difference of 0.1 is found with a chance of 0.9 by 154 games" in done.output
    )
    assert not list(Path().iterdir())


START = {
    "phase": "F1905R",
    "units": {"FRANCE": ["A BUR", "F BRE"], "GERMANY": ["A MUN", "*A BUR"]},
    "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "BER"]},
    "retreats": {"GERMANY": {"A BUR": ["RUH", "GAS"]}},
}


def test_a_match_begins_at_a_phase(tmp_path: Path) -> None:
    """The folder keeps the position: the file may go, and the folder move."""
    phase = START["phase"]
    (tmp_path / "old.json").write_text(json.dumps(START))
    words = ("--bot", "hold", "--against", "dumb", "--start", f"old.json:{phase}")

    done = match(*words, "--games", "7", "--year-limit", "1905", "--folder", "one")

    assert done.exit_code == 0, done.output
    (tmp_path / "old.json").unlink()
    (tmp_path / "one").rename(tmp_path / "two")
    for path in (tmp_path / "two" / "games").iterdir():
        record = json.loads(path.read_text())
        assert record["phases"][0]["name"] == phase
        assert record["metadata"]["daide_start"] == f"old.json:{phase}"
    again = CliRunner().invoke(main, ["tournament", "run", "two", "--quiet"])
    assert again.exit_code == 0, again.output


def test_a_match_has_boards_of_any_size() -> None:
    board = ("--variant", "hundred3", "--year-limit", "1902", "--games", "3")

    done = match("--bot", "dumb", "--against", "hold", *board)

    assert done.exit_code == 0, done.output
    assert "3 of 3 games played" in done.output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--start", "none.json:S1901M"), "start: none.json: No such file"),
        (("--start", "none.json"), "expected FILE:PHASE"),
        (("--variant", "none"), "no variant is called 'none'"),
    ],
)
def test_a_start_that_is_not_there_is_named(
    words: tuple[str, ...], problem: str
) -> None:
    done = match("--bot", "hold", *words)

    assert done.exit_code == 1
    assert problem in done.output
    assert not list(Path().iterdir())


@pytest.fixture
def _java(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put on PATH what a machine need not have."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "java").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


@pytest.mark.usefixtures("_java")
@pytest.mark.parametrize("words", ["./nope", "java -jar nope.jar"])
def test_a_program_that_is_not_there_is_named(words: str) -> None:
    """It would forfeit every game."""
    done = match("--bot", f"{words} -p{{port}}", "--against", "hold")

    assert done.exit_code == 1
    found = words.rsplit(maxsplit=1)[-1]
    assert f"found no program {found!r} in {Path().absolute()}" in done.output
    assert not list(Path().iterdir())


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
