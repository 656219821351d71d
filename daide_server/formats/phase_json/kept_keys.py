"""Keys of other programs that say more than a record has, and are written back.

The `diplomacy` package adds to each state when it was left, a hash of the board, its
influence and so on. Nobody here reads their values, but for the time.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import fields

from daide_server.board.turns import Turn
from daide_server.records.record import GameRecord

from .map_names import COMPLETED_PHASE, phase_turn
from .position_state import KeptState
from .shapes import ReadPhase, WrittenPhase

RESULTS: Final = "results"
"""Written back as well: the package has words for units that are not there."""
STATE_KEYS: Final = tuple(field.name for field in fields(KeptState))


def kept_in(phase: ReadPhase) -> dict[str, str]:
    """Return the values to keep of *phase*, as JSON."""
    held = {key: getattr(phase.state, key) for key in STATE_KEYS}
    kept = {
        key: bytes(raw).decode() for key, raw in held.items() if isinstance(raw, Raw)
    }
    if phase.results:
        kept[RESULTS] = msgspec.json.encode(phase.results).decode()
    return kept


def rules_kept(rules: list[str] | None, level: int) -> tuple[str, ...] | None:
    """Return the *rules* of a file to keep, `None` if they are the usual ones."""
    return None if rules is None or rules == _usual(level) else tuple(rules)


def rules_text(record: GameRecord) -> list[str]:
    """Return the `rules` of *record*, as the `diplomacy` package calls options."""
    rules = record.kept.rules
    return _usual(record.level) if rules is None else list(rules)


def _usual(level: int) -> list[str]:
    return [] if level else ["NO_PRESS"]


def write_kept(record: GameRecord, phase: WrittenPhase, board: str) -> None:
    """Write back into *phase* what *record* has kept of it.

    A state that names its map names that of the file, *board*: the package refuses
    any other.
    """
    turn: Turn | None = None
    if phase.name != COMPLETED_PHASE:
        turn = phase_turn(phase.name)
    for key, text in record.kept.phases.get(turn, {}).items():
        if key == RESULTS:
            phase.results = msgspec.json.decode(text)
        else:
            setattr(phase.state, key, Raw(text.encode()))
    if phase.state.map is not UNSET:
        phase.state.map = Raw(msgspec.json.encode(board))


def left_at(phase: ReadPhase) -> float | None:
    """Return the stamp of when *phase* was left, by the `diplomacy` package's state."""
    if not isinstance(phase.state.timestamp, Raw):
        return None
    try:
        return msgspec.json.decode(phase.state.timestamp, type=float)
    except msgspec.DecodeError:
        return None
