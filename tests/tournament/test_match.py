"""One line from bots to a result, and commands on tournaments that were played."""

import json
from functools import partial
from pathlib import Path

import pytest

from daide_server.tournament.game_outcomes import Attempt
from daide_server.tournament.run.game_task import BENCHED
from daide_server.tournament.run.scheduler import task_again, task_for
from daide_server.tournament.run.tournament_settings import DesignSettings
from daide_server.tournament.run.tournament_state import playing
from tests.support import commands
from tests.support.commands import printed, refusal
from tests.tournament.cups import look, quits, run_all, write_cup

pytestmark = pytest.mark.end_to_end


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


match = partial(commands.run, "match")
outcome = partial(printed, "match")


SHORT = ("--games", "7", "--year-limit", "1901")


def test_a_match_ends_with_a_table_and_resumes_in_its_folder(tmp_path: Path) -> None:
    first = outcome("--bot", "dumb", "--against", "hold", *SHORT)

    assert "7 of 7 games played" in first
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
    shown = outcome("--bot", "dumb", "--bot", "rand", "--against", "hold", *SHORT)

    assert "dumb less rand: " in shown
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
    shown = outcome("--paired", "rand", "dumb", "--against", "hold", *games)

    (line,) = [line for line in shown.splitlines() if "less rand" in line]
    assert "in 70 pairs of games, at any time 95 %" in line
    assert "unpaired (Welch)" in line
    bots = [bot.name for bot in look(tmp_path / "match-1").plan.description.bots]
    assert bots == ["dumb", "rand", "hold"]


def test_a_match_says_how_many_games_it_takes() -> None:
    bots = ("--bot", "dumb", "--against", "hold", "--year-limit", "1901")
    shown = outcome(*bots, "--detect", "0.1", "--power", "0.9")

    assert "a difference of 0.1 is found with a chance of 0.9 by 154 games" in shown
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

    outcome(*words, "--games", "7", "--year-limit", "1905", "--folder", "one")

    (tmp_path / "old.json").unlink()
    (tmp_path / "one").rename(tmp_path / "two")
    for path in (tmp_path / "two" / "games").iterdir():
        record = json.loads(path.read_text())
        assert record["phases"][0]["name"] == phase
        assert record["metadata"]["daide_start"] == f"old.json:{phase}"
    assert commands.run("tournament", "run", "two", "--quiet").exit_code == 0


def test_a_match_has_boards_of_any_size() -> None:
    board = ("--variant", "hundred3", "--year-limit", "1902", "--games", "3")

    shown = outcome("--bot", "dumb", "--against", "hold", *board)

    assert "3 of 3 games played" in shown


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--start", "none.json:S1901M"), "start: none.json: No such file"),
        (("--start", "none.json"), "expected FILE:PHASE"),
        (("--variant", "none"), "no variant is called 'none'"),
        # It would forfeit every game.
        (("--bot", "./nope -p{port}"), "found no program './nope' in {}"),
    ],
)
def test_a_missing_bot_or_position_is_named_and_nothing_is_played(
    words: tuple[str, ...], problem: str
) -> None:
    assert problem.format(Path().absolute()) in refusal(
        "match", "--bot", "hold", *words
    )
    assert not list(Path().iterdir())


async def test_a_game_is_played_again_with_the_bots_that_it_had(tmp_path: Path) -> None:
    """One that was benched after it plays, one that was benched then does not."""
    with playing(write_cup(tmp_path, games=7)) as (state, _):
        first, *others = [task_for(state, Attempt(game, 1)) for game in range(1, 8)]
        for task in (first, *others):
            state.ledger.add(quits(task, bot=0))
        assert state.ledger.benched == {0}

        again = task_again(state, state.ledger.played[1])
        benched = task_again(state, quits(first, bot=0, reason=BENCHED))

    assert again.attempt == Attempt(1, 1)
    assert not any(seat.stand_in for seat in again.seats)
    assert [seat.bot for seat in benched.seats if seat.stand_in] == [0]


@pytest.mark.parametrize("command", [("plan",), ("again", "1"), ("run",)])
async def test_a_file_of_other_games_is_refused(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Nothing is played by it, and no game of it can be compared."""
    folder = write_cup(tmp_path, games=7, bots=7)
    await run_all(folder)
    write_cup(tmp_path, games=7, bots=6)

    name, *words = command
    said = refusal("tournament", name, folder, *words)

    assert "games were played with other settings" in said
    assert "bot 7 name: bot6 -> nothing" in said
    assert "7 of 7 games played" in printed("tournament", "status", folder)


async def test_scores_of_two_tournaments_are_compared(tmp_path: Path) -> None:
    one = write_cup(tmp_path / "one", games=70)
    other = write_cup(tmp_path / "other", games=70, bots=6)
    text = (other / "tournament.toml").read_text()
    assert "seed = 7" in text
    (other / "tournament.toml").write_text(text.replace("seed = 7", "seed = 8"))
    await run_all(one)
    await run_all(other)

    shown = printed("tournament", "compare", one, other)
    same = printed("tournament", "compare", one, one)

    assert "differs: bot 7 name: bot6 -> nothing" in shown
    assert "seed" not in shown
    rows = [line.split() for line in shown.splitlines()]
    assert {row[0] for row in rows if row} >= {f"bot{at}" for at in range(6)}
    assert not any(row[0] == "bot6" for row in rows if row)
    assert "+0.000" in same
    assert "differs" not in same
    assert " to " in same


def test_ladders_do_not_compare_by_scores(tmp_path: Path) -> None:
    ladder = write_cup(tmp_path, design=DesignSettings(kind="ladder"))

    assert "found a ladder" in refusal("tournament", "compare", ladder, ladder)
