"""A bar while many files are read, if somebody looks at a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GAME = Path(__file__).parents[1] / "records" / "games" / "draw.json"


def run(words: list[str], *files: Path) -> tuple[str, str]:
    """Return what a command prints, and what it shows on a terminal as its stderr."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "daide_server", *words, *map(str, files)]
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, env=env, check=True
    )
    os.close(theirs)
    shown = bytearray()
    try:
        while found := os.read(ours, 1 << 16):
            shown += found
    except OSError:
        pass  # The other end is closed, which Linux reports so.
    finally:
        os.close(ours)
    return done.stdout.decode(), shown.decode(errors="replace")


@pytest.fixture
def many(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{number}.json" for number in range(5)]
    for path in paths:
        path.write_bytes(GAME.read_bytes())
    return paths


@pytest.mark.parametrize("command", ["replay", "check", "score", "export"])
def test_a_bar_is_shown_for_many_files(
    command: str, many: list[Path], tmp_path: Path
) -> None:
    output = ["--to", "csv", "--output", str(tmp_path / "tables")]
    words = [command, *(output if command == "export" else [])]

    printed, shown = run(words, *many)

    assert "files" in shown
    assert "files" not in printed


def test_a_single_file_has_no_bar(many: list[Path]) -> None:
    assert run(["replay"], many[0]) == ("", "")
