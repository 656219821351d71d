"""`daide-server assist`: order sets against what is expected."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.formats.registry import FORMATS
from daide_server.storage.board_formats import WRITERS, write_board
from daide_server.storage.game_files import games_in, read_game
from daide_server.storage.variants import load_variant

POSITION: dict[str, Any] = {
    "phase": "F1902M",
    "units": {"FRANCE": ["A PIC", "A PAR"], "GERMANY": ["A MUN", "A RUH"]},
    "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "KIE"]},
    "orders": {},
}
RECORD = Path(__file__).parents[1] / "records" / "games" / "draw.json"


def assist(*words: object) -> Result:
    return CliRunner().invoke(main, ["assist", *map(str, words)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file with France before Belgium and Germany beside it."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION))
    return path


@pytest.fixture
def france(source: Path) -> tuple[object, ...]:
    """Return the words that ask what France should do, quickly."""
    return (source, "--power", "FRANCE", "--evaluations", "60")


def test_a_free_centre_is_the_best_advice(france: tuple[object, ...]) -> None:
    result = assist(*france, "--expect", "GERMANY: A RUH - HOL", "--top", "1")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "F1902M, FRANCE",
        "Expected of the others, who hold where nothing is said:",
        "  guess 1 (100%)",
        "    GERMANY: A RUH - HOL",
        "",
        "1. worth +1.39: centres +1.00, safety +0.00, position +0.39",
        "     A PAR - GAS  moves",
        "     A PIC - BEL  moves",
        "   in every case: takes BEL of nobody; next in reach: HOL, SPA",
        "   could go wrong: GERMANY A RUH - BEL: no longer takes BEL of nobody (-1.13)",
    ]


def test_an_expected_attack_is_met(france: tuple[object, ...]) -> None:
    expect = "GERMANY: A MUN - BUR, A RUH - BEL"
    result = assist(*france, "--expect", expect, "--json")

    best = json.loads(result.stdout)["sets"][0]
    told = {each["order"]: each["outcome"] for each in best["orders"]}
    assert all(
        "BEL" not in order or "moves" not in fate for order, fate in told.items()
    )


def test_what_is_assumed_is_told(france: tuple[object, ...]) -> None:
    result = assist(*france)

    assert "Assumed of the others" in result.stdout
    assert "each plays for itself (67%)" in result.stdout
    assert "all others hold (33%)" in result.stdout


def test_guesses_have_weights(france: tuple[object, ...]) -> None:
    guesses = ("--expect", "A RUH - BEL", "--expect", "A RUH H")
    result = assist(*france, *guesses, "--weight", "3", "--weight", "1")

    assert "guess 1 (75%)" in result.stdout
    assert "guess 2 (25%)" in result.stdout


@pytest.mark.parametrize(
    ("told", "encoding"),
    [
        ("GERMANY: A RUH - BEL\n", "utf-8"),
        ("GERMANY: A RUH - BEL", "utf-8-sig"),
        ('{"GERMANY": ["A RUH - BEL"]}', "utf-8-sig"),
    ],
)
def test_expectations_may_be_in_a_file(
    france: tuple[object, ...], tmp_path: Path, told: str, encoding: str
) -> None:
    """A byte order mark before them is skipped."""
    path = tmp_path / "expected"
    path.write_text(told, encoding=encoding)
    result = assist(*france, "--expect", path)

    assert "    GERMANY: A RUH - BEL" in result.stdout.splitlines()


def test_expectations_that_are_no_text_are_told(
    france: tuple[object, ...], tmp_path: Path
) -> None:
    path = tmp_path / "expected.txt"
    path.write_bytes(b"GERMANY: \xff")
    result = assist(*france, "--expect", path)

    assert result.exit_code == 1
    assert f"{path}: byte 9: invalid UTF-8" in result.stderr


def test_a_clock_ends_the_search(source: Path) -> None:
    result = assist(source, "--power", "FRANCE", "--seconds", "0")

    assert result.exit_code == 0
    assert "1. worth" in result.stdout


def test_the_best_set_is_drawn(france: tuple[object, ...], tmp_path: Path) -> None:
    picture = tmp_path / "best.svg"
    result = assist(*france, "--expect", "A RUH - HOL", "--picture", picture)

    assert result.exit_code == 0
    assert "France: A PIC - BEL: succeeded" in picture.read_text()
    assert "Germany: A RUH - HOL: succeeded" in picture.read_text()


def test_no_retreat_to_an_occupied_place_is_advised(tmp_path: Path) -> None:
    """Other programs offer such places; `adjudicate` refuses to go there."""
    path = tmp_path / "retreats.json"
    units = {"FRANCE": ["*A PIC"], "GERMANY": ["A PIC", "A BEL"]}
    retreats = {"FRANCE": {"A PIC": ["BEL", "BRE"]}}
    retreating = {**POSITION, "phase": "F1902R", "units": units, "retreats": retreats}
    path.write_text(json.dumps(retreating))

    result = assist(path, "--power", "FRANCE", "--evaluations", "30")

    assert "A PIC R BRE" in result.stdout
    assert "A PIC R BEL" not in result.stdout


def test_statements_of_the_move_assistant_are_a_position(tmp_path: Path) -> None:
    assert "move-assistant" in WRITERS
    path = tmp_path / "board.txt"
    write_board(load_variant("standard"), path, "move-assistant")
    words = ("--power", "Fra", "--evaluations", "30", "--phase", "F1901M")
    result = assist(path, *words)

    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("F1901M, FRANCE")


@pytest.mark.parametrize("form", FORMATS)
def test_a_record_of_any_format_has_phases(form: str, tmp_path: Path) -> None:
    """Those that end with .txt are not taken for the Move Assistant's statements."""
    path = tmp_path / f"game{FORMATS[form].suffix}"
    [found] = games_in(RECORD)
    path.write_text(FORMATS[form].write(read_game(found)), encoding="utf-8")
    words = ("--power", "FRANCE", "--evaluations", "30", "--phase", "s1901m")

    result = assist(path, *words)

    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("S1901M, FRANCE")


def test_one_game_is_expected(tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_bytes(b"\n".join([RECORD.read_bytes().strip()] * 2))

    result = assist(many, "--power", "FRANCE")

    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"daide-server: {many}: found several games, expected one"
    )


def test_a_position_may_be_on_a_board_of_ones_own(isle: Path, landing: Path) -> None:
    words = ("--power", "Red", "--evaluations", "30", "--phase", "S1901M")

    result = assist(landing, *words, "--map", isle)

    assert result.exit_code == 0, result.stderr
    assert "F TWO/NC - SEA" in result.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--power", "MARS"), "unknown power 'MARS', expected one of AUSTRIA"),
        (("--power", "ITALY"), "ITALY has nothing to order in F1902M"),
        (
            ("--power", "FRANCE", "--expect", "A PAR H"),
            "FRANCE: A PAR H: expected orders of the others only",
        ),
        (("--power", "FRANCE", "--expect", "nowhere.txt"), "expected such as"),
        (("--power", "FRANCE", "--phase", "S1999M"), "no phase 'S1999M'"),
    ],
)
def test_what_is_wrong_is_told(
    source: Path, words: tuple[str, ...], complaint: str
) -> None:
    result = assist(source, *words)

    assert result.exit_code == 1
    assert complaint in result.stderr
    assert result.stdout == ""
