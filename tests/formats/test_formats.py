"""All formats: which there are, how they are recognised, and their errors."""

import json
import re
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.records.formats import errors
from daide_server.records.formats.format import RecordFault, top_keys
from daide_server.records.formats.phase_json.shapes import ReadGame
from daide_server.records.formats.registry import FORMATS, recognise
from daide_server.records.formats.tables import TABLE_FORMATS
from daide_server.scoring.systems import DIPCC_SYSTEMS, DIPLOBN_SYSTEMS, WITHOUT_FORMULA

# What is derived from the registered formats


PROJECT = Path(__file__).parents[2] / "pyproject.toml"


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
def test_files_that_hold_no_game_are_refused(content: bytes, problem: str) -> None:
    with pytest.raises(errors.FormatError, match=problem):
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


def test_formats_name_the_systems_of_their_documents() -> None:
    assert len(DIPCC_SYSTEMS) == 8
    # 32 names in DiploBN's schema, two of them (Manual, Unscored) not a formula.
    assert len(DIPLOBN_SYSTEMS) + len(WITHOUT_FORMULA) == 30


# The keys by which a JSON format is recognised


def test_only_the_keys_at_the_top_count() -> None:
    assert top_keys(b'{"a": {"b": 1}, "c": [{"d": 2}]}') == {"a", "c"}


@given(st.binary(max_size=40))
def test_any_bytes_have_keys_or_are_refused(content: bytes) -> None:
    with suppress(errors.FormatError):
        top_keys(content)


def test_long_messages_keep_their_two_ends() -> None:
    """The place is at one end, what was expected at the other."""
    message = f"orders: found {'A' * 5_000}, expected 'A PAR - BUR'"

    short = errors.shortened(message)

    assert len(short) == errors.MAX_MESSAGE + len(" ... ")
    assert short.startswith("orders: found AAA")
    assert short.endswith("AAA, expected 'A PAR - BUR'")
    assert str(errors.FormatError(message)) == short
    # Keys are parts of a place, and may be of any length.
    fault = str(RecordFault(f"phases[0].{'A' * 10_000}", "found 3, expected an object"))
    assert len(fault) == len(short)
    assert fault.endswith("AAA: found 3, expected an object")


def test_an_error_names_the_place_in_the_json() -> None:
    message = "no unit"
    with (
        pytest.raises(errors.FormatError, match=r"^S1901M: no unit$"),
        errors.within("S1901M"),
    ):
        raise errors.FormatError(message)


STATE = {"units": {"FRANCE": ["A PAR"]}, "centers": {}}


def error_in(text: str) -> str:
    """Return what is wrong with the file *text*."""
    with pytest.raises(errors.FormatError) as caught:
        errors.decoded(text, msgspec.json.Decoder(ReadGame))
    return str(caught.value)


WRONG_UNITS = {"AUSTRIA": [], "FRANCE": ["A PAR", 3], "ITALY": [4]}
WRONG_RETREATS = {"FRANCE": {"A PAR": []}, "ITALY": {"A ROM": [], "A VEN": [None]}}


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        (
            {**STATE, "units": WRONG_UNITS},
            "units['FRANCE'][1]: Expected `str`, got `int`",
        ),
        (
            {**STATE, "retreats": WRONG_RETREATS},
            "retreats['ITALY']['A VEN'][0]: Expected `str`, got `null`",
        ),
    ],
)
def test_every_key_of_a_place_is_named(wrong: object, place: str) -> None:
    phases = [{"name": "S1901R", "state": each} for each in (STATE, wrong)]

    assert error_in(json.dumps({"phases": phases})) == f"$.phases[1].state.{place}"


def test_one_key_of_many_is_found() -> None:
    units: dict[str, object] = {f"POWER {number}": [] for number in range(1000)}
    for at in ("POWER 0", "POWER 499", "POWER 999"):
        state = {**STATE, "units": {**units, at: 3}}
        text = json.dumps({"phases": [{"name": "S1901M", "state": state}]})

        assert f".units['{at}']: Expected `array`" in error_in(text)


def test_an_error_in_incomplete_json_names_no_keys() -> None:
    text = json.dumps({"phases": [{"name": "S1901M", "state": {"units": {"A": 3}}}]})

    assert error_in(text[:-1]).startswith(
        "$.phases[0].state.units[...]: Expected `array`"
    )


@pytest.mark.parametrize(
    "text", [b'{"phases": [], "id": "\xff"}', b'{"phases": "\xff"}']
)
def test_invalid_utf8_is_reported_with_its_place(text: bytes) -> None:
    place = text.index(b"\xff")

    with pytest.raises(errors.FormatError, match=f"byte {place}: invalid UTF-8"):
        errors.expect_utf8(text)
    with pytest.raises(errors.FormatError):
        errors.decoded(text, msgspec.json.Decoder(ReadGame))
