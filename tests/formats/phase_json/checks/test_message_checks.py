"""Faults of messages: sender, recipient, time."""

from collections.abc import Callable

import pytest

from daide_server.records.record import GameRecord
from tests.formats.phase_json.checks.file_changes import Change, faults_after
from tests.formats.phase_json.files import file_of


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda sent: sent[0].update(sender="SPAIN"), "[0].sender: found 'SPAIN'"),
        (lambda sent: sent[1].update(recipient="X"), "[1].recipient: found 'X'"),
        (lambda sent: sent[0].update(message=1), "[0].message: found 1"),
        (lambda sent: sent[0].update(phase="x"), "[0].phase: found 'x', expected a ph"),
        (lambda sent: sent[0].update(time_sent=True), "found True, expected a whole"),
        (lambda sent: sent.append("hello"), "found 'hello', expected an object"),
        (lambda sent: sent.append(sent[0]), "found 2 messages with time_sent"),
        (lambda sent: sent.reverse(), "not in order of time_sent"),
    ],
)
def test_a_fault_is_reported_with_its_place(
    record_of: Callable[..., GameRecord], change: Change, fault: str
) -> None:
    file = file_of(record_of(turns=1))
    assert fault in faults_after(file, lambda phase: change(phase["messages"]))


@pytest.mark.parametrize("office", ["SYSTEM", "OMNISCIENT"])
def test_a_saved_game_has_messages_of_its_server(
    record_of: Callable[..., GameRecord], office: str
) -> None:
    file = file_of(record_of(turns=1))
    found = faults_after(file, lambda phase: phase["messages"][0].update(sender=office))
    assert found == ""
