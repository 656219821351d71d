"""Checks of the whole file, its phases in order, and their parts.

A fault is whatever dipcc or the `diplomacy` package refuses or misreads, even if our
reader accepts it.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from daide_server.board.turns import Turn
from daide_server.board.variant import Variant, VariantError
from daide_server.formats.errors import FormatError
from daide_server.formats.faults import (
    RecordFault,
    entries,
    fault_if_unparsable,
    json_object,
    members,
    shown,
    wrong_choice,
    wrong_kind,
)
from daide_server.formats.format import FindVariant
from daide_server.formats.phase_json.map_names import (
    COMPLETED_PHASE,
    Names,
    names_of,
    phase_turn,
)
from daide_server.formats.phase_json.metadata import DOCUMENT_SYSTEMS
from daide_server.formats.phase_json.package_boards import in_our_words
from daide_server.formats.phase_json.reading import OUR_BOARDS

from .message_checks import message_faults
from .order_checks import order_faults
from .raw_phase import RawPhase
from .result_checks import result_faults
from .state_checks import state_faults

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
