"""Faults of the whole file, and of the order of its phases."""

from collections.abc import Callable
from typing import Any

import pytest

from daide_server.records.record import GameRecord
from tests.formats.phase_json.checks.file_changes import Change, faults
from tests.formats.phase_json.files import file_of


@pytest.mark.parametrize("form", ["dipcc", "dipcc-literal", "diplomacy"])
@pytest.mark.parametrize("seed", range(3))
def test_our_own_files_have_no_faults(
    record_of: Callable[..., GameRecord], form: str, seed: int
) -> None:
    assert faults(file_of(record_of(seed, turns=12), form)) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda file: file.update(id=3), "id: found 3, expected a text"),
        (lambda file: file.update(rules={}), "rules: found {}, expected an array"),
        (lambda file: file.update(scoring_system="x"), "scoring_system: found 'x'"),
        (lambda file: file["metadata"].update(a=1), "metadata.a: found 1"),
        (lambda file: file.update(map="moon", daide=None), "map: "),
        (lambda file: file.update(map="moon"), "map: no variant is called 'moon'"),
        (lambda file: file.update(phases=[]), "phases: found none"),
        (lambda file: file["phases"].insert(0, 7), "phases[0]: found 7"),
        (lambda file: file["phases"].reverse(), "after a later phase, or twice"),
        (
            lambda file: file["phases"][0].update(name="soon"),
            "expected a phase such as",
        ),
        (lambda file: file["phases"][0].pop("orders"), "orders: found None"),
        (lambda file: file["phases"][0].pop("results"), "results: found None"),
        (lambda file: file["phases"][0].pop("messages"), "messages: found None"),
    ],
)
def test_a_fault_is_reported_with_its_place(
    record_of: Callable[..., GameRecord], change: Change, fault: str
) -> None:
    file: dict[str, Any] = file_of(record_of(turns=4))
    change(file)
    assert any(fault in each for each in faults(file))
