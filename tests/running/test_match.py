"""One line from two bots to a result."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main
from tests.running.cups import look

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
