"""`daide-server render`: records, positions and maps become pictures."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.storage.variants import load_variant

POSITION = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
}


def render(*words: object) -> Result:
    return CliRunner().invoke(main, ["render", *map(str, words)])


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """Return a file with a bounce in Burgundy."""
    path = tmp_path / "bounce.json"
    path.write_text(json.dumps(POSITION))
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return a record of two phases, the second not played yet."""
    units = {"FRANCE": ["A PAR"]}
    state = {"units": units, "centers": {"FRANCE": ["PAR"]}}
    later = {"units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR"]}}
    path = tmp_path / "game.json"
    path.write_text(
        json.dumps(
            {
                "id": "game",
                "map": "standard",
                "phases": [
                    {
                        "name": "S1901M",
                        "state": {"name": "S1901M", **state},
                        "orders": {"FRANCE": ["A PAR - BUR"]},
                        "results": {"A PAR": []},
                        "messages": [],
                    },
                    {
                        "name": "F1901M",
                        "state": {"name": "F1901M", **later},
                        "orders": {},
                        "results": {},
                        "messages": [],
                    },
                ],
            }
        )
    )
    return path


def test_a_position_is_drawn_with_the_results_of_its_orders(
    position: Path, tmp_path: Path
) -> None:
    output = tmp_path / "picture.svg"
    result = render(position, "--output", output)

    assert result.exit_code == 0
    assert result.stdout == f"{output}\n"
    assert output.read_text().count("- BUR: bounced") == 2


def test_the_start_of_a_map_is_drawn(tmp_path: Path) -> None:
    result = render("--map", "fva", "--output", tmp_path)

    assert result.exit_code == 0
    assert "Austria: A VIE" in (tmp_path / "fva-start.svg").read_text()


def test_standard_output_takes_the_picture_alone() -> None:
    result = render("--map", "pure", "--output", "-")

    assert result.stdout.startswith("<svg")
    assert result.stdout.endswith("</svg>\n")


def test_the_last_position_of_a_record_is_drawn(record: Path, tmp_path: Path) -> None:
    render(record, "--output", tmp_path)

    assert "France: A BUR" in (tmp_path / "game-F1901M.svg").read_text()


def test_a_phase_of_a_record_is_drawn(record: Path, tmp_path: Path) -> None:
    output = tmp_path / "first.svg"
    render(record, "--phase", "s1901m", "--output", output)

    assert "France: A PAR - BUR: succeeded" in output.read_text()


def test_all_phases_go_to_a_folder(record: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    result = render(record, "--all", "--output", folder)

    names = sorted(path.name for path in folder.iterdir())
    assert names == ["game-F1901M.svg", "game-S1901M.svg"]
    assert len(result.stdout.splitlines()) == 2


def test_several_files_go_to_a_folder(
    record: Path, position: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "pictures"
    render(record, position, "--output", folder)

    names = sorted(path.name for path in folder.iterdir())
    assert names == ["bounce-S1901M.svg", "game-F1901M.svg"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("no json", "malformed"),
        ("[]", "Expected `object`"),
        ('{"phase": "S1901M", "units": {"MARS": []}}', "unknown power 'MARS'"),
        ('{"phase": "1901", "units": {}}', "phase '1901' found"),
        ('{"phase": "S1901M", "units": {}, "map": "mars"}', "no variant is called"),
        ('{"phases": [], "map": "standard"}', "phases: found none"),
    ],
)
def test_a_file_that_cannot_be_drawn_is_named(
    tmp_path: Path, content: str, complaint: str
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content)
    result = render(path)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}: ")
    assert complaint in result.stderr


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    result = render(tmp_path / "nothing.json")

    assert result.exit_code == 1
    assert "nothing.json: No such file or directory" in result.stderr


def test_a_phase_that_is_not_there_is_told_with_those_that_are(record: Path) -> None:
    result = render(record, "--phase", "F1999M")

    assert result.exit_code == 1
    assert "no phase 'F1999M'; there are: S1901M, F1901M" in result.stderr


@pytest.mark.parametrize("words", [(), ("file", "--map", "standard")])
def test_one_of_file_and_map_is_needed(words: tuple[str, ...]) -> None:
    assert render(*words).exit_code == 2


def test_one_wrong_file_does_not_stop_the_others(record: Path, tmp_path: Path) -> None:
    result = render(tmp_path / "nothing.json", record, "--output", tmp_path)

    assert result.exit_code == 1
    assert (tmp_path / "game-F1901M.svg").exists()


def test_variants_on_the_same_map_have_the_same_picture() -> None:
    one, other = (render("--map", name, "--output", "-") for name in ("1900", "fva"))

    assert load_variant("1900").map.provinces == load_variant("fva").map.provinces
    assert one.stdout.count("<text") > 100
    assert other.stdout.count("<text") > 100
