"""Faults of files: of the game, its phases, states, orders, results and messages."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.library.variants import load_variant
from daide_server.records.formats.phase_json.checks import check
from daide_server.records.formats.phase_json.dialects import DIPCC
from daide_server.text.difference_text import faults_in
from tests.formats.phase_json.files import File, file_of
from tests.support.random_games import Recorded

# Files with one fault, and the faults that the checks find in them


Change = Callable[[Any], object]


def faults(file: File) -> list[str]:
    """Return the faults in *file*."""
    return [str(each) for each in check(json.dumps(file).encode(), load_variant)]


@pytest.mark.parametrize("form", ["dipcc", "dipcc-literal", "diplomacy"])
@pytest.mark.parametrize("seed", range(3))
def test_our_own_files_have_no_faults(
    record_of: Recorded, form: str, seed: int
) -> None:
    assert faults(file_of(record_of(seed, turns=40), form)) == []


PARTS: Mapping[str, Callable[[File], Any]] = {
    "file": lambda file: file,
    "phase": lambda file: file["phases"][0],
    "messages": lambda file: file["phases"][0]["messages"],
    "state": lambda file: file["phases"][0]["state"],
}
FAULTS: Mapping[str, list[tuple[Change, str]]] = {
    "file": [
        (lambda file: file.update(id=3), "id: found 3, expected a text"),
        (lambda file: file.update(rules={}), "rules: found {}, expected an array"),
        (lambda file: file.update(scoring_system="x"), "scoring_system: found 'x'"),
        (lambda file: file["metadata"].update(a=1), "metadata.a: found 1"),
        (lambda file: file.update(map="moon", daide=None), "map: "),
        (lambda file: file.update(map="moon"), "map: no variant is called 'moon'"),
        (lambda file: file.update(phases=[]), "phases: found none"),
        (lambda file: file["phases"].insert(0, 7), "phases[0]: found 7"),
        (lambda file: file["phases"].reverse(), "after a later phase, or twice"),
    ],
    "phase": [
        (lambda phase: phase.update(name="soon"), "expected a phase such as"),
        (lambda phase: phase.pop("orders"), "orders: found None"),
        (lambda phase: phase.pop("results"), "results: found None"),
        (lambda phase: phase.pop("messages"), "messages: found None"),
        (
            lambda phase: phase["results"].update({"A PAR": ["fine"]}),
            "results.A PAR[0]: found 'fine', expected one of",
        ),
        (
            lambda phase: phase["results"].update({"A PAR": [1]}),
            "results.A PAR[0]: found 1, expected one of",
        ),
        (
            lambda phase: phase["results"].update({"A BUR": []}),
            "results.A BUR: found A BUR, which is not there",
        ),
    ],
    "messages": [
        (lambda sent: sent[0].update(sender="SPAIN"), "[0].sender: found 'SPAIN'"),
        (lambda sent: sent[1].update(recipient="X"), "[1].recipient: found 'X'"),
        (lambda sent: sent[0].update(message=1), "[0].message: found 1"),
        (lambda sent: sent[0].update(phase="x"), "[0].phase: found 'x', expected a ph"),
        (lambda sent: sent[0].update(time_sent=True), "found True, expected a whole"),
        (lambda sent: sent.append("hello"), "found 'hello', expected an object"),
        (lambda sent: sent.append(sent[0]), "found 2 messages with time_sent"),
        (lambda sent: sent.reverse(), "not in order of time_sent"),
    ],
    "state": [
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
}
"""By part of a file: a change of it, and the fault that is told then."""


@pytest.mark.parametrize(
    ("part", "change", "fault"),
    [(part, *row) for part, rows in FAULTS.items() for row in rows],
)
def test_a_fault_is_reported_with_its_place(
    record_of: Recorded, part: str, change: Change, fault: str
) -> None:
    file = file_of(record_of(turns=4))
    change(PARTS[part](file))
    assert any(fault in each for each in faults(file))


@pytest.mark.parametrize("office", ["SYSTEM", "OMNISCIENT"])
def test_a_saved_game_has_messages_of_its_server(
    record_of: Recorded, office: str
) -> None:
    file = file_of(record_of(turns=1))
    file["phases"][0]["messages"][0]["sender"] = office
    assert faults(file) == []


# Faults in orders are told in the order of the file, for every power


def test_faults_are_reported_in_the_order_of_the_file(record_of: Recorded) -> None:
    file = json.loads(DIPCC.write(record_of(turns=1)))
    phase = file["phases"][0]
    powers = list(phase["state"]["units"])
    phase["orders"] = {power: ["A XYZ H"] for power in powers}

    found = faults_in(json.dumps(file).encode(), load_variant)

    assert [fault.place for fault in found] == [
        f"phases[0] S1901M.orders.{power}[0]" for power in powers
    ]


def test_the_orders_of_a_power_without_units_are_checked_too(
    record_of: Recorded,
) -> None:
    """Our reader understands such orders as well, other programs do not."""
    file = json.loads(DIPCC.write(record_of(turns=1)))
    phase = file["phases"][0]
    phase["state"]["units"]["FRANCE"] = []
    phase["orders"]["FRANCE"] = ["fleet brest hold"]

    found = faults_in(json.dumps(file).encode(), load_variant)

    assert "phases[0] S1901M.orders.FRANCE[0]" in [fault.place for fault in found]


# What of a phase can be looked at, whatever is in the file


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["units", "FRANCE", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["name", "state", "orders"]), JSON))
def test_any_content_of_a_phase_can_be_checked(held: dict[str, object]) -> None:
    found = faults({"id": "1", "map": "standard", "phases": [held]})
    assert all(each.startswith("phases[0]") for each in found)


# Results: the words of the package


@pytest.mark.parametrize("word", ["", "bounce", "maybe", "3:void"])
def test_the_words_of_the_package_are_accepted(record_of: Recorded, word: str) -> None:
    file = file_of(record_of(turns=1))
    file["phases"][0]["results"]["A PAR"] = [word]
    assert faults(file) == []
