"""Checks of the messages of a phase: sender, recipient, time."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from daide_server.formats.faults import (
    RecordFault,
    entries,
    fault_if_unparsable,
    members,
    wrong_choice,
    wrong_kind,
)
from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, phase_turn
from daide_server.formats.phase_json.press_messages import EVERYBODY

from .raw_phase import RawPhase

MESSAGE: Final[Mapping[str, type]] = {
    "sender": str,
    "recipient": str,
    "time_sent": int,
    "message": str,
    "phase": str,
}
OFFICES: Final = ("SYSTEM", "OBSERVER", "OMNISCIENT")
"""Senders and recipients in a saved game besides the powers."""


def message_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield the faults of the messages of *phase*."""
    place = f"{phase.place}.messages"
    found = phase.held.get("messages")
    stamps: list[int] = []
    keyed = [(where, each) for where, _, each in entries(place, found)]
    for at, message in keyed or members(place, found):
        if not isinstance(message, dict):
            yield from wrong_kind(at, message, dict)
            continue
        yield from _of_message(phase, at, message)
        stamps += [s for s in [message.get("time_sent")] if isinstance(s, int)]
    for stamp, count in Counter(stamps).items():
        if count > 1:
            yield RecordFault(place, f"found {count} messages with time_sent {stamp}")
    if stamps != sorted(stamps):
        yield RecordFault(place, "found messages that are not in order of time_sent")


def _of_message(
    phase: RawPhase, at: str, message: Mapping[str, object]
) -> Iterator[RecordFault]:
    people = (*phase.names.powers.values(), *OFFICES)
    for key, kind in MESSAGE.items():
        yield from wrong_kind(f"{at}.{key}", message.get(key), kind)
    yield from wrong_choice(f"{at}.sender", message.get("sender"), people)
    name = message.get("phase")
    if isinstance(name, str) and name not in (phase.held.get("name"), COMPLETED_PHASE):
        yield from fault_if_unparsable(f"{at}.phase", phase_turn, name)
    recipients = (*people, *sorted(EVERYBODY))
    yield from wrong_choice(f"{at}.recipient", message.get("recipient"), recipients)
