"""Systems whose points are mostly for places: C-Diplo, Carnage, Dixie."""

from collections.abc import Sequence
from typing import Final

from daide_server.board.names import Power

from .game_result import GameResult, Points, RankKey
from .sums import added, each, ranked, won

# C-Diplo

C_DIPLO_PLACES: Final = (38, 14, 7)
NAMUR_CENTRES: Final = (0, 5, 9, 12, 14, 16, 18)
"""What so many centres are worth; any beyond is worth a point."""


def c_diplo(standing: GameResult) -> Points:
    """Give all a point, one per centre, and the first three places theirs.

    The dead have a point, and a share of third place if it is theirs.
    """
    return _c_diplo(standing, range(standing.supply + 1))


def c_diplo_namur(standing: GameResult) -> Points:
    """C-Diplo whose first centres count for more."""
    return _c_diplo(standing, NAMUR_CENTRES)


def _c_diplo(standing: GameResult, worth: Sequence[int]) -> Points:
    last = len(worth) - 1

    def points(power: Power) -> int:
        count = standing.centres[power]
        return 1 + worth[min(count, last)] + max(0, count - last)

    return added(each(standing, points), ranked(standing, C_DIPLO_PLACES))


# Carnage

CENTER_COUNT_PLACES: Final = (7007, 6006, 5005, 4004, 3003, 2002, 1001)


def carnage(standing: GameResult) -> Points:
    """Give a point per centre, and 1000 per place from the bottom.

    The dead are ranked by elimination.
    """
    return _carnage(standing, 1, _thousands(standing))


def carnage_solo(standing: GameResult) -> Points:
    """Give the soloist all that there is, 28034 on the standard map."""
    return won(sum(_thousands(standing)) + standing.supply)(standing)


def center_count_carnage(standing: GameResult) -> Points:
    """Carnage with 500 points per centre."""
    return _carnage(standing, 500, CENTER_COUNT_PLACES)


def a_thousand(standing: GameResult) -> Points:
    """Give everybody a thousand."""
    return each(standing, lambda _: 1000)


def _carnage(standing: GameResult, centre: int, places: tuple[int, ...]) -> Points:
    counts = each(standing, lambda at: centre * standing.centres[at])
    return added(counts, ranked(standing, places, standing.by_elimination))


def _thousands(standing: GameResult) -> tuple[int, ...]:
    return tuple(1000 * left for left in range(len(standing.centres), 0, -1))


# Dixie

DIXIE_PLACES: Final = (270, 70, 50, 34, 20, 10, 0)


def dixie(standing: GameResult) -> Points:
    """Four points per centre, and places: all in a draw tie for the top ones."""
    soloist = standing.soloist
    first = frozenset({soloist}) if soloist else standing.sharing

    def ranking(power: Power) -> RankKey:
        if power in first:
            return standing.supply + 1, 0
        return standing.by_elimination(power)

    counts = each(standing, lambda at: 4 * standing.centres[at])
    return added(counts, ranked(standing, DIXIE_PLACES, ranking))
