"""Reads of a file what scores need: owners, the last positions, and the ending."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec
from msgspec.structs import asdict

from daide_server.formats.errors import FormatError

from .map_names import COMPLETED_PHASE, phase_turn
from .shapes import OutlineGame, OutlinePhase, QuickGame, QuickPhase, QuickState

LAST_PHASES: Final = 2
"""How many phases are read as a whole, besides the one called COMPLETED."""

_GAME: Final = msgspec.json.Decoder(OutlineGame)
_OUTLINE: Final = msgspec.json.Decoder(OutlinePhase)
_WHOLE: Final = msgspec.json.Decoder(QuickPhase)


def outline_game(text: str | bytes) -> QuickGame | None:
    """Return the game in *text*, its earlier phases with owners only.

    `None` for a file with a fault, or whose phases are not in order: that has to be
    read as a whole.
    """
    try:
        game = _GAME.decode(text)
        outlines = list(map(_OUTLINE.decode, game.phases))
        whole = _first_whole(outlines)
        phases = list(map(_with_owners, outlines[:whole]))
        phases += map(_WHOLE.decode, game.phases[whole:])
    except (msgspec.DecodeError, UnicodeDecodeError, FormatError):
        return None
    return QuickGame(**(asdict(game) | {"phases": phases}))


def _first_whole(outlines: Sequence[OutlinePhase]) -> int:
    """Return the index of the first phase that is read as a whole.

    Raises `FormatError` if the phases are not in order of time.
    """
    is_over = bool(outlines) and outlines[-1].name == COMPLETED_PHASE
    count = len(outlines) - is_over
    turns = [phase_turn(each.name) for each in outlines[:count]]
    if not all(one < other for one, other in pairwise(turns)):
        message = "phases: found another order than that of time"
        raise FormatError(message)
    return max(0, count - LAST_PHASES)


def _with_owners(outline: OutlinePhase) -> QuickPhase:
    state = QuickState(units={}, centers=outline.state.centers)
    return QuickPhase(outline.name, state)
