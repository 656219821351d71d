"""Saved games of the `diplomacy` package: its rules, and its names of boards."""

import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main

GAMES = Path(__file__).parents[1] / "data" / "package_boards"
BOARDS = ("colonial", "empire", "modern", "pure", "standard", "world")


def unpacked(board: str, folder: Path) -> Path:
    path = folder / f"{board}.json"
    path.write_bytes(lzma.decompress((GAMES / f"{board}.json.xz").read_bytes()))
    return path


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, args)))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("command", ["replay", "check"])
def test_a_game_of_the_package_follows_from_its_orders(
    board: str, command: str, tmp_path: Path
) -> None:
    result = run(command, unpacked(board, tmp_path))

    lines = result.output.splitlines()
    assert [line for line in lines if not line.startswith("remark: ")] == []
    assert result.exit_code == 0


def test_a_game_may_be_adjudicated_by_another_edition(tmp_path: Path) -> None:
    """The package lets an army walk whose convoy fails; DATC does not (4.A.3)."""
    result = run("replay", "--edition", "datc", unpacked("colonial", tmp_path))

    assert result.exit_code == 1
    assert "recorded [], adjudicated [no convoy]" in result.output


def test_the_rules_are_those_of_the_package_without_a_word(tmp_path: Path) -> None:
    """Two armies trade places: the fleet of one of them carries it, unasked (4.A.3)."""
    game = unpacked("standard", tmp_path)

    assert run("replay", game).exit_code == 0
    assert "A TUS: recorded [], adjudicated [bounce]" in (
        run("replay", "--edition", "dipcc", game).output
    )


def test_support_that_a_convoyed_army_does_not_cut_is_a_remark(tmp_path: Path) -> None:
    result = run("replay", unpacked("standard", tmp_path))

    found = [each for each in result.output.splitlines() if "[cut]" in each]
    assert len(found) == 1
    assert found[0].startswith("remark: ")
    assert "result of F HOL: recorded [], adjudicated [cut]" in found[0]


def test_a_board_that_we_lack_is_named(tmp_path: Path) -> None:
    path = unpacked("pure", tmp_path)
    text = path.read_text(encoding="utf-8").replace('"pure"', '"ancmed"')
    path.write_text(text, encoding="utf-8")

    result = run("replay", path)

    assert result.exit_code == 1
    assert "no variant is called 'ancmed'" in result.output
