"""What is printed cannot command a terminal, and is complete."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from daide_server.cli import main
from daide_server.cli.common.printing import printable

GAME = Path(__file__).parents[1] / "records" / "games" / "draw.json"
ESCAPE = "\x1b[2J"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("München (Überfall)", "München (Überfall)"),
        ("a\tb", "a\tb"),
        (ESCAPE, r"\u001b[2J"),
        ("two\nlines", r"two\u000alines"),
        ("\x9b2J", r"\u009b2J"),
        ("right \u202e left", r"right \u202e left"),
        ("half \ud800", r"half \ud800"),
        ("far \U000e0001", r"far \udb40\udc01"),
    ],
)
def test_what_could_command_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_a_printable_text_stays_the_same_json(text: str) -> None:
    """The escapes are JSON's, so that lines of JSON keep their values."""
    line = printable(json.dumps({"name": text}, ensure_ascii=False))
    assert line.replace("\t", "").isprintable()
    assert json.loads(line) == {"name": text}


def game_with(change: dict[str, Any]) -> dict[str, Any]:
    game: dict[str, Any] = json.loads(GAME.read_text(encoding="utf-8"))
    return {**game, **change}


@pytest.mark.parametrize(
    "words",
    [
        ("show", "--press"),
        ("check",),
        ("score",),
        ("score", "--json"),
        ("replay", "--json"),
        ("render", "--output", "-"),
        ("assist", "--power", "FRANCE", "--evaluations", "1"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("board", ["standard", ESCAPE])
def test_a_name_in_a_file_is_made_printable(
    words: tuple[str, ...], board: str, tmp_path: Path
) -> None:
    """The id of the game, the file that has it, a board, and the fault in it."""
    path = tmp_path / f"game{ESCAPE}.json"
    change = {"id": f"x{ESCAPE}", "is_full_press": ESCAPE, "map": board}
    path.write_text(json.dumps(game_with(change)), encoding="utf-8")

    result = CliRunner().invoke(main, [*words, str(path)])

    assert result.exit_code in {0, 1}
    assert "\x1b" not in result.output
    assert ("no variant is called" in result.output) is (board == ESCAPE)


@pytest.mark.parametrize("words", [("check",), ("show",)])
def test_a_faulty_board_is_made_printable(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "board.toml"
    path.write_text(f"name = 1\n['{ESCAPE}']\n", encoding="utf-8")

    result = CliRunner().invoke(main, ["maps", *words, str(path)])

    assert result.exit_code == 1
    assert "\x1b" not in result.output


def test_what_a_terminal_cannot_show_is_an_escape(tmp_path: Path) -> None:
    """It is no error."""
    record = json.loads(GAME.read_text("utf-8"))
    record["id"] = "München █"
    path = tmp_path / "a.json"
    path.write_text(json.dumps(record), "utf-8")

    result = CliRunner(charset="ascii").invoke(main, ["show", str(path)])

    assert result.exit_code == 0
    assert r"Game M\u00fcnchen \u2588" in result.stdout
