"""The names of phases in the `diplomacy` project's syntax, short and long."""

import re
from collections.abc import Mapping
from typing import Final

from daide_server.board.turns import Phase, Season, Turn

from .errors import FormatError
from .phase_json.names import phase_turn

LONG_PHASES: Final[Mapping[Season, str]] = {
    Season.SPRING: "SPRING {:04} MOVEMENT",
    Season.SUMMER: "SPRING {:04} RETREATS",
    Season.FALL: "FALL {:04} MOVEMENT",
    Season.AUTUMN: "FALL {:04} RETREATS",
    Season.WINTER: "WINTER {:04} ADJUSTMENTS",
}
_SEASONS: Final = {
    "S": Season.SPRING,
    "SPR": Season.SPRING,
    "SPRING": Season.SPRING,
    "SUM": Season.SUMMER,
    "SUMMER": Season.SUMMER,
    "F": Season.FALL,
    "FAL": Season.FALL,
    "FALL": Season.FALL,
    "AUT": Season.AUTUMN,
    # To the British, the movement of autumn; to DAIDE, AUT is the retreats.
    "AUTUMN": Season.FALL,
    "W": Season.WINTER,
    "WIN": Season.WINTER,
    "WINTER": Season.WINTER,
}
_RETREATS_OF: Final = {Season.SPRING: Season.SUMMER, Season.FALL: Season.AUTUMN}
_LONG_PHASE: Final = re.compile(r"([A-Z]+)[ ,']*(\d{1,4})[ ,(]*([A-Z]*)\)?")
_KINDS: Final = {"M": Phase.MOVEMENT, "R": Phase.RETREATS, "A": Phase.ADJUSTMENTS}


def long_phase(turn: Turn) -> str:
    """Return such as `SPRING 1901 MOVEMENT`."""
    return LONG_PHASES[turn.season].format(turn.year)


def read_phase(text: str) -> Turn:
    """Return the turn that *text*, short or long, in any case, names."""
    plain = text.strip().upper()
    try:
        return phase_turn(plain)
    except FormatError as error:
        found = _LONG_PHASE.fullmatch(plain)
        season = _SEASONS.get(found[1]) if found else None
        if found is None or season is None:
            raise FormatError(str(error)) from None
    kind = _KINDS.get(found[3][:1])
    turn = Turn(season, int(found[2]))
    if kind is Phase.RETREATS:
        turn = Turn(_RETREATS_OF.get(season, season), turn.year)
    if kind not in {None, turn.phase} or (found[3] and kind is None):
        message = f"phase {text!r} found, expected such as 'SPRING 1901 MOVEMENT'"
        raise FormatError(message)
    return turn
