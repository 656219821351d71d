"""The scoring systems by name: the points of shared and of won games.

Points are on the scale that the hobby gives a system; `score` converts any of them to a
sum of 1. Where sources differ, a comment says which one is followed.
"""

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen

from daide_server.errors import ReportedError, meant

from . import formulas
from .formulas import Formula, of_hundred, scaled, won
from .game_result import GameResult, Points


@frozen
class System:
    """A scoring system.

    `solo` gives the points if a power has won; without it, `formula` applies then too.
    `any_board`: its numbers do not assume seven powers and 34 centres. `ranks_dead`:
    eliminated powers are ranked after the others, by the time of elimination.
    """

    formula: Formula
    solo: Formula | None = None
    any_board: bool = False
    ranks_dead: bool = False

    def points(self, game: GameResult) -> Points:
        """Return the points of each power."""
        solo = self.solo if game.soloist else None
        return (solo or self.formula)(game)


_CARNAGE = System(
    formulas.carnage, formulas.carnage_solo, any_board=True, ranks_dead=True
)
_DIXIE = System(formulas.dixie, ranks_dead=True)
_TRIBUTE = System(formulas.tribute(Fraction(1)), won(100), any_board=True)

DIPCC_SYSTEMS: Mapping[str, System] = {
    "sum_of_squares": System(formulas.sum_of_squares, won(1), any_board=True),
    "draw_size": System(formulas.draw_size, won(1), any_board=True),
    "sum_of_centers": System(formulas.sum_of_centers, won(1), any_board=True),
    "c_diplo_100": System(formulas.c_diplo, won(100)),
    "c_diplo_73": System(formulas.c_diplo, won(73)),
    "tribute": _TRIBUTE,
    "carnage": _CARNAGE,
    "dixie": _DIXIE,
}
"""The systems that dipcc's document names, in its order."""

DIPLOBN_SYSTEMS: Mapping[str, System] = {
    "Bangkok": System(formulas.bangkok, won(41, formulas.half_centres), any_board=True),
    "Bangkok100": System(of_hundred(formulas.bangkok), won(100), any_board=True),
    "Carnage": _CARNAGE,
    "Carnage100": System(
        of_hundred(formulas.carnage), won(100), any_board=True, ranks_dead=True
    ),
    "Carnage21": System(formulas.carnage, won(21034), ranks_dead=True),
    "CDiplo": System(formulas.c_diplo, won(100)),
    # A solo is 85, as in dipvis.
    "CDiploNamur": System(formulas.c_diplo_namur, won(85)),
    "CenterCountCarnage": System(
        formulas.center_count_carnage, won(39028, formulas.a_thousand), ranks_dead=True
    ),
    "Detour09": System(formulas.detour_09, won(110, formulas.detour_years)),
    "Dixie": _DIXIE,
    "DrawSize": System(of_hundred(formulas.draw_size), won(100), any_board=True),
    "HalfTribute": System(formulas.tribute(Fraction(1, 2)), won(100), any_board=True),
    "ManorCon": System(formulas.manor_con, won(75, formulas.tenths)),
    "ManorConOriginal": System(formulas.manor_con, won(100, formulas.tenths)),
    "MindTheGap": System(formulas.mind_the_gap, won(100)),
    "OpenMindTheGap": System(formulas.open_mind_the_gap, won(100)),
    "OpenTribute": System(formulas.open_tribute, won(340)),
    "SumOfSquares": System(
        of_hundred(formulas.sum_of_squares), won(100), any_board=True
    ),
    "Tribute": _TRIBUTE,
    "Whipping": System(formulas.whipping, won(468, formulas.years_played)),
    "WorldClassic": System(formulas.world_classic, won(420, formulas.full_years)),
}
"""The systems that DiploBN's schema names."""

SYSTEMS = {**DIPCC_SYSTEMS, **DIPLOBN_SYSTEMS}
"""The registry: all systems by name. A new system is a line here."""

WITHOUT_FORMULA = (
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

STANDARD = (7, 34)
"""Powers and centres of the standard map."""


class ScoringError(ReportedError, ValueError):
    """There is no such system, or it does not fit the board."""


def points(name: str, game: GameResult) -> Points:
    """Return the points of each power by the system *name*.

    Raises `ScoringError` if it is unknown, or not made for the board.
    """
    system = SYSTEMS.get(name)
    if system is None:
        raise ScoringError(_unknown(name))
    board = len(game.centres), game.supply
    if board != STANDARD and not system.any_board:
        raise ScoringError(f"{name}: made for seven powers and 34 centres only")
    return system.points(game)


def all_points(game: GameResult) -> dict[str, Points | None]:
    """Return the points by each system name; `None` if it does not fit the board.

    Several names of one system share their points.
    """
    found: dict[System, Points | None] = {}
    for name, system in SYSTEMS.items():
        if system not in found:
            try:
                found[system] = points(name, game)
            except ScoringError:
                found[system] = None
    return {name: found[system] for name, system in SYSTEMS.items()}


def score(given: Points) -> Points:
    """Return *given* points as shares of their sum."""
    return scaled(given, 1)


def _unknown(name: str) -> str:
    if name in WITHOUT_FORMULA:
        return f"{name}: its formula is not known to us"
    hint = meant(name, SYSTEMS) or f", expected one of {', '.join(SYSTEMS)}"
    return f"unknown scoring system {name!r}{hint}"
