"""What counts in an outlook, and how much, in centres.

It differs by season: in spring a centre that is entered must still be held.
"""

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from daide_server.board.turns import Season


@frozen
class Scale:
    """What counts at the end of a season's turn, in centres.

    `standing` is a centre that is entered, `threat` one that may be lost next, and
    `prospect` one that may be entered next.
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
"""In spring a centre that is entered can still be lost before it counts."""

UNIT: Final = 0.5
DISLODGED_WEIGHT: Final = 0.25
RIVAL: Final = 0.15
"""A centre or a unit that another power loses."""
VICTORY: Final = 10.0
EXPOSED: Final = 0.05
"""A unit, on no centre of its own, that can be dislodged next."""
EVEN, OUTNUMBERED = 0.3, 0.15
"""What is left of a prospect that others can contest."""
