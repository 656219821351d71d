import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli.score import command

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(command, [str(each) for each in args])


def test_a_table_has_a_line_per_system() -> None:
    result = run(GAMES[0], "--system", "draw_size", "--system", "CDiplo")

    title, head, centres, *rows = result.output.splitlines()
    assert result.exit_code == 0
    assert title == f"{GAMES[0]}: draw AUS FRA"
    assert head.split() == ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    assert centres.split()[0] == "centres"
    assert rows[0].split() == ["draw_size", "0.5", "0", "0.5", "0", "0", "0", "0"]
    assert rows[1].split()[0] == "CDiplo"


def test_all_systems_are_the_default() -> None:
    text = run(GAMES[0]).output

    for name in ("sum_of_squares", "dixie", "Bangkok100", "WorldClassic"):
        assert f"\n{name} " in text


def test_json_has_exact_fractions() -> None:
    line = json.loads(run(GAMES[0], "--json", "--system", "draw_size").output)

    assert line["points"]["draw_size"]["FRANCE"] == "1/2"


@pytest.mark.parametrize(
    ("name", "problem"),
    [("SuperPastis", "its formula is not known"), ("elo", "unknown scoring system")],
)
def test_a_system_that_we_do_not_have_is_named(name: str, problem: str) -> None:
    result = run(GAMES[0], "--system", name)

    assert result.exit_code == 1
    assert problem in result.stderr


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "found no JSON object"),
        (b"{}", "found neither phases nor GamePhases"),
        (b"[" * 100_000, "expected a record of a game"),
        (b'{"phases": []}', "phases: found none"),
        (b"\xff\xfe\x00", "found no JSON object"),
    ],
)
def test_what_is_no_game_is_an_error_in_words(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)

    result = run(path, GAMES[0])

    assert result.exit_code == 1
    assert problem in result.stderr
    assert "draw_size" in result.output
