"""Systems that share one game's worth: by the squares, by the counts, equally."""

from fractions import Fraction

from .formulas import each, scaled
from .game_result import GameResult, Points


def sum_of_squares(game: GameResult) -> Points:
    """Share by the squares of the counts."""
    return scaled(each(game, lambda at: game.centres[at] ** 2), 1)


def sum_of_centers(game: GameResult) -> Points:
    """Share by the counts."""
    return scaled(each(game, game.centres.__getitem__), 1)


def draw_size(game: GameResult) -> Points:
    """Share equally among those in the draw."""
    sharing = game.sharing
    return each(game, lambda at: Fraction(at in sharing, max(1, len(sharing))))
