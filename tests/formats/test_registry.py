"""What is derived from the registered formats."""

import re
from pathlib import Path
from typing import Final

import pytest

from daide_server.formats.diplobn.map_names import SCHEMA_SYSTEMS
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.metadata import DOCUMENT_SYSTEMS
from daide_server.formats.registry import FORMATS, TABLE_FORMATS, recognise
from daide_server.scoring.systems import SYSTEMS, WITHOUT_FORMULA

PROJECT: Final = Path(__file__).parents[2] / "pyproject.toml"


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b'{"phases": []}', "dipcc"),
        (b'{"id": 1, "GamePhases": 3}', "diplobn"),
        (b'{"GamePhases": [], "phases": []}', "dipcc"),
        (b"# daide transcript 1\n", "transcript"),
    ],
)
def test_a_file_is_known_by_its_content(content: bytes, form: str) -> None:
    assert recognise(content) == form


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{}", "found neither phases nor GamePhases, expected a record of a game"),
        (b"[]", "found no JSON object, expected a record of a game: "),
        (b"", "found no JSON object, expected a record of a game: "),
        (b"[" * 100_000, "found no JSON object|nested too deeply"),
        (b'{"a": ' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_game_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        recognise(content)


def test_the_document_names_each_format() -> None:
    text = (PROJECT.parent / "docs" / "records.md").read_text("utf-8")
    _, _, table = text.partition("## The formats\n")
    listed = re.findall(r"^\| (`.*?) \|", table.partition("\n## ")[0], re.MULTILINE)
    names = re.findall(r"`([a-z-]+)`", " ".join(listed))
    assert names == [*FORMATS, *TABLE_FORMATS]


def test_formats_and_tables_have_different_names() -> None:
    """`export --to` offers both."""
    assert FORMATS.keys().isdisjoint(TABLE_FORMATS)


def test_formats_name_systems_that_can_be_calculated() -> None:
    assert len(DOCUMENT_SYSTEMS) == 8
    # 32 names in DiploBN's schema, two of them (Manual, Unscored) not a formula.
    assert len(SCHEMA_SYSTEMS) + len(WITHOUT_FORMULA) == 30
    assert SYSTEMS.keys() >= {*DOCUMENT_SYSTEMS, *SCHEMA_SYSTEMS}
