"""The options of `assist` that say what is expected of others."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main

POSITION = {
    "phase": "F1902M",
    "units": {"FRANCE": ["A PIC"], "GERMANY": ["A MUN", "A RUH"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "KIE"]},
}


def assist(*words: object) -> Result:
    return CliRunner().invoke(main, ["assist", *map(str, words)])


@pytest.fixture
def france(tmp_path: Path) -> tuple[object, ...]:
    """Return the words that ask what France should do, quickly."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION))
    return (path, "--power", "FRANCE", "--evaluations", "20")


def test_guesses_have_weights(france: tuple[object, ...]) -> None:
    guesses = ("--expect", "A RUH - BEL", "--expect", "A RUH H")
    result = assist(*france, *guesses, "--weight", "3", "--weight", "1")

    assert "guess 1 (75%)" in result.stdout
    assert "guess 2 (25%)" in result.stdout


def test_expectations_may_be_in_a_file(
    france: tuple[object, ...], tmp_path: Path
) -> None:
    path = tmp_path / "expected.txt"
    path.write_text("GERMANY: A RUH - BEL\n")
    result = assist(*france, "--expect", path)

    assert "    GERMANY: A RUH - BEL" in result.stdout.splitlines()


@pytest.mark.parametrize(
    "told", ['{"GERMANY": ["A RUH - BEL"]}', "GERMANY: A RUH - BEL"]
)
def test_a_byte_order_mark_before_expectations_is_skipped(
    france: tuple[object, ...], tmp_path: Path, told: str
) -> None:
    path = tmp_path / "expected"
    path.write_text(told, encoding="utf-8-sig")

    assert "    GERMANY: A RUH - BEL" in assist(*france, "--expect", path).stdout


def test_expectations_that_are_no_text_are_told(
    france: tuple[object, ...], tmp_path: Path
) -> None:
    path = tmp_path / "expected.txt"
    path.write_bytes(b"GERMANY: \xff")
    result = assist(*france, "--expect", path)

    assert result.exit_code == 1
    assert f"{path}: byte 9: invalid UTF-8" in result.stderr


def test_each_guess_needs_its_weight(france: tuple[object, ...]) -> None:
    result = assist(*france, "--expect", "A RUH H", *["--weight", 1] * 2)

    assert result.exit_code == 2
    assert "expected one for each --expect" in result.stderr
