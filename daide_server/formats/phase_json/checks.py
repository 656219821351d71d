"""Checks of the whole file, its phases in order, and their parts.

A fault is whatever dipcc or the `diplomacy` package refuses or misreads, even if our
reader accepts it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant, VariantError
from daide_server.formats.errors import FormatError
from daide_server.formats.format import (
    FindVariant,
    RecordFault,
    entries,
    fault_if_unparsable,
    json_object,
    members,
    shown,
    wrong_choice,
    wrong_kind,
)

from .dialect import in_our_words
from .map_names import (
    COMPLETED_PHASE,
    Names,
    names_of,
    phase_turn,
)
from .metadata import DOCUMENT_SYSTEMS
from .order_texts import WORD_OF_CONSEQUENCE
from .phase_checks import (
    RawPhase,
    order_faults,
    state_faults,
)
from .press_messages import EVERYBODY
from .reading import OUR_BOARDS

# Messages: sender, recipient, time

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


# Results of orders

_WORDS: Final = tuple(WORD_OF_CONSEQUENCE.values())
RESULT_WORDS: Final = ("", *_WORDS[:2], "maybe", *_WORDS[2:])
"""`maybe` is the `diplomacy` package's word for an undecided result."""


def result_faults(phase: RawPhase) -> Iterator[RecordFault]:
    """Yield unknown words, and results of units that are not there.

    In retreat phases the package repeats the results of the movement phase.
    """
    known = {text.removeprefix("*") for _, _, text in phase.unit_texts}
    elsewhere = phase.turn is not None and phase.turn.phase is not Phase.MOVEMENT
    place = f"{phase.place}.results"
    for where, unit, words in entries(place, phase.held.get("results")):
        if unit not in known and not elsewhere:
            yield RecordFault(where, f"found {unit}, which is not there")
        for at, word in members(where, words):
            plain = word.rpartition(":")[2] if isinstance(word, str) else word
            yield from wrong_choice(at, plain, RESULT_WORDS)


TOP: Final[Mapping[str, type]] = {"id": str, "map": str, "phases": list}
OPTIONAL: Final[Mapping[str, type]] = {
    "version": str,
    "is_full_press": bool,
    "metadata": dict,
    "rules": list,
}
PHASE: Final[Mapping[str, type]] = {
    "name": str,
    "state": dict,
    "orders": dict,
    "results": dict,
}
SCORING_CODES: Final = (*DOCUMENT_SYSTEMS, 0, 1)


def check(content: bytes, variants: FindVariant) -> Iterator[RecordFault]:
    """Yield the faults of the file *content*, which is a JSON object."""
    game = json_object(in_our_words(content))
    for key, kind in TOP.items():
        yield from wrong_kind(key, game.get(key), kind)
    for key, kind in OPTIONAL.items():
        if key in game:
            yield from wrong_kind(key, game[key], kind)
    if game.get("scoring_system") is not None:
        yield from wrong_choice("scoring_system", game["scoring_system"], SCORING_CODES)
    for place, _, value in entries("metadata", game.get("metadata")):
        yield from wrong_kind(place, value, str)
    variant = _variant(game, variants)
    if isinstance(variant, RecordFault):
        yield variant
    else:
        yield from _phases(names_of(variant.map), game)


def _variant(game: dict[str, object], variants: FindVariant) -> Variant | RecordFault:
    extras = game.get("daide")
    own = extras.get("variant") if isinstance(extras, dict) else None
    name = str(game.get("map"))
    try:
        found = variants(OUR_BOARDS.get(name, name))
        return variants(str(own)) if own else found
    except VariantError as error:
        return RecordFault("map", str(error))


def _phases(names: Names, game: Mapping[str, object]) -> Iterator[RecordFault]:
    phases = game.get("phases")
    if phases == []:
        yield RecordFault("phases", "found none, expected one at least")
    before: Turn | None = None
    for where, phase in members("phases", phases):
        if not isinstance(phase, dict):
            yield from wrong_kind(where, phase, dict)
            continue
        name = phase.get("name")
        place = f"{where} {name}" if isinstance(name, str) else where
        turn = _turn(str(name))
        if name != COMPLETED_PHASE:
            yield from fault_if_unparsable(f"{place}.name", phase_turn, str(name))
        if turn and before and turn <= before:
            yield RecordFault(
                f"{place}.name", f"found {name} after a later phase, or twice"
            )
        before = turn or before
        raw = RawPhase(names, place, phase, turn)
        if raw.state.get("map", game.get("map")) != game.get("map"):
            found, expected = shown(raw.state["map"]), shown(game.get("map"))
            yield RecordFault(
                f"{place}.state.map", f"found {found}, expected {expected}"
            )
        yield from _phase(raw)


def _turn(name: str) -> Turn | None:
    try:
        return phase_turn(name)
    except FormatError:
        return None


def _phase(phase: RawPhase) -> Iterator[RecordFault]:
    for key, kind in PHASE.items():
        yield from wrong_kind(f"{phase.place}.{key}", phase.held.get(key), kind)
    messages = phase.held.get("messages")
    if not isinstance(messages, dict):
        yield from wrong_kind(f"{phase.place}.messages", messages, list)
    if isinstance(phase.held.get("state"), dict):
        yield from state_faults(phase)
        yield from order_faults(phase)
        yield from result_faults(phase)
        yield from message_faults(phase)
