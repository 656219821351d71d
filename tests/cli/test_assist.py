"""`daide-server assist`: order sets against what is expected."""

import json
from pathlib import Path
from typing import Any

import pytest

from daide_server.library.board_formats import WRITERS, write_board
from daide_server.library.game_files import games_in, read_game
from daide_server.library.variants import load_variant
from daide_server.records.formats.registry import FORMATS
from tests.support.commands import printed, refusal, run

POSITION: dict[str, Any] = {
    "phase": "F1902M",
    "units": {"FRANCE": ["A PIC", "A PAR"], "GERMANY": ["A MUN", "A RUH"]},
    "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "KIE"]},
    "orders": {},
}
RECORD = Path(__file__).parents[1] / "records" / "games" / "draw.json"


def assist(*words: object) -> str:
    """Return the advice for France, after few looks, or as *words* say."""
    return printed("assist", "--power", "FRANCE", "--evaluations", 60, *words)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file with France before Belgium and Germany beside it."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION))
    return path


def test_a_free_centre_is_the_best_advice(source: Path) -> None:
    shown = assist(source, "--expect", "GERMANY: A RUH - HOL", "--top", 1)

    assert shown.splitlines() == [
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


def test_an_expected_attack_is_met(source: Path) -> None:
    expect = "GERMANY: A MUN - BUR, A RUH - BEL"
    best = json.loads(assist(source, "--expect", expect, "--json"))["sets"][0]

    told = {each["order"]: each["outcome"] for each in best["orders"]}
    assert all(
        "BEL" not in order or "moves" not in fate for order, fate in told.items()
    )


def test_what_is_assumed_is_told(source: Path) -> None:
    shown = assist(source)

    assert "Assumed of the others" in shown
    assert "each plays for itself (67%)" in shown
    assert "all others hold (33%)" in shown


def test_guesses_have_weights(source: Path) -> None:
    guesses = ("--expect", "A RUH - BEL", "--expect", "A RUH H")
    shown = assist(source, *guesses, "--weight", 3, "--weight", 1)

    assert "guess 1 (75%)" in shown
    assert "guess 2 (25%)" in shown


@pytest.mark.parametrize(
    ("told", "encoding"),
    [
        ("GERMANY: A RUH - BEL\n", "utf-8"),
        ("GERMANY: A RUH - BEL", "utf-8-sig"),
        ('{"GERMANY": ["A RUH - BEL"]}', "utf-8-sig"),
    ],
)
def test_expectations_may_be_in_a_file(
    source: Path, tmp_path: Path, told: str, encoding: str
) -> None:
    """A byte order mark before them is skipped."""
    path = tmp_path / "expected"
    path.write_text(told, encoding=encoding)

    assert "    GERMANY: A RUH - BEL\n" in assist(source, "--expect", path)


def test_expectations_that_are_no_text_are_told(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "expected.txt"
    path.write_bytes(b"GERMANY: \xff")
    said = refusal("assist", source, "--power", "FRANCE", "--expect", path)
    assert f"{path}: byte 9: invalid UTF-8" in said


def test_the_best_set_is_drawn(source: Path, tmp_path: Path) -> None:
    picture = tmp_path / "best.svg"
    words = ("--evaluations", 60, "--expect", "A RUH - HOL", "--picture", picture)

    assert run("assist", source, "--power", "FRANCE", *words).exit_code == 0

    assert "France: A PIC - BEL: succeeded" in picture.read_text()
    assert "Germany: A RUH - HOL: succeeded" in picture.read_text()


def test_no_retreat_to_an_occupied_place_is_advised(tmp_path: Path) -> None:
    """Other programs offer such places; `adjudicate` refuses to go there."""
    path = tmp_path / "retreats.json"
    units = {"FRANCE": ["*A PIC"], "GERMANY": ["A PIC", "A BEL"]}
    retreats = {"FRANCE": {"A PIC": ["BEL", "BRE"]}}
    retreating = {**POSITION, "phase": "F1902R", "units": units, "retreats": retreats}
    path.write_text(json.dumps(retreating))

    shown = assist(path)

    assert "A PIC R BRE" in shown
    assert "A PIC R BEL" not in shown


def test_statements_of_the_move_assistant_are_a_position(tmp_path: Path) -> None:
    assert "move-assistant" in WRITERS
    path = tmp_path / "board.txt"
    write_board(load_variant("standard"), path, "move-assistant")
    shown = assist(path, "--power", "Fra", "--phase", "F1901M")
    assert shown.startswith("F1901M, FRANCE")


@pytest.mark.parametrize("form", FORMATS)
def test_a_record_of_any_format_has_phases(form: str, tmp_path: Path) -> None:
    """Those that end with .txt are not taken for the Move Assistant's statements."""
    path = tmp_path / f"game{FORMATS[form].suffix}"
    [found] = games_in(RECORD)
    path.write_text(FORMATS[form].write(read_game(found)), encoding="utf-8")

    assert assist(path, "--phase", "s1901m").startswith("S1901M, FRANCE")


def test_one_game_is_expected(tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_bytes(b"\n".join([RECORD.read_bytes().strip()] * 2))

    assert refusal("assist", many, "--power", "FRANCE").startswith(
        f"daide-server: {many}: found several games, expected one"
    )


def test_a_position_may_be_on_a_board_of_ones_own(isle: Path, landing: Path) -> None:
    shown = assist(landing, "--power", "Red", "--phase", "S1901M", "--map", isle)

    assert "F TWO/NC - SEA" in shown


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--power", "MARS"), "unknown power 'MARS', expected one of AUSTRIA"),
        (("--power", "ITALY"), "ITALY has nothing to order in F1902M"),
        (("--expect", "A PAR H"), "FRANCE: A PAR H: expected orders of the others"),
        (("--expect", "nowhere.txt"), "expected its power first"),
        (("--phase", "S1999M"), "no phase 'S1999M'"),
    ],
)
def test_what_is_wrong_is_told(
    source: Path, words: tuple[str, ...], complaint: str
) -> None:
    result = run("assist", source, "--power", "FRANCE", *words)

    assert (result.exit_code, result.stdout) == (1, "")
    assert complaint in result.stderr
