"""Writes a game record as JSON with one object per phase.

Other readers demand a `state` in every phase, all powers among the orders, results and
messages as arrays, only text in the metadata, a scoring system that dipcc knows, no
WAIVE, no H after a support, and no route after VIA. All other data are under the key
`daide`, which they skip.
"""

import msgspec

from daide_server.records.record import GameRecord
from daide_server.records.turn_results import turn_results

from .dialect import Dialect
from .extension import extension_of
from .kept_keys import rules_text, write_kept
from .map_names import Names, names_of
from .metadata import metadata_of, scoring_of
from .phase_writing import empty_phase, played_phase
from .position_state import NO_BUILDS, state_of
from .press_messages import messages_of, stamp_of
from .shapes import WrittenGame, WrittenPhase


def write(record: GameRecord, dialect: Dialect) -> str:
    """Return *record* as a file in *dialect*.

    Raises `FormatError` for a game outside the years 1000 to 9999.
    """
    names = names_of(record.variant.map)
    game = WrittenGame(
        version="1.0",
        id=record.id,
        is_full_press=record.level > 0,
        map=_board(record, dialect),
        scoring_system=scoring_of(record, dialect),
        rules=rules_text(record),
        metadata=metadata_of(record, names),
        phases=_phases(record, names, dialect),
        daide=extension_of(record, names),
    )
    return msgspec.json.encode(game).decode()


def _board(record: GameRecord, dialect: Dialect) -> str:
    """Return the name of the board in *dialect*."""
    name = record.variant.name.lower()
    return dialect.maps.get(name, name)


def _phases(record: GameRecord, names: Names, dialect: Dialect) -> list[WrittenPhase]:
    written = messages_of(record, names, dialect)
    phases = [
        played_phase(names, turn, results) for turn, results in turn_results(record)
    ]
    if record.is_last_turn_open:
        state = state_of(names, record.last)
        phases.append(empty_phase(names, state, record.last_since))
    if record.ending is not None:
        state = state_of(names, record.last, completed=True)
        since = record.last_since if record.ended is None else record.ended
        phases.append(empty_phase(names, state, since))
    for phase in phases:
        messages = written.get(phase.name, [])
        phase.phase_start_time = stamp_of(phase.daide.seconds, record, dialect)
        write_kept(record, phase, _board(record, dialect))
        phase.messages = messages
        _add_absent(phase, names)
        if dialect.keyed_messages:
            phase.messages = {str(each.time_sent): each for each in messages}
    return phases


def _add_absent(phase: WrittenPhase, names: Names) -> None:
    """Add empty tables for the standard powers that the variant lacks."""
    for text in names.absent:
        phase.orders[text] = []
        phase.state.units[text] = []
        phase.state.centers[text] = []
        phase.state.homes[text] = []
        phase.state.retreats[text] = {}
        phase.state.builds[text] = NO_BUILDS
