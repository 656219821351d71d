"""Faults of the state: units, owners of centres, retreats."""

from collections.abc import Callable

import pytest

from daide_server.records.record import GameRecord
from tests.formats.phase_json.checks.file_changes import Change, faults_after
from tests.formats.phase_json.files import file_of


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda state: state.update(name="F1901M"), "state.name: found 'F1901M'"),
        (lambda state: state.pop("centers"), "state.centers: found None"),
        (lambda state: state["units"].update(SPAIN=[]), "unknown power 'SPAIN'"),
        (lambda state: state["units"]["FRANCE"].append("A NTH"), "cannot stand there"),
        (lambda state: state["units"]["FRANCE"].append("A KIE"), "2 units in KIE"),
        (lambda state: state["units"]["FRANCE"].append("*A BUR"), "outside of a retr"),
        (lambda state: state["centers"]["FRANCE"].append("BUR"), "not a supply centre"),
        (lambda state: state["centers"]["FRANCE"].append("KIE"), "found KIE 2 times"),
        (
            lambda state: state["retreats"]["FRANCE"].update({"A PAR": ["BUR"]}),
            "found FRANCE A PAR without its star",
        ),
        (lambda state: state.update(homes=[]), "homes: found [], expected an object"),
        (lambda state: state["homes"].update(FRANCE=1e9), "homes.FRANCE: found"),
        (lambda state: state["homes"].update(FRANCE=["X"]), "unknown place 'X'"),
        (lambda state: state.update(influence={"x": []}), "unknown power 'x'"),
        (lambda state: state.update(civil_disorder=1), "civil_disorder: found 1"),
        (lambda state: state.update(rules=1), "rules: found 1, expected an array"),
        (lambda state: state.update(map="fva"), "found 'fva', expected 'standard'"),
    ],
)
def test_a_fault_is_reported_with_what_was_found(
    record_of: Callable[..., GameRecord], change: Change, fault: str
) -> None:
    file = file_of(record_of(turns=1))
    assert fault in faults_after(file, lambda phase: change(phase["state"]))
