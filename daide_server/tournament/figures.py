"""The figures of each seat of a game: score, ending, centres and place.

They follow from the game's result, so they can be cached and computed again.
"""

from collections.abc import Callable
from functools import partial

from attrs import field

from daide_server.board.names import Power
from daide_server.classes import define, frozen
from daide_server.scoring.game_result import SeatEnd
from daide_server.scoring.systems import points, score

from .description import TournamentDescription
from .game_outcomes import PlayedGame


@frozen
class SeatFigures:
    """A seat of a played game: `score` from 0 to 1, `place` from 1, shared if tied.

    A seat that was forfeited has the last place, whatever its units reached: else a
    bot that never moves would be rated above one that plays badly.
    """

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
    places = _places(played)
    return tuple(
        SeatFigures(
            bot=seat.bot,
            power=seat.power,
            score=0.0
            if seat.forfeit and not forfeits_score
            else float(shares[seat.power]),
            end=result.end_of(seat.power),
            centres=result.centres[seat.power],
            place=places[seat.power],
            forfeited=seat.forfeit is not None,
        )
        for seat in played.seats
    )


def _places(played: PlayedGame) -> dict[Power, float]:
    """Return the place of each power: the soloist, then by centres, then by death.

    Powers that were forfeited share the last places.
    """
    result = played.result
    keys = {
        seat.power: (
            1,
            seat.power == result.soloist,
            *result.by_elimination(seat.power),
        )
        if seat.forfeit is None
        else (0,)
        for seat in played.seats
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
