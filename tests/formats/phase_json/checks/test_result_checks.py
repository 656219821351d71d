"""Faults of results: words that are none, units that are not there."""

from collections.abc import Callable

import pytest

from daide_server.records.record import GameRecord
from tests.formats.phase_json.checks.file_changes import faults_after
from tests.formats.phase_json.files import file_of


@pytest.mark.parametrize("word", ["", "bounce", "maybe", "3:void"])
def test_the_words_of_the_package_are_accepted(
    record_of: Callable[..., GameRecord], word: str
) -> None:
    file = file_of(record_of(turns=1))
    found = faults_after(file, lambda phase: phase["results"].update({"A PAR": [word]}))
    assert "results" not in found


@pytest.mark.parametrize(
    ("results", "fault"),
    [
        ({"A PAR": ["fine"]}, "results.A PAR[0]: found 'fine', expected one of"),
        ({"A PAR": [1]}, "results.A PAR[0]: found 1, expected one of"),
        ({"A BUR": []}, "results.A BUR: found A BUR, which is not there"),
    ],
)
def test_a_fault_is_reported_with_its_place(
    record_of: Callable[..., GameRecord], results: dict[str, object], fault: str
) -> None:
    file = file_of(record_of(turns=1))
    assert fault in faults_after(file, lambda phase: phase.update(results=results))
