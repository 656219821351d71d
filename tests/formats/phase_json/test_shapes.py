from typing import Any

import msgspec

from daide_server.formats.phase_json.shapes import (
    ReadGame,
    ReadPhase,
    messages_in,
    retreats_in,
)

STATE: dict[str, Any] = {"units": {}, "centers": {}}
HELLO = {"sender": "FRANCE", "recipient": "ALL", "message": "hello", "time_sent": 1}


def phase(**keys: object) -> ReadPhase:
    return msgspec.convert({"name": "S1901M", "state": STATE, **keys}, ReadPhase)


def test_keys_that_nobody_looks_at_may_be_anything() -> None:
    text = b"""{"phases": [{"name": "S1901M", "logs": 3, "state":
        {"units": {}, "centers": {}, "builds": "none", "homes": [1]}}], "version": 1.0,
        "scoring_system": 0, "viz": {"a": null}}"""

    assert msgspec.json.decode(text, type=ReadGame).phases == [phase()]


def test_messages_may_be_an_array_an_object_or_missing() -> None:
    [message] = messages_in(phase(messages=[HELLO]))

    assert messages_in(phase(messages={"1": HELLO})) == [message]
    assert messages_in(phase(messages=None)) == messages_in(phase()) == []


def test_retreats_by_power_are_taken_as_they_are() -> None:
    retreats = {"FRANCE": {"F LYO": ["MAR"]}, "TURKEY": {}}

    assert retreats_in(phase(state={**STATE, "retreats": retreats})) == retreats


def test_retreats_by_unit_belong_to_the_power_of_the_starred_unit() -> None:
    units = {"FRANCE": ["F TUN", "*F LYO"], "TURKEY": ["F LYO"]}
    state = {**STATE, "units": units, "retreats": {"F LYO": ["MAR"]}}

    assert retreats_in(phase(state=state)) == {"FRANCE": {"F LYO": ["MAR"]}}
