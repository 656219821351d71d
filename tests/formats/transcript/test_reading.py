"""Reading a transcript: which lines count, and the place of a fault."""

from collections.abc import Callable

import pytest

from daide_server.formats.errors import FormatError
from daide_server.formats.transcript.reading import read
from daide_server.formats.transcript.writing import write
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant

Recorded = Callable[..., GameRecord]


def test_comments_and_empty_lines_do_not_matter(record_of: Recorded) -> None:
    text = write(record_of(turns=3))
    spaced = text.replace("\n", "\n\n#a comment\n")
    assert read(spaced, load_variant) == read(text, load_variant)


def test_bytes_are_read_as_text_is(record_of: Recorded) -> None:
    text = write(record_of(turns=1))
    assert read(text.encode(), load_variant) == read(text, load_variant)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("# variant: standard", "# variant: moon", "# variant: "),
        ("# level: ", "# level: x", "# level: found 'x.*expected a number"),
        ("# started: ", "# started: 1e999 ", "# started: found"),
        ("# ending: ", "# ending: un", "# ending: found 'un.*expected one of"),
        ("# winners: ", "# winners: F ", "# winners: found 'F', expected AUS ENG"),
        ("\t-\tMAP", "\tXXX\tMAP", "line \\d+: found 'XXX', expected a power"),
        ("0.000\t", '# said: "\\ud800"\n0.000\t', "line \\d+: found .* a JSON text"),
    ],
)
def test_a_fault_is_reported_with_its_line(
    record_of: Recorded, old: str, new: str, problem: str
) -> None:
    text = write(record_of(turns=1))
    assert old in text
    with pytest.raises(FormatError, match=problem):
        read(text.replace(old, new, 1), load_variant)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(FormatError, match="can't decode"):
        read(b"# daide transcript 1\n\xff", load_variant)
