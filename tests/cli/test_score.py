import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.cli.score import decimal_text

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["score", *map(str, args)])


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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "0.3333"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(1, 20000), "0.0001"),
        (Fraction(-1, 20000), "-0.0001"),
        (Fraction(-1, 30000), "0"),
        (Fraction(2503), "2503"),
        (Fraction(100), "100"),
        (Fraction(0), "0"),
        (Fraction(31, 2), "15.5"),
    ],
)
def test_points_have_four_decimals_at_most(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text


def test_no_system_of_another_board_is_tried_by_default(
    landing: Path, isle: Path
) -> None:
    result = run(landing, "--map", isle)
    assert result.exit_code == 0
    assert "\ndixie" not in result.output

    named = run(landing, "--map", isle, "--system", "dixie")
    assert named.exit_code == 1
    assert f"daide-server: {landing}: dixie: made for" in named.stderr
