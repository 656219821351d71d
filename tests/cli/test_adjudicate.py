"""Questions to the judge, a line each; and what other commands read as it does."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import printed, refusal, run

HOLDING = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR"]},
    "centers": {"AUSTRIA": ["SER"]},
    "orders": {},
}


def adjudicated(*lines: str | dict[str, Any], args: tuple[str, ...] = ()) -> list[Any]:
    """Return the answers to *lines*, none of which is wrong."""
    return answers(printed("adjudicate", *args, input=text_of(lines)))


def with_faults(*lines: str | dict[str, Any], args: tuple[str, ...] = ()) -> list[Any]:
    """Return the answers to *lines*, some of which are wrong."""
    result = run("adjudicate", *args, input=text_of(lines))
    assert (result.exit_code, result.stderr) == (1, "")
    return answers(result.stdout)


def text_of(lines: Sequence[str | dict[str, Any]]) -> str:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    return "".join(f"{each}\n" for each in texts)


def answers(printed_text: str) -> list[Any]:
    return [json.loads(line) for line in printed_text.splitlines()]


def test_every_line_has_its_answer_in_order() -> None:
    found = adjudicated(*({**HOLDING, "id": number} for number in range(3)))

    assert [answer["id"] for answer in found] == [0, 1, 2]


def test_a_bad_line_is_told_and_blank_ones_are_counted() -> None:
    first, second, third = with_faults("", HOLDING, " \t\r", "nonsense", HOLDING, "")

    assert "state" in first
    assert second["line"] == 4
    assert second["error"]
    assert first == third
    assert len(adjudicated(HOLDING, "")) == 1
    assert adjudicated() == []


@pytest.mark.parametrize(("before", "number"), [("", 1), ("\n", 2), ("\r\n \n", 3)])
def test_a_byte_order_mark_is_no_part_of_the_first_line(
    before: str, number: int
) -> None:
    """Editors on Windows write it."""
    first, second = with_faults(f"\ufeff{before}{json.dumps(HOLDING)}", "nonsense")

    assert "state" in first
    assert second["line"] == number + 1


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (("--rules", "daide"), "W1901A"),
        (("--rules", "dipcc"), "S1902M"),
        (("--rule", "4.A.4=b", "--rule", "winter=skipped"), "S1902M"),
    ],
)
def test_the_edition_or_a_single_rule_can_be_chosen(
    args: tuple[str, ...], name: str
) -> None:
    (answer,) = adjudicated({**HOLDING, "phase": "F1901M", "units": {}}, args=args)

    assert answer["state"]["name"] == name


def test_the_rules_can_be_listed() -> None:
    assert "`4.D.8=2023`" in printed("adjudicate", "--list-rules")


def test_reasons_are_told_in_place_of_json() -> None:
    line = {**HOLDING, "orders": {"FRANCE": ["A PAR - LON"]}}

    result = run("adjudicate", "--explain", input=text_of([line, "nonsense"]))

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

    unnamed, named, standard = adjudicated(*lines, args=("--map", str(isle)))

    assert unnamed["state"]["units"] == {"RED": ["F SEA"], "BLU": ["A TWO"]}
    assert named == unnamed
    assert standard["state"]["units"]["FRANCE"] == ["A PAR"]


def test_a_board_of_ours_may_be_that_of_lines_which_name_none() -> None:
    line = {**HOLDING, "units": {"AUSTRIA": ["A VIE"]}}

    (answer,) = adjudicated(line, args=("--map", "fva"))

    assert list(answer["state"]["units"]) == ["AUSTRIA", "FRANCE"]


def test_lines_that_are_wrong_are_told_on_any_board(isle: Path) -> None:
    unknown = {**ON_ISLE, "map": "atoll"}

    found = with_faults("nonsense", unknown, "[" * 5000, args=("--map", str(isle)))

    errors = [answer["error"] for answer in found]
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
    (answer,) = with_faults(position)

    assert refusal(*words, path).endswith(f"{answer['error']}\n")
