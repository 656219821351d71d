"""Systems that share one game's worth: by the squares, by the counts, equally."""

from fractions import Fraction

from .game_result import GameResult, Points
from .sums import each, scaled


def sum_of_squares(standing: GameResult) -> Points:
    """Share by the squares of the counts."""
    return scaled(each(standing, lambda at: standing.centres[at] ** 2), 1)


def sum_of_centers(standing: GameResult) -> Points:
    """Share by the counts."""
    return scaled(each(standing, standing.centres.__getitem__), 1)


def draw_size(standing: GameResult) -> Points:
    """Share equally among those in the draw."""
    sharing = standing.sharing
    return each(standing, lambda at: Fraction(at in sharing, max(1, len(sharing))))
