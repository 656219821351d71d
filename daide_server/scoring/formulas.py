"""Formulas: points for each power, scaled and added.

A formula returns the points of every power for a result, of eliminated ones too.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from daide_server.board.names import Power

from .game_result import GameResult, Points, Ranking, RankKey, lowest, shared

Formula = Callable[[GameResult], Points]


def each(game: GameResult, worth: Callable[[Power], Fraction | int]) -> Points:
    """Return *worth* of every power."""
    return {power: Fraction(worth(power)) for power in game.centres}


def living(game: GameResult, worth: Callable[[Power], Fraction | int]) -> Points:
    """Return *worth* of every power that owns a centre, and nothing for the dead."""
    return each(game, lambda at: worth(at) if game.centres[at] else 0)


def ranked(
    game: GameResult, worth: tuple[int, ...], ranking: Ranking | None = None
) -> Points:
    """Return the worth of the places, ranked by centres unless *ranking* is given."""
    return shared(ranking or game.by_centres, tuple(game.centres), worth)


def added(*parts: Points) -> Points:
    """Return the sum for each power."""
    return {
        power: sum((part[power] for part in parts), Fraction(0)) for power in parts[0]
    }


def scaled(points: Points, total: int) -> Points:
    """Return *points* in the same proportions, with the sum *total*."""
    # With one denominator for all there is one fraction to reduce for each power.
    unit = lcm(*(value.denominator for value in points.values()))
    parts = {
        power: value.numerator * (unit // value.denominator)
        for power, value in points.items()
    }
    whole = sum(parts.values()) or unit
    return {power: Fraction(total * part, whole) for power, part in parts.items()}


def of_hundred(formula: Formula) -> Formula:
    """Return *formula* brought to a sum of 100."""
    return lambda game: scaled(formula(game), 100)


def with_dead(game: GameResult, points: Points, dead: Formula) -> Points:
    """Return *points*, but those of *dead* for the eliminated."""
    consolation = dead(game)
    return each(game, lambda at: points[at] if game.centres[at] else consolation[at])


def won(worth: int, others: Formula | None = None) -> Formula:
    """Return *worth* for the soloist, and the points of *others* for the rest."""

    def points(game: GameResult) -> Points:
        rest = others(game) if others else {}
        return each(game, lambda at: worth if at == game.soloist else rest.get(at, 0))

    return points


# Systems whose points are mostly for places: C-Diplo, Carnage, Dixie

# C-Diplo

C_DIPLO_PLACES = (38, 14, 7)
NAMUR_CENTRES = (0, 5, 9, 12, 14, 16, 18)
"""Points by number of centres; each further centre is worth a point."""


def c_diplo(game: GameResult) -> Points:
    """Give each power a point, one per centre, and points for the first three places.

    Eliminated powers have a point, and a share of third place if they tie for it.
    """
    return _c_diplo(game, range(game.supply + 1))


def c_diplo_namur(game: GameResult) -> Points:
    """C-Diplo whose first centres count for more."""
    return _c_diplo(game, NAMUR_CENTRES)


def _c_diplo(game: GameResult, worth: Sequence[int]) -> Points:
    last = len(worth) - 1

    def points(power: Power) -> int:
        count = game.centres[power]
        return 1 + worth[min(count, last)] + max(0, count - last)

    return added(each(game, points), ranked(game, C_DIPLO_PLACES))


# Carnage

CENTER_COUNT_PLACES = (7007, 6006, 5005, 4004, 3003, 2002, 1001)


def carnage(game: GameResult) -> Points:
    """Give a point per centre, and 1000 per place from the bottom.

    Eliminated powers are ranked by elimination.
    """
    return _carnage(game, 1, _thousands(game))


def carnage_solo(game: GameResult) -> Points:
    """Give the soloist all points, 28034 on the standard map."""
    return won(sum(_thousands(game)) + game.supply)(game)


def center_count_carnage(game: GameResult) -> Points:
    """Carnage with 500 points per centre."""
    return _carnage(game, 500, CENTER_COUNT_PLACES)


def a_thousand(game: GameResult) -> Points:
    """Give everybody a thousand."""
    return each(game, lambda _: 1000)


def _carnage(game: GameResult, centre: int, places: tuple[int, ...]) -> Points:
    counts = each(game, lambda at: centre * game.centres[at])
    return added(counts, ranked(game, places, game.by_elimination))


def _thousands(game: GameResult) -> tuple[int, ...]:
    return tuple(1000 * left for left in range(len(game.centres), 0, -1))


# Dixie

DIXIE_PLACES = (270, 70, 50, 34, 20, 10, 0)


def dixie(game: GameResult) -> Points:
    """Four points per centre, and places: all in a draw tie for the top ones."""
    soloist = game.soloist
    first = frozenset({soloist}) if soloist else game.sharing

    def ranking(power: Power) -> RankKey:
        if power in first:
            return game.supply + 1, 0
        return game.by_elimination(power)

    counts = each(game, lambda at: 4 * game.centres[at])
    return added(counts, ranked(game, DIXIE_PLACES, ranking))


# Systems that share one game's worth: by the squares, by the counts, equally


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


# Systems in which the others pay those on top: Tribute, Mind the Gap

# Tribute

SURVIVAL = 66
"""The points that the survivors share."""
FREE = 6
"""Centres of a topper that bring no tribute."""


def tribute(per_centre: Fraction) -> Formula:
    """Give a point per centre and for survival; toppers are paid for their size.

    No power pays more than its points for survival; eliminated powers do not pay.
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
    """Return 34, and 3 per centre, less the distance to the top, which toppers gain.

    The distances of all powers count, including those of eliminated powers.
    """
    distance = sum(map(game.behind, game.centres))
    bonus = distance // max(1, len(game.toppers)) ** 2

    def points(power: Power) -> int:
        behind = game.behind(power)
        return 34 + 3 * game.centres[power] + (-behind if behind else bonus)

    return living(game, points)


# Mind the Gap

PER_CENTRE = Fraction(3, 2)
GAP_SURVIVAL = 49
"""The points that the survivors share."""
OPEN_GAP_SURVIVAL = 9
"""Points of each survivor."""
OPEN_GAP_PLACES = (9, 6, 3)
"""Points of the places, in halves of a point."""


def mind_the_gap(game: GameResult) -> Points:
    """Give points for centres and survival; each power pays a lone topper its lead.

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
        game, lambda at: PER_CENTRE * centres[at] + OPEN_GAP_SURVIVAL + places[at] / 2
    )
    gap = Fraction(game.lead)
    paid = each(game, lambda at: min(gap, own[at] / 2) if behind(at) else 0)
    income = sum(paid.values())
    return each(game, lambda at: own[at] - paid[at] + (0 if behind(at) else income))


# Systems that give the dead something for the years that they lived: ManorCon, Bangkok,
# Whipping, World Classic, Detour 09


def per_full_year(worth: Fraction) -> Formula:
    """Give *worth* for each complete year that was survived."""
    return lambda game: each(game, lambda at: worth * game.full_years(at))


def per_year_played(worth: Fraction) -> Formula:
    """Give *worth* for each year in which orders were given."""
    return lambda game: each(game, lambda at: worth * game.years_played(at))


# ManorCon

tenths = per_year_played(Fraction(1, 10))


def manor_con(game: GameResult) -> Points:
    """Share a hundred by c² + 4c + 16; the dead have a tenth per year played."""
    counts = game.centres
    weights = each(game, lambda at: counts[at] ** 2 + 4 * counts[at] + 16)
    return with_dead(game, scaled(weights, 100), tenths)


# Bangkok

REACH = 3


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

years_played = per_year_played(Fraction(1))


def whipping(game: GameResult) -> Points:
    """Ten per centre, 60 for survival, and twice its count for a lone topper."""
    survival = Fraction(60, max(1, len(game.survivors)))

    def points(power: Power) -> Fraction:
        whip = 2 * game.top if game.lead and not game.behind(power) else 0
        return 10 * game.centres[power] + survival + whip

    return with_dead(game, each(game, points), years_played)


# World Classic

full_years = per_full_year(Fraction(1))


def world_classic(game: GameResult) -> Points:
    """Ten per centre, 30 for survival, 48 shared by the toppers."""
    crown = Fraction(48, len(game.toppers) or 1)

    def points(power: Power) -> Fraction:
        crowned = power in game.toppers
        return 10 * game.centres[power] + 30 + crown * crowned

    return with_dead(game, each(game, points), full_years)


# Detour 09

DETOUR_PLACES = (4, 3, 2, 1)
DETOUR_MAX = Fraction(2)


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
