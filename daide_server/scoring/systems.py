"""The scoring systems, one function each: a standing to points.

Points are on the scale that the hobby gives a system; `score` brings any of them to a
sum of 1. Where sources differ, a comment says which one is followed. Systems without
a solo branch of their own give the soloist all.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Final

from daide_server.board.names import Power

from .standing import Points, Ranking, Standing, lowest, shared

System = Callable[[Standing], Points]

# Helpers


def _solo(standing: Standing, worth: int, others: System | None = None) -> Points:
    """Return *worth* for the soloist, and what *others* says for everybody else."""
    rest = others(standing) if others else {}
    return {
        power: Fraction(worth)
        if power == standing.soloist
        else rest.get(power, Fraction(0))
        for power in standing.centres
    }


def _alive(standing: Standing, power: Power, worth: Fraction | int) -> Fraction:
    """Return *worth* if *power* owns a centre."""
    return Fraction(worth) if standing.centres[power] else Fraction(0)


def _each(standing: Standing, worth: Callable[[Power], Fraction]) -> Points:
    return {power: worth(power) for power in standing.centres}


def _with_dead(living: Points, standing: Standing, dead: System) -> Points:
    """Return the points of *living*, but those of *dead* for the eliminated."""
    consolation = dead(standing)
    return {
        power: points if standing.centres[power] else consolation[power]
        for power, points in living.items()
    }


def _scaled(points: Points, total: int) -> Points:
    """Return *points* in the same proportions, with the sum *total*."""
    whole = sum(points.values(), Fraction(0))
    return {
        power: each * total / whole if whole else Fraction(0)
        for power, each in points.items()
    }


def _added(*parts: Points) -> Points:
    return {
        power: sum((part[power] for part in parts), Fraction(0)) for power in parts[0]
    }


def _ranked(
    standing: Standing, worth: tuple[int, ...], ranking: Ranking | None = None
) -> Points:
    """Return what the places are worth, by centres if nothing else is said."""
    return shared(ranking or standing.by_centres, tuple(standing.centres), worth)


def _per_full_year(standing: Standing, worth: Fraction) -> Points:
    return _each(standing, lambda power: worth * standing.full_years(power))


def _per_year_played(standing: Standing, worth: Fraction) -> Points:
    return _each(standing, lambda power: worth * standing.years_played(power))


# Shares of one


def sum_of_squares(standing: Standing) -> Points:
    """Share by the squares of the counts."""
    if standing.soloist:
        return _solo(standing, 1)
    squares = _each(standing, lambda power: Fraction(standing.centres[power] ** 2))
    return _scaled(squares, 1)


def sum_of_centers(standing: Standing) -> Points:
    """Share by the counts."""
    if standing.soloist:
        return _solo(standing, 1)
    counts = _each(standing, lambda power: Fraction(standing.centres[power]))
    return _scaled(counts, 1)


def draw_size(standing: Standing) -> Points:
    """Share equally among those in the draw."""
    if standing.soloist:
        return _solo(standing, 1)
    sharing = standing.sharing
    return _each(
        standing, lambda power: Fraction(power in sharing, max(1, len(sharing)))
    )


def _hundredfold(system: System, standing: Standing) -> Points:
    return {power: 100 * points for power, points in system(standing).items()}


# C-Diplo

C_DIPLO_PLACES: Final = (38, 14, 7)
NAMUR_CENTRES: Final = (0, 5, 9, 12, 14, 16, 18)


def _c_diplo(standing: Standing, solo: int) -> Points:
    """Give all a point, one per centre, and the first three places theirs.

    The dead have a point, and a share of third place if it is theirs.
    """
    if standing.soloist:
        return _solo(standing, solo)
    counts = _each(standing, lambda power: Fraction(1 + standing.centres[power]))
    return _added(counts, _ranked(standing, C_DIPLO_PLACES))


def c_diplo_namur(standing: Standing) -> Points:
    """C-Diplo whose first centres count for more; a solo is 85, as in dipvis."""
    if standing.soloist:
        return _solo(standing, 85)
    counts = _each(standing, lambda power: 1 + _namur(standing.centres[power]))
    return _added(counts, _ranked(standing, C_DIPLO_PLACES))


def _namur(count: int) -> Fraction:
    last = len(NAMUR_CENTRES) - 1
    return Fraction(NAMUR_CENTRES[min(count, last)] + max(0, count - last))


# Carnage

CENTER_COUNT_PLACES: Final = (7007, 6006, 5005, 4004, 3003, 2002, 1001)


def carnage(standing: Standing, solo: int | None = None) -> Points:
    """Give a point per centre, and 1000 per place from the bottom.

    The dead are ranked by elimination. A solo is all that there is, 28034 on the
    standard map, if *solo* does not say otherwise.
    """
    count = len(standing.centres)
    places = tuple(1000 * left for left in range(count, 0, -1))
    if standing.soloist:
        return _solo(standing, solo or sum(places) + standing.supply)
    counts = _each(standing, lambda power: Fraction(standing.centres[power]))
    return _added(counts, _ranked(standing, places, standing.by_elimination))


def carnage_100(standing: Standing) -> Points:
    """Carnage, brought to a sum of 100."""
    return _scaled(carnage(standing), 100)


def center_count_carnage(standing: Standing) -> Points:
    """Carnage with 500 points per centre."""
    if standing.soloist:
        return _solo(
            standing, 39028, lambda game: _each(game, lambda _: Fraction(1000))
        )
    counts = _each(standing, lambda power: Fraction(500 * standing.centres[power]))
    places = _ranked(standing, CENTER_COUNT_PLACES, standing.by_elimination)
    return _added(counts, places)


# Dixie

DIXIE_PLACES: Final = (270, 70, 50, 34, 20, 10, 0)


def dixie(standing: Standing) -> Points:
    """Four points per centre, and places: all in a draw tie for the top ones."""

    def ranking(power: Power) -> tuple[int, int]:
        first = power == standing.soloist
        if first or (not standing.soloist and power in standing.sharing):
            return standing.supply + 1, 0
        return standing.by_elimination(power)

    counts = _each(standing, lambda power: Fraction(4 * standing.centres[power]))
    return _added(counts, _ranked(standing, DIXIE_PLACES, ranking))


# Tribute

TRIBUTE_FREE: Final = 6
"""A topper gets tribute for its centres beyond these."""


def _tribute(standing: Standing, per_centre: Fraction) -> Points:
    """Give a point per centre and 66 for survival; toppers are paid for their size.

    Nobody pays more than what survival gave him; the dead do not pay.
    """
    if standing.soloist:
        return _solo(standing, 100)
    survival = Fraction(66, max(1, len(standing.survivors)))
    tribute = min(max(0, standing.top - TRIBUTE_FREE) * per_centre, survival)
    return _paid(standing, lambda power: standing.centres[power] + survival, tribute)


def _paid(
    standing: Standing, own: Callable[[Power], Fraction], tribute: Fraction
) -> Points:
    """Return *own* of the survivors after *tribute* of each went to the toppers."""
    payers = len(standing.survivors) - len(standing.toppers)
    income = tribute * payers / max(1, len(standing.toppers))

    def points(power: Power) -> Fraction:
        change = income if power in standing.toppers else -tribute
        return _alive(standing, power, own(power) + change)

    return _each(standing, points)


def open_tribute(standing: Standing) -> Points:
    """34 and three per centre, less the distance to the top, which the toppers get.

    The distances of all powers count, those of the dead too.
    """
    if standing.soloist:
        return _solo(standing, 340)
    distance = sum(map(standing.behind, standing.centres))
    bonus = distance // max(1, len(standing.toppers)) ** 2

    def points(power: Power) -> Fraction:
        behind = standing.behind(power)
        own = 34 + 3 * standing.centres[power] - behind
        return _alive(standing, power, own if behind else own + bonus)

    return _each(standing, points)


# Mind the gap

OPEN_GAP_PLACES: Final = (9, 6, 3)
"""In halves of a point."""


def mind_the_gap(standing: Standing) -> Points:
    """Points for centres and survival; a lone topper is paid its lead by each other.

    The dead pay nothing: the sum is 100, as the system's own page says.
    """
    if standing.soloist:
        return _solo(standing, 100)
    survival = Fraction(49, max(1, len(standing.survivors)))
    gap = min(Fraction(standing.lead), survival)
    per_centre = Fraction(3, 2)
    return _paid(
        standing, lambda power: per_centre * standing.centres[power] + survival, gap
    )


def open_mind_the_gap(standing: Standing) -> Points:
    """Mind the gap with a fixed bonus and places; nobody pays more than a half."""
    if standing.soloist:
        return _solo(standing, 100)
    places = _ranked(standing, OPEN_GAP_PLACES)
    own = _each(
        standing,
        lambda power: _alive(
            standing,
            power,
            Fraction(3 * standing.centres[power], 2) + 9 + places[power] / 2,
        ),
    )
    payments = _each(
        standing,
        lambda power: (
            min(Fraction(standing.lead), own[power] / 2)
            if standing.behind(power)
            else Fraction(0)
        ),
    )
    income = sum(payments.values(), Fraction(0))
    return _each(
        standing,
        lambda power: (
            own[power] - payments[power] + (0 if standing.behind(power) else income)
        ),
    )


# ManorCon

TENTH: Final = Fraction(1, 10)


def _manor_con(standing: Standing, solo: int) -> Points:
    """Share a hundred by c² + 4c + 16; the dead have a tenth per year played."""
    tenths = partial(_per_year_played, worth=TENTH)
    if standing.soloist:
        return _solo(standing, solo, tenths)
    counts = standing.centres
    weights = _each(
        standing, lambda power: Fraction(counts[power] ** 2 + 4 * counts[power] + 16)
    )
    return _with_dead(_scaled(weights, 100), standing, tenths)


# Bangkok

BANGKOK_REACH: Final = 3


def bangkok(standing: Standing) -> Points:
    """Centres, 3 for survival, and 12 shared by those near the top.

    The dead have 0.3 for each full year, as in dipvis.
    """
    if standing.soloist:
        halves = _each(standing, lambda power: Fraction(standing.centres[power], 2))
        return _solo(standing, 41, lambda _: halves)
    near = _each(
        standing,
        lambda power: _alive(
            standing, power, max(0, BANGKOK_REACH - standing.behind(power))
        ),
    )
    own = _each(
        standing, lambda power: _alive(standing, power, standing.centres[power] + 3)
    )
    living = _added(own, _scaled(near, 12))
    return _with_dead(living, standing, partial(_per_full_year, worth=Fraction(3, 10)))


def bangkok_100(standing: Standing) -> Points:
    """Bangkok, brought to a sum of 100."""
    return _solo(standing, 100) if standing.soloist else _scaled(bangkok(standing), 100)


# Others


def whipping(standing: Standing) -> Points:
    """Ten per centre, 60 for survival, and twice its count for a lone topper."""
    years = partial(_per_year_played, worth=Fraction(1))
    if standing.soloist:
        return _solo(standing, 468, years)
    survival = Fraction(60, max(1, len(standing.survivors)))

    def points(power: Power) -> Fraction:
        whip = 2 * standing.top if standing.lead and not standing.behind(power) else 0
        return 10 * standing.centres[power] + survival + whip

    return _with_dead(_each(standing, points), standing, years)


def world_classic(standing: Standing) -> Points:
    """Ten per centre, 30 for survival, 48 shared by the toppers."""
    years = partial(_per_full_year, worth=Fraction(1))
    if standing.soloist:
        return _solo(standing, 420, years)

    def points(power: Power) -> Fraction:
        crown = Fraction(48 * (power in standing.toppers), len(standing.toppers) or 1)
        return 10 * standing.centres[power] + 30 + crown

    return _with_dead(_each(standing, points), standing, years)


DETOUR_PLACES: Final = (4, 3, 2, 1)
DETOUR_MOST: Final = Fraction(2)


def _detour_years(standing: Standing) -> Points:
    quarters = _per_full_year(standing, Fraction(1, 4))
    return {power: min(points, DETOUR_MOST) for power, points in quarters.items()}


def detour_09(standing: Standing) -> Points:
    """Centres, survival, the lowest of tied places and the lead, out of a hundred."""
    if standing.soloist:
        return _solo(standing, 110, _detour_years)
    places = lowest(standing.by_centres, tuple(standing.centres), DETOUR_PLACES)

    def points(power: Power) -> Fraction:
        lead = 0 if standing.behind(power) else standing.lead
        own = standing.centres[power] + 2 + places[power] + lead
        return _alive(standing, power, own)

    scaled = _scaled(_each(standing, points), 100)
    return _with_dead(scaled, standing, _detour_years)


# The names

c_diplo_100: Final = partial(_c_diplo, solo=100)
tribute: Final = partial(_tribute, per_centre=Fraction(1))

DIPCC: Final[Mapping[str, System]] = {
    "sum_of_squares": sum_of_squares,
    "draw_size": draw_size,
    "sum_of_centers": sum_of_centers,
    "c_diplo_100": c_diplo_100,
    "c_diplo_73": partial(_c_diplo, solo=73),
    "tribute": tribute,
    "carnage": carnage,
    "dixie": dixie,
}
"""The systems that dipcc's document names, in its order."""

DIPLOBN: Final[Mapping[str, System]] = {
    "Bangkok": bangkok,
    "Bangkok100": bangkok_100,
    "Carnage": carnage,
    "Carnage100": carnage_100,
    "Carnage21": partial(carnage, solo=21034),
    "CDiplo": c_diplo_100,
    "CDiploNamur": c_diplo_namur,
    "CenterCountCarnage": center_count_carnage,
    "Detour09": detour_09,
    "Dixie": dixie,
    "DrawSize": partial(_hundredfold, draw_size),
    "HalfTribute": partial(_tribute, per_centre=Fraction(1, 2)),
    "ManorCon": partial(_manor_con, solo=75),
    "ManorConOriginal": partial(_manor_con, solo=100),
    "MindTheGap": mind_the_gap,
    "OpenMindTheGap": open_mind_the_gap,
    "OpenTribute": open_tribute,
    "SumOfSquares": partial(_hundredfold, sum_of_squares),
    "Tribute": tribute,
    "Whipping": whipping,
    "WorldClassic": world_classic,
}
"""The systems of DiploBN's schema whose formula is known."""

SYSTEMS: Final[Mapping[str, System]] = {**DIPCC, **DIPLOBN}

WITHOUT_FORMULA: Final = (
    "CDiploRoundDown",
    "DiploLigue",
    "EDC2021",
    "PoppyCon2021",
    "SemiTribute",
    "SimpleRank",
    "SimpleRankWithOE",
    "SuperPastis",
    "WinNamur",
)
"""The names in DiploBN's schema whose formula was not found."""

ANY_BOARD: Final = frozenset(
    {
        "sum_of_squares",
        "draw_size",
        "sum_of_centers",
        "tribute",
        "carnage",
        "Bangkok",
        "Bangkok100",
        "Carnage",
        "Carnage100",
        "DrawSize",
        "HalfTribute",
        "SumOfSquares",
        "Tribute",
    }
)
"""The systems whose numbers do not belong to seven powers and 34 centres."""

STANDARD_POWERS: Final = 7
STANDARD_CENTRES: Final = 34


class ScoringError(ValueError):
    """There is no such system, or it does not fit the board."""


def points(name: str, standing: Standing) -> Points:
    """Return what the system *name* gives each power.

    Raises `ScoringError` if it is not known, or not made for the board.
    """
    system = SYSTEMS.get(name)
    if system is None:
        raise ScoringError(_unknown(name))
    standard = (len(standing.centres), standing.supply) == (
        STANDARD_POWERS,
        STANDARD_CENTRES,
    )
    if not standard and name not in ANY_BOARD:
        message = f"{name}: made for seven powers and 34 centres only"
        raise ScoringError(message)
    return system(standing)


def score(given: Points) -> Points:
    """Return *given* points as shares of their sum."""
    return _scaled(given, 1)


def _unknown(name: str) -> str:
    if name in WITHOUT_FORMULA:
        return f"{name}: its formula is not known to us"
    return f"unknown scoring system {name!r}, expected one of {', '.join(SYSTEMS)}"
