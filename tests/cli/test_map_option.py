"""`--map`: every command that reads games reads those on a board of one's own."""

from pathlib import Path

import pytest

from daide_server.cli.common.option_types import Boards
from daide_server.library.variants import find_variant, load_variant
from tests.support.commands import printed, refusal, run

READERS = (
    ("replay",),
    ("show",),
    ("check",),
    ("score",),
    ("export", "--to", "transcript", "--output"),
    ("render", "--output"),
)


def output(words: tuple[str, ...], folder: Path) -> tuple[str | Path, ...]:
    """Return what `--output` needs, where a command ends with it."""
    return (folder / "out",) if words[-1] == "--output" else ()


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_game_on_a_board_of_ones_own_is_read(
    words: tuple[str, ...], isle: Path, landing: Path
) -> None:
    more = (*output(words, isle.parent), landing)

    without, with_it = run(*words, *more), run(*words, *more, "--map", isle)

    assert without.exit_code == 1
    assert "no variant is called 'isle'; --map names a file" in without.output
    assert with_it.exit_code == 0, with_it.output
    ours = Path(__file__).parents[1] / "records" / "games" / "draw.json"
    beside = run(*words, *output(words, isle.parent), ours, "--map", isle)
    assert beside.exit_code == 0


def test_a_game_that_was_played_on_a_board_of_ones_own_is_replayed(
    tmp_path: Path,
) -> None:
    """As docs/maps.md has it: a copy of a board, a game on it, a replay."""
    board, records = tmp_path / "mine.toml", tmp_path / "records"
    run("maps", "convert", "sailho", board, "--to", "toml")
    words = ("--year-limit", "1901", "--seed", "3", "--variant", board)
    printed("play", *words, "--records", records)
    (record,) = records.glob("*.json")

    assert printed("replay", record, "--map", board) == ""


def test_a_wrong_board_is_told_with_its_line(isle: Path) -> None:
    isle.write_text(isle.read_text().replace('"A ONE"', '"A SEA"'))

    said = refusal("show", "game.json", "--map", isle, code=2)

    assert f"{isle}:6: " in said
    assert "'A SEA' cannot stand there" in said


def test_of_a_board_full_of_faults_the_first_are_told(tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    path.write_text("nonsense\n" * 50)

    said = refusal("show", "game.json", "--map", path, code=2)

    told = [line for line in said.splitlines() if f"{path}" in line]
    assert len(told) == 6
    assert told[-1] == f"50 faults; `daide-server maps check {path}` lists all"


def test_a_board_with_faults_is_taken_and_they_are_told(
    isle: Path, landing: Path
) -> None:
    isle.write_text(isle.read_text().replace('army = ["TWO"]', "army = []"))

    result = run("show", landing, "--map", isle)

    assert result.exit_code == 0
    assert "Game first-landing, isle" in result.stdout
    fault = f"{isle}: 1 fault; `daide-server maps check {isle}` lists all\n"
    assert result.stderr == fault


def test_the_own_board_comes_before_one_of_ours_with_its_name(isle: Path) -> None:
    isle.write_text(isle.read_text().replace('"isle"', '"sailho"'))
    own = find_variant(str(isle))

    assert Boards(own).find("Sailho") is own
    assert Boards(own).find("pure") is load_variant("pure")
    assert Boards().find("Sailho") is load_variant("sailho")
