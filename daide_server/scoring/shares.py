"""Systems that share one game's worth: by the squares, by the counts, equally."""

from fractions import Fraction

from .standing import Points, Standing
from .sums import each, scaled


def sum_of_squares(standing: Standing) -> Points:
    """Share by the squares of the counts."""
    return scaled(each(standing, lambda at: standing.centres[at] ** 2), 1)


def sum_of_centers(standing: Standing) -> Points:
    """Share by the counts."""
    return scaled(each(standing, standing.centres.__getitem__), 1)


def draw_size(standing: Standing) -> Points:
    """Share equally among those in the draw."""
    sharing = standing.sharing
    return each(standing, lambda at: Fraction(at in sharing, max(1, len(sharing))))
