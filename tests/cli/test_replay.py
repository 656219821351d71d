"""Records and saved games follow from their orders, or what differs is told."""

import json
import lzma
from pathlib import Path

import pytest

from tests.support.commands import printed, run

OURS = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Return a record in which a French unit is not where its order led."""
    file = json.loads(OURS[0].read_text(encoding="utf-8"))
    file["phases"][1]["state"]["units"]["FRANCE"].pop()
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    return path


def test_a_difference_is_a_line_or_json_and_an_exit_code(wrong: Path) -> None:
    result = run("replay", wrong)
    told = json.loads(run("replay", wrong, "--json").stdout.splitlines()[0])

    assert result.exit_code == 1
    first = result.stdout.splitlines()[0]
    assert first.startswith(f"{wrong} F1901M FRANCE units: recorded [")
    assert "], adjudicated [" in first
    assert told.pop("recorded") != told.pop("adjudicated")
    assert told == {
        "file": str(wrong),
        "phase": "F1901M",
        "power": "FRANCE",
        "what": "units",
        "remark": False,
    }


def test_a_remark_is_no_difference(tmp_path: Path) -> None:
    surrounded = {
        "name": "S1901M",
        "state": {
            "units": {"FRANCE": ["A BRE"], "GERMANY": ["A GAS", "A PIC", "A PAR"]},
            "centers": {},
        },
        "orders": {"GERMANY": ["A PAR - BRE", "A PIC S A PAR - BRE"]},
    }
    lost = {
        "name": "F1901M",
        "state": {"units": {"GERMANY": ["A GAS", "A PIC", "A BRE"]}, "centers": {}},
    }
    path = tmp_path / "skips.json"
    path.write_text(json.dumps({"phases": [surrounded, lost]}), encoding="utf-8")

    assert printed("replay", path).startswith(
        f"remark: {path} S1901R - phase: recorded skipped"
    )


def test_a_bad_file_is_told_and_the_others_are_replayed(
    wrong: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"phases": 3}', encoding="utf-8")

    result = run("replay", bad, tmp_path / "none.json", tmp_path, wrong)

    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"{bad}: $.phases: Expected `array`, got `int`",
        f"{tmp_path / 'none.json'}: No such file or directory",
        f"{tmp_path}: Is a directory",
    ]
    assert result.stdout.startswith(str(wrong))


GAMES = Path(__file__).parents[1] / "data" / "package_boards"
BOARDS = ("colonial", "empire", "modern", "pure", "standard", "world")


def unpacked(board: str, folder: Path) -> Path:
    path = folder / f"{board}.json"
    path.write_bytes(lzma.decompress((GAMES / f"{board}.json.xz").read_bytes()))
    return path


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", ["replay", "check"])
def test_a_game_of_the_package_follows_from_its_orders(
    board: str, name: str, tmp_path: Path
) -> None:
    lines = printed(name, unpacked(board, tmp_path)).splitlines()

    assert [line for line in lines if not line.startswith("remark: ")] == []


@pytest.mark.parametrize(
    ("board", "edition", "told"),
    [
        # It lets an army walk whose convoy fails (4.A.3).
        ("colonial", "datc", "recorded [], adjudicated [no convoy]"),
        # The fleet of one of two armies that trade places carries it, unasked (4.A.3).
        ("standard", "dipcc", "A TUS: recorded [], adjudicated [bounce]"),
    ],
)
def test_the_rules_are_those_of_the_package_or_of_another_edition(
    board: str, edition: str, told: str, tmp_path: Path
) -> None:
    result = run("replay", "--edition", edition, unpacked(board, tmp_path))

    assert result.exit_code == 1
    assert told in result.stdout


def test_support_that_a_convoyed_army_does_not_cut_is_a_remark(tmp_path: Path) -> None:
    lines = printed("replay", unpacked("standard", tmp_path)).splitlines()

    (found,) = [each for each in lines if "[cut]" in each]
    assert found.startswith("remark: ")
    assert "result of F HOL: recorded [], adjudicated [cut]" in found
