"""Times in the files of other programs: theirs, or none."""

import json
from itertools import pairwise
from typing import Any

import pytest

from daide_server.formats.phase_json.dialects import DIPCC as DIPCC
from daide_server.formats.phase_json.dialects import DIPLOMACY as DIPLOMACY
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant
from tests.support.data import GAMES, game

SAVED = [name for name in GAMES if name.startswith("selfplay")]
DIALOGUES = [name for name in GAMES if name.startswith("game_")]


def phases(content: bytes | str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(content)["phases"]
    return found


def since(record: GameRecord) -> list[float | None]:
    return [*(turn.since for turn in record.turns), record.last_since]


@pytest.mark.parametrize("name", SAVED)
def test_a_phase_began_when_the_package_left_the_one_before(name: str) -> None:
    stamps = [phase["state"]["timestamp"] / 1e6 for phase in phases(game(name))]
    record = DIPCC.read(game(name), load_variant)
    first, *others = since(record)

    assert first is None
    assert record.started == stamps[0]
    for found, left in zip(others, stamps, strict=False):
        assert found is not None
        assert record.started + found == pytest.approx(left)


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_phase_without_a_time_has_none(name: str) -> None:
    record = DIPCC.read(game(name), load_variant)

    assert set(since(record)) == {None}
    for form in (DIPCC, DIPLOMACY):
        written = form.write(record)
        assert not any("phase_start_time" in phase for phase in phases(written))
        assert form.read(written, load_variant) == record


@pytest.mark.parametrize("name", DIALOGUES)
def test_press_was_sent_when_the_file_says(name: str) -> None:
    """Cicero's stamps are seconds since 1970, ten thousand times."""
    record = DIPCC.read(game(name), load_variant)
    sent = [each["time_sent"] for each in sum_of_messages(name)]

    assert len(sent) == len(record.messages)
    for message, stamp in zip(record.messages, sent, strict=True):
        assert message.seconds is not None
        assert record.started + message.seconds == pytest.approx(stamp / 1e4)


def sum_of_messages(name: str) -> list[dict[str, Any]]:
    return [each for phase in phases(game(name)) for each in phase["messages"]]


@pytest.mark.parametrize("name", DIALOGUES)
def test_no_two_phases_get_one_constant(name: str) -> None:
    """`played` phases of a file that has their times differ in them."""
    content = json.loads(game(name))
    for number, phase in enumerate(content["phases"]):
        phase["phase_start_time"] = 166_560_000_000 + 6_000 * number
        phase["messages"] = []

    found = since(DIPCC.read(json.dumps(content), load_variant))

    assert found[0] == 0
    for one, other in pairwise(found):
        assert one is not None
        assert other is not None
        assert other - one == pytest.approx(60)


def test_a_file_without_times_has_none() -> None:
    state = {"units": {"FRANCE": ["A PAR"]}, "centers": {}}
    said = {"sender": "FRANCE", "recipient": "ITALY", "message": "ciao"}
    phase = {"name": "S1901M", "state": state, "messages": [said]}

    record = DIPCC.read(json.dumps({"phases": [phase]}), load_variant)

    assert (record.started, record.last_since) == (0.0, None)
    assert [message.seconds for message in record.messages] == [None]
    assert DIPCC.read(DIPCC.write(record), load_variant) == record
