"""Systems that give the dead something for the years that they lived.

ManorCon, Bangkok, Whipping, World Classic, Detour 09.
"""

from fractions import Fraction
from typing import Final

from daide_server.board.names import Power

from .formulas import Formula, added, each, living, scaled, with_dead
from .game_result import GameResult, Points, lowest


def per_full_year(worth: Fraction) -> Formula:
    """Give *worth* for each year that was lived through to its end."""
    return lambda game: each(game, lambda at: worth * game.full_years(at))


def per_year_played(worth: Fraction) -> Formula:
    """Give *worth* for each year in which orders were given."""
    return lambda game: each(game, lambda at: worth * game.years_played(at))


# ManorCon

tenths: Final = per_year_played(Fraction(1, 10))


def manor_con(game: GameResult) -> Points:
    """Share a hundred by c² + 4c + 16; the dead have a tenth per year played."""
    counts = game.centres
    weights = each(game, lambda at: counts[at] ** 2 + 4 * counts[at] + 16)
    return with_dead(game, scaled(weights, 100), tenths)


# Bangkok

REACH: Final = 3


def bangkok(game: GameResult) -> Points:
    """Centres, 3 for survival, and 12 shared by those near the top.

    The dead have 0.3 for each full year, as in dipvis.
    """
    near = living(game, lambda at: max(0, REACH - game.behind(at)))
    own = living(game, lambda at: game.centres[at] + 3)
    dead = per_full_year(Fraction(3, 10))
    return with_dead(game, added(own, scaled(near, 12)), dead)


def half_centres(game: GameResult) -> Points:
    """Give half a point per centre."""
    return each(game, lambda at: Fraction(game.centres[at], 2))


# Whipping

years_played: Final = per_year_played(Fraction(1))


def whipping(game: GameResult) -> Points:
    """Ten per centre, 60 for survival, and twice its count for a lone topper."""
    survival = Fraction(60, max(1, len(game.survivors)))

    def points(power: Power) -> Fraction:
        whip = 2 * game.top if game.lead and not game.behind(power) else 0
        return 10 * game.centres[power] + survival + whip

    return with_dead(game, each(game, points), years_played)


# World Classic

full_years: Final = per_full_year(Fraction(1))


def world_classic(game: GameResult) -> Points:
    """Ten per centre, 30 for survival, 48 shared by the toppers."""
    crown = Fraction(48, len(game.toppers) or 1)

    def points(power: Power) -> Fraction:
        crowned = power in game.toppers
        return 10 * game.centres[power] + 30 + crown * crowned

    return with_dead(game, each(game, points), full_years)


# Detour 09

DETOUR_PLACES: Final = (4, 3, 2, 1)
DETOUR_MAX: Final = Fraction(2)


def detour_years(game: GameResult) -> Points:
    """Give a quarter for each full year, but no more than two points."""
    worth = Fraction(1, 4)
    return each(game, lambda at: min(worth * game.full_years(at), DETOUR_MAX))


def detour_09(game: GameResult) -> Points:
    """Centres, survival, the lowest of tied places and the lead, out of a hundred."""
    places = lowest(game.by_centres, tuple(game.centres), DETOUR_PLACES)

    def points(power: Power) -> Fraction:
        lead = 0 if game.behind(power) else game.lead
        return game.centres[power] + 2 + places[power] + lead

    return with_dead(game, scaled(living(game, points), 100), detour_years)
