"""What `render` and `assist` read, they read as `adjudicate` does."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.cli import main

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
