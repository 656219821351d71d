"""The figures of each seat of a game: score, ending, centres and place.

They follow from the game's result, so they can be cached and computed again.
"""

from collections.abc import Callable
from functools import partial

from attrs import field

from daide_server.board.identity_enum import IdentityEnum
from daide_server.board.names import Power
from daide_server.classes import define, frozen
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import points, score

from .description import TournamentDescription
from .game_outcomes import PlayedGame


class SeatEnd(IdentityEnum):
    """How a game ended for a seat."""

    WIN = "win"
    DRAW = "draw"
    SURVIVAL = "survival"
    ELIMINATION = "elimination"


@frozen
class SeatFigures:
    """A seat of a played game: `score` from 0 to 1, `place` from 1, shared if tied."""

    bot: int
    power: Power
    score: float
    end: SeatEnd
    centres: int
    place: float
    forfeited: bool


GameFigures = tuple[SeatFigures, ...]
FiguresOf = Callable[[PlayedGame], GameFigures]


def figures_by(description: TournamentDescription) -> FiguresOf:
    """Return the function that computes a game's figures as *description* demands."""
    keeps = description.forfeit_score == "as played"
    return partial(game_figures, system=description.rank_by, forfeits_score=keeps)


def game_figures(
    played: PlayedGame, *, system: str, forfeits_score: bool
) -> GameFigures:
    """Return the figures of *played*; scores are shares of the points of *system*.

    Unless *forfeits_score*, a seat that was forfeited has 0, and the others what they
    would have anyway. Raises `ScoringError` if the system does not fit the board.
    """
    result = played.result
    shares = score(points(system, result))
    places = _places(result)
    return tuple(
        SeatFigures(
            bot=seat.bot,
            power=seat.power,
            score=0.0
            if seat.forfeit and not forfeits_score
            else float(shares[seat.power]),
            end=seat_end(result, seat.power),
            centres=result.centres[seat.power],
            place=places[seat.power],
            forfeited=seat.forfeit is not None,
        )
        for seat in played.seats
    )


def seat_end(result: GameResult, power: Power) -> SeatEnd:
    """Return how the game ended for *power*; the dead have no part in a draw."""
    if power == result.soloist:
        return SeatEnd.WIN
    if not result.centres[power]:
        return SeatEnd.ELIMINATION
    if result.soloist is None and power in result.sharing:
        return SeatEnd.DRAW
    return SeatEnd.SURVIVAL


def _places(result: GameResult) -> dict[Power, float]:
    """Return the place of each power: the soloist, then by centres, then by death."""
    keys = {
        power: (power == result.soloist, *result.by_elimination(power))
        for power in result.centres
    }
    order = sorted(keys.values(), reverse=True)
    return {
        power: order.index(key) + (order.count(key) + 1) / 2
        for power, key in keys.items()
    }


@define
class Remembered:
    """Figures of games, each made once."""

    make: FiguresOf
    known: dict[int, GameFigures] = field(factory=dict)

    def __call__(self, played: PlayedGame) -> GameFigures:
        """Return the figures of *played*."""
        found = self.known.get(played.game)
        if found is None:
            found = self.known[played.game] = self.make(played)
        return found
