"""One line from two bots to a result."""

import json
import os
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


def test_a_misspelt_bot_is_named() -> None:
    done = match("--bot", "dmub", "--against", "hold")

    assert done.exit_code == 1
    assert "did you mean dumb?" in done.output
    assert not list(Path().iterdir())
