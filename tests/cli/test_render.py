"""`daide-server render`: records, positions and maps become pictures."""

import json
import re
import sys
from pathlib import Path

import pytest

from daide_server.records.formats.registry import FORMATS
from tests.support.commands import printed, refusal
from tests.support.needed import need_package

POSITION = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
}


OURS = Path(__file__).parents[1] / "records" / "games" / "draw.json"


def units(picture: Path) -> list[str]:
    """Return the units of a picture, with their powers."""
    return sorted(re.findall(r"<title>(\w+: [AF] \S+)", picture.read_text()))


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """Return a file with a bounce in Burgundy."""
    path = tmp_path / "bounce.json"
    path.write_text(json.dumps(POSITION))
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return a record of two phases, the second not played yet."""
    units = {"FRANCE": ["A PAR"]}, {"FRANCE": ["A BUR"]}
    first, second = ({"units": each, "centers": {}} for each in units)
    orders = {"FRANCE": ["A PAR - BUR"]}
    played = {"name": "S1901M", "state": first, "orders": orders}
    phases = [played | {"results": {"A PAR": []}}, {"name": "F1901M", "state": second}]
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"id": "game", "map": "standard", "phases": phases}))
    return path


def test_a_position_is_drawn_with_the_results_of_its_orders(
    position: Path, tmp_path: Path
) -> None:
    output = tmp_path / "picture.svg"
    assert printed("render", position, "--output", output) == f"{output}\n"
    assert output.read_text().count("- BUR: bounced") == 2


def test_the_start_of_a_map_is_drawn(tmp_path: Path) -> None:
    printed("render", "--map", "fva", "--output", tmp_path)

    assert "Austria: A VIE" in (tmp_path / "fva-start.svg").read_text()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("no json", "malformed"),
        ("[]", "Expected `object`"),
        ('{"phase": "S1901M", "units": {"MARS": []}}', "unknown power 'MARS'"),
        ('{"phase": "1901", "units": {}}', "found '1901', expected a phase"),
        ('{"phase": "S1901M", "units": {}, "map": "mars"}', "no variant is called"),
        ('{"phases": [], "map": "standard"}', "phases: found none"),
    ],
)
def test_a_file_that_cannot_be_drawn_is_named(
    tmp_path: Path, content: str, complaint: str
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content)
    said = refusal("render", path)

    assert said.startswith(f"{path}: ")
    assert complaint in said


def test_a_phase_that_is_not_there_is_told_with_those_that_are(record: Path) -> None:
    said = refusal("render", record, "--phase", "F1999M")

    assert "no phase 'F1999M'; there are: S1901M, F1901M" in said


def test_a_picture_is_written_as_png(position: Path, tmp_path: Path) -> None:
    """As wide as it is asked for."""
    need_package("cairosvg")
    path = tmp_path / "bounce.png"

    printed("render", position, "--png", "--width", 500, "--output", path)

    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(content[16:20], "big") == 500


def test_a_library_that_is_missing_for_png_is_named(
    position: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)

    assert "pip install 'daide-server[png]'" in refusal("render", position, "--png")


@pytest.mark.parametrize("form", FORMATS)
def test_a_record_of_any_format_is_drawn(form: str, tmp_path: Path) -> None:
    """All pictures have the same units, whichever way the game went."""
    folder = tmp_path / form
    printed("export", OURS, "--to", form, "--output", folder)
    (copy,) = folder.iterdir()

    for source, target in ((OURS, tmp_path / "ours"), (copy, tmp_path / "theirs")):
        shown = printed("render", source, "--all", "--output", target)

    ours, theirs = (sorted((tmp_path / name).iterdir()) for name in ("ours", "theirs"))
    assert len(shown.splitlines()) == len(theirs)
    names = [path.name for path in theirs]
    assert {"draw-S1901M.svg", "draw-F1901M.svg"} < set(names)
    assert names == [path.name for path in ours]
    for one, other in zip(ours, theirs, strict=True):
        assert units(other) == units(one) != []


def test_each_game_of_a_file_of_many_is_drawn(tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_bytes(b"\n".join([OURS.read_bytes().strip()] * 2))
    folder = tmp_path / "pictures"

    printed("render", many, "--phase", "s1901m", "--output", folder)

    names = sorted(path.name for path in folder.iterdir())
    assert names == ["many-1-S1901M.svg", "many-2-S1901M.svg"]


def test_lines_of_adjudicate_are_drawn(tmp_path: Path) -> None:
    lines = tmp_path / "questions.jsonl"
    lines.write_text(f"{json.dumps(POSITION)}\n" * 2)

    printed("render", lines, "--output", tmp_path)

    assert "- BUR: bounced" in (tmp_path / "questions-2-S1901M.svg").read_text()


def test_one_picture_is_not_written_over_another(record: Path, tmp_path: Path) -> None:
    """Two games may have the same name, in different folders."""
    folder = tmp_path / "pictures"

    shown = printed("render", record, record, "--output", folder)

    names = [f"{folder}/game-F1901M.svg", f"{folder}/game-F1901M-2.svg"]
    assert shown.splitlines() == names
    assert "France: A BUR" in Path(names[0]).read_text(), "the last position"


def test_a_position_that_names_no_board_is_on_that_of_the_option(isle: Path) -> None:
    path, output = isle.with_name("x.json"), isle.with_name("x.svg")
    path.write_text('{"phase": "S1901M", "units": {"RED": ["F ILE"]}}')

    printed("render", path, "--map", isle, "--output", output)
    assert "Red: F ILE" in output.read_text()


def test_a_board_with_the_name_of_one_of_ours_has_a_picture_of_its_own(
    isle: Path,
) -> None:
    isle.write_text(isle.read_text().replace('"isle"', '"sailho"'))

    shown = printed("render", "--map", isle, "--output", "-")

    assert shown.startswith("<svg")
    assert shown.endswith("</svg>\n")
    assert "Red: F TWO/NC" in shown


def test_one_wrong_file_does_not_stop_the_others(record: Path, tmp_path: Path) -> None:
    said = refusal("render", tmp_path / "nothing.json", record, "--output", tmp_path)

    assert "nothing.json: No such file or directory" in said
    assert (tmp_path / "game-F1901M.svg").exists()
