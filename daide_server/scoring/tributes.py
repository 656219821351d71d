"""Systems in which the others pay those on top: Tribute, Mind the Gap."""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from daide_server.board.names import Power

from .formulas import Formula, each, living, ranked
from .game_result import GameResult, Points

# Tribute

SURVIVAL: Final = 66
"""What the survivors share."""
FREE: Final = 6
"""A topper gets tribute for its centres beyond these."""


def tribute(per_centre: Fraction) -> Formula:
    """Give a point per centre and for survival; toppers are paid for their size.

    No power pays more than its points for survival; the dead do not pay.
    """

    def points(game: GameResult) -> Points:
        survival = Fraction(SURVIVAL, max(1, len(game.survivors)))
        price = min(max(0, game.top - FREE) * per_centre, survival)
        return _paid(game, lambda at: game.centres[at] + survival, price)

    return points


def _paid(
    game: GameResult, own: Callable[[Power], Fraction], price: Fraction
) -> Points:
    """Return *own* of the survivors after *price* of each went to the toppers."""
    toppers = game.toppers
    income = price * (len(game.survivors) - len(toppers)) / max(1, len(toppers))
    return living(game, lambda at: own(at) + (income if at in toppers else -price))


def open_tribute(game: GameResult) -> Points:
    """34 and three per centre, less the distance to the top, which the toppers get.

    The distances of all powers count, those of the dead too.
    """
    distance = sum(map(game.behind, game.centres))
    bonus = distance // max(1, len(game.toppers)) ** 2

    def points(power: Power) -> int:
        behind = game.behind(power)
        return 34 + 3 * game.centres[power] + (-behind if behind else bonus)

    return living(game, points)


# Mind the Gap

PER_CENTRE: Final = Fraction(3, 2)
GAP_SURVIVAL: Final = 49
"""What the survivors share."""
OPEN_GAP_SURVIVAL: Final = 9
"""What each survivor has."""
OPEN_GAP_PLACES: Final = (9, 6, 3)
"""In halves of a point."""


def mind_the_gap(game: GameResult) -> Points:
    """Points for centres and survival; a lone topper is paid its lead by each other.

    The dead pay nothing: the sum is 100, as on the page of the system.
    """
    survival = Fraction(GAP_SURVIVAL, max(1, len(game.survivors)))
    gap = min(Fraction(game.lead), survival)
    return _paid(game, lambda at: PER_CENTRE * game.centres[at] + survival, gap)


def open_mind_the_gap(game: GameResult) -> Points:
    """Mind the Gap with a fixed bonus and places; no power pays more than a half."""
    places = ranked(game, OPEN_GAP_PLACES)
    centres, behind = game.centres, game.behind
    own = living(
        game,
        lambda at: PER_CENTRE * centres[at] + OPEN_GAP_SURVIVAL + places[at] / 2,
    )
    gap = Fraction(game.lead)
    paid = each(game, lambda at: min(gap, own[at] / 2) if behind(at) else 0)
    income = sum(paid.values())
    return each(game, lambda at: own[at] - paid[at] + (0 if behind(at) else income))
