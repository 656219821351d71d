"""Systems whose points are mostly for places: C-Diplo, Carnage, Dixie."""

from collections.abc import Sequence
from typing import Final

from daide_server.board.names import Power

from .formulas import added, each, ranked, won
from .game_result import GameResult, Points, RankKey

# C-Diplo

C_DIPLO_PLACES: Final = (38, 14, 7)
NAMUR_CENTRES: Final = (0, 5, 9, 12, 14, 16, 18)
"""What so many centres are worth; any beyond is worth a point."""


def c_diplo(game: GameResult) -> Points:
    """Give all a point, one per centre, and the first three places theirs.

    The dead have a point, and a share of third place if it is theirs.
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

CENTER_COUNT_PLACES: Final = (7007, 6006, 5005, 4004, 3003, 2002, 1001)


def carnage(game: GameResult) -> Points:
    """Give a point per centre, and 1000 per place from the bottom.

    The dead are ranked by elimination.
    """
    return _carnage(game, 1, _thousands(game))


def carnage_solo(game: GameResult) -> Points:
    """Give the soloist all that there is, 28034 on the standard map."""
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

DIXIE_PLACES: Final = (270, 70, 50, 34, 20, 10, 0)


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
