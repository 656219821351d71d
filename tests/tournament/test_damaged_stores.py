"""Rows that no run has stored are refused in one line."""

import sqlite3
from pathlib import Path

import pytest
import trio

from daide_server.tournament.run.errors import RunningError
from tests.support.commands import refusal
from tests.tournament.cups import run_all, write_cup

BODY = "UPDATE outcomes SET body = json_set(body, {}) WHERE game = 3"
DESCRIPTION = "UPDATE tournaments SET description = json_set(description, {})"
TEXT = "UPDATE tournaments SET description = replace(description, '{}', '{}')"
ROWS = [
    (BODY.format("'$.seats[0].bot', 99"), "found bot 99, expected 0 to 6"),
    (BODY.format("'$.seats[0].bot', -5"), "found bot -5, expected 0 to 6"),
    (BODY.format("'$.seats[6].power', 'AUS'"), "found seats of ('AUS', "),
    (
        "UPDATE outcomes SET body = json_remove(body, '$.seats[6]') WHERE game = 3",
        "found seats of ('AUS', ",
    ),
    (BODY.format("'$.result.centres', json('{}')"), "found centres of [], expected"),
    (BODY.format("'$.result.centres.AUS', 9999"), "expected 34 at most in all"),
    (BODY.format("'$.result.centres.AUS', -1"), "expected 34 at most in all"),
    (BODY.format("'$.result.soloist', 'XYZ'"), "found the soloist 'XYZ', expected"),
    (BODY.format("'$.seats[0].score', 1e308"), "found a score of 1e+308, expected"),
    (BODY.format("'$.game', 0"), "found (0, 1), expected (3, 1)"),
    (BODY.format("'$.game', 4"), "found (4, 1), expected (3, 1)"),
    (BODY.format("'$.attempt', 7"), "found (3, 7), expected (3, 1)"),
    ("UPDATE outcomes SET game = 'abc' WHERE game = 3", "expected ('abc', 1)"),
    ("UPDATE planned SET first_block = 5", "found 5, expected 1"),
    ("UPDATE planned SET games = 'x'", "Expected `int`, got `str`"),
    ("UPDATE planned SET games = -7", "Expected `int` >= 0"),
    (
        DESCRIPTION.format("'$.powers', json('[]')"),
        "the description is damaged, expected what a run stored: found no powers",
    ),
    ("UPDATE tournaments SET description = substr(description, 2)", "the description"),
    (TEXT.format('"retries":', '"retries":-'), "the description is damaged"),
    (TEXT.format('"zero"', '"q"'), "the description is damaged"),
    (TEXT.format('"error":0.05', '"error":5.0'), "the description is damaged"),
    (TEXT.format('"games":', '"games":-'), "the description is damaged"),
    # A bit of the disk may flip inside a text, which SQLite does not notice.
    ("UPDATE outcomes SET body = '[' || body WHERE game = 3", "game 3 is damaged"),
    ("UPDATE outcomes SET kind = '[' || kind WHERE game = 3", "game 3 is damaged"),
    ("UPDATE outcomes SET body = CAST(x'7bff' AS text)", "Could not decode to UTF-8"),
    ("UPDATE tournaments SET schema = 99", "found tables of version 99, expected 1"),
    ("DROP TABLE outcomes", "no such table: outcomes"),
]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Give the folder of a tournament of which seven games were played."""
    folder = write_cup(tmp_path / "cup", games=7)
    trio.run(run_all, folder)
    return folder


def damage(folder: Path, statement: str) -> None:
    with sqlite3.connect(folder / "results.db") as connection:
        done = connection.execute(statement)
        assert done.rowcount != 0
    connection.close()


@pytest.mark.parametrize(("statement", "problem"), ROWS)
def test_a_damaged_row_is_refused_in_one_line(
    cup: Path, statement: str, problem: str
) -> None:
    damage(cup, statement)

    for command in ("status", "report"):
        (line,) = refusal("tournament", command, cup).splitlines()
        assert line.startswith(f"daide-server: {cup / 'results.db'}: ")
        assert problem in line
    with pytest.raises(RunningError, match=r"results\.db: "):
        trio.run(run_all, cup)


@pytest.mark.parametrize(
    ("column", "command", "problem"),
    [
        ("seconds", "plan", "an attempt is damaged"),
        ("details", "report", "the outcome of game 3 is damaged"),
    ],
)
def test_what_only_some_commands_need(
    cup: Path, column: str, command: str, problem: str
) -> None:
    damage(cup, f"UPDATE outcomes SET {column} = '[x' WHERE game = 3")  # noqa: S608

    assert f"results.db: {problem}" in refusal("tournament", command, cup)
