"""Saved games of the `diplomacy` package on its boards with other names than ours."""

import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main

GAMES = Path(__file__).parents[1] / "data" / "package_boards"
BOARDS = ("colonial", "empire", "modern", "pure", "world")


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


def test_a_board_that_we_lack_is_named(tmp_path: Path) -> None:
    path = unpacked("pure", tmp_path)
    text = path.read_text(encoding="utf-8").replace('"pure"', '"ancmed"')
    path.write_text(text, encoding="utf-8")

    result = run("replay", path)

    assert result.exit_code == 1
    assert "no variant is called 'ancmed'" in result.output
