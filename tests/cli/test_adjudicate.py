"""Questions to the judge, a line each; and what other commands read as it does."""

import json
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main

HOLDING = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR"]},
    "centers": {"AUSTRIA": ["SER"]},
    "orders": {},
}


def run(*lines: str, args: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(
        main, ["adjudicate", *args], input="".join(f"{s}\n" for s in lines)
    )


def test_every_line_has_its_answer_in_order() -> None:
    lines = [json.dumps({**HOLDING, "id": number}) for number in range(3)]

    result = run(*lines)

    assert result.exit_code == 0
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1, 2]


def test_a_bad_line_is_told_and_the_run_goes_on() -> None:
    result = run(json.dumps(HOLDING), "nonsense", json.dumps(HOLDING))

    first, second, third = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert second["line"] == 2
    assert second["error"]
    assert first == third
    assert result.stderr == ""


def test_blank_lines_have_no_answer_but_are_counted() -> None:
    result = run("", json.dumps(HOLDING), " \t\r", "nonsense", "")

    first, second = map(json.loads, result.stdout.splitlines())
    assert "state" in first
    assert second["line"] == 4
    assert run(json.dumps(HOLDING), "").exit_code == 0
    assert (run().exit_code, run().stdout) == (0, "")


@pytest.mark.parametrize(("before", "number"), [(b"", 1), (b"\n", 2), (b"\r\n \n", 3)])
def test_a_byte_order_mark_is_no_part_of_the_first_line(
    before: bytes, number: int
) -> None:
    """Editors on Windows write it."""
    lines = [json.dumps(HOLDING).encode(), b"nonsense"]

    result = CliRunner().invoke(
        main, ["adjudicate"], input=BOM_UTF8 + before + b"\n".join(lines)
    )

    first, second = map(json.loads, result.stdout.splitlines())
    assert "state" in first
    assert second["line"] == number + 1


@pytest.mark.parametrize(
    ("edition", "name"), [("daide", "W1901A"), ("dipcc", "S1902M")]
)
def test_the_edition_can_be_chosen(edition: str, name: str) -> None:
    line = json.dumps({**HOLDING, "phase": "F1901M", "units": {}})

    result = run(line, args=("--rules", edition))

    assert json.loads(result.stdout)["state"]["name"] == name


def test_a_single_rule_can_be_chosen() -> None:
    line = json.dumps({**HOLDING, "phase": "F1901M", "units": {}})

    result = run(line, args=("--rule", "4.A.4=b", "--rule", "winter=skipped"))

    assert json.loads(result.stdout)["state"]["name"] == "S1902M"


def test_the_rules_can_be_listed() -> None:
    result = run(args=("--list-rules",))

    assert result.exit_code == 0
    assert "`4.D.8=2023`" in result.stdout


def test_reasons_are_told_in_place_of_json() -> None:
    line = {**HOLDING, "orders": {"FRANCE": ["A PAR - LON"]}}

    result = run(json.dumps(line), "nonsense", args=("--explain",))

    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == ["S1901M", "  FRANCE"]
    assert "A PAR - LON  illegal, it cannot get there (FAR); holds" in result.stdout
    assert "line 2: " in result.stdout


ON_ISLE = {
    "phase": "S1901M",
    "units": {"RED": ["F TWO/NC"], "BLU": ["A ONE"]},
    "centers": {},
    "orders": {"RED": ["F TWO/NC - SEA"], "BLU": ["A ONE - TWO"]},
}


def test_a_board_of_ones_own_is_adjudicated_on(isle: Path) -> None:
    """It is the board of lines that name it, or none; others name theirs."""
    lines = [ON_ISLE, {**ON_ISLE, "map": "Isle"}, {**HOLDING, "map": "standard"}]

    result = run(*map(json.dumps, lines), args=("--map", str(isle)))

    unnamed, named, standard = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 0
    assert unnamed["state"]["units"] == {"RED": ["F SEA"], "BLU": ["A TWO"]}
    assert named == unnamed
    assert standard["state"]["units"]["FRANCE"] == ["A PAR"]


def test_a_board_of_ours_may_be_that_of_lines_which_name_none() -> None:
    line = {**HOLDING, "units": {"AUSTRIA": ["A VIE"]}}

    result = run(json.dumps(line), args=("--map", "fva"))

    assert list(json.loads(result.stdout)["state"]["units"]) == ["AUSTRIA", "FRANCE"]


def test_lines_that_are_wrong_are_told_on_any_board(isle: Path) -> None:
    unknown = json.dumps({**ON_ISLE, "map": "atoll"})

    result = run("nonsense", unknown, "[" * 5000, args=("--map", str(isle)))

    errors = [json.loads(line)["error"] for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert "malformed" in errors[0]
    assert "no variant is called 'atoll'; --map names 'isle'; there are: " in errors[1]
    assert len(errors) == 3


STANDING = {
    "phase": "F1901R",
    "units": {"AUSTRIA": ["A VEN", "A TRI"], "ITALY": ["A VEN", "F ION"]},
    "centers": {},
    "orders": {},
    "retreats": {"ITALY": {"A VEN": ["TRI"]}},
}
DISLODGED = {**STANDING, "units": {"AUSTRIA": ["A TRI"], "ITALY": ["*A VEN"]}}


@pytest.mark.parametrize(
    "words", [("render",), ("assist", "--power", "ITALY")], ids=["render", "assist"]
)
@pytest.mark.parametrize(
    "position",
    [
        {**STANDING, "units": {"ITALY": ["A VEN"]}},
        {**DISLODGED, "orders": {"ITALY": ["A VEN R TRI"]}},
        {**DISLODGED, "retreats": None},
        {**DISLODGED, "phase": "F1901M"},
        {**DISLODGED, "units": {"ITALY": [7]}},
    ],
)
def test_what_adjudicate_refuses_is_refused_in_the_same_words(
    tmp_path: Path, position: dict[str, object], words: tuple[str, ...]
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(position))
    answer = CliRunner().invoke(main, ["adjudicate"], input=path.read_text())

    result = CliRunner().invoke(main, [*words, str(path)])

    assert result.exit_code == 1
    assert result.stderr.endswith(f"{json.loads(answer.stdout)['error']}\n")
