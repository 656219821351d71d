"""The weights of an evaluation, in centres.

They depend on the season: a centre entered in spring must be held until fall.
"""

from collections.abc import Mapping
from typing import Final

from daide_server.board.turns import Season
from daide_server.classes import frozen


@frozen
class Scale:
    """The weights after a turn of one season, in centres.

    `standing` is a centre that a unit has entered, `threat` one that may be lost next,
    and `prospect` one that may be entered next.
    """

    standing: float
    threat: float
    prospect: float


YEAR_GOES_ON: Final = Scale(0.5, 0.35, 0.3)
YEAR_ENDS: Final = Scale(1.0, 0.25, 0.2)
SCALES: Final[Mapping[Season, Scale]] = {
    Season.SPRING: YEAR_GOES_ON,
    Season.SUMMER: YEAR_GOES_ON,
    Season.FALL: YEAR_ENDS,
    Season.AUTUMN: YEAR_ENDS,
    Season.WINTER: YEAR_ENDS,
}
"""A centre entered in spring can be lost again before the centres are counted."""

UNIT: Final = 0.5
DISLODGED_WEIGHT: Final = 0.25
"""A dislodged unit that can retreat."""
RIVAL: Final = 0.15
"""A centre or a unit that another power loses."""
VICTORY: Final = 10.0
EXPOSED: Final = 0.05
"""A unit that can be dislodged next, in addition to its centre."""
EVEN_CHANCE: Final = 0.3
OUTNUMBERED_CHANCE: Final = 0.15
"""Factors for a prospect where a rival has as many units, or more."""
