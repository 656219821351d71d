"""Outcomes of games that nobody plays."""

from collections.abc import Callable, Sequence

from daide_server.tournament.chance import NumberStream
from daide_server.tournament.game_outcomes import PlayedGame, SeatOutcome
from daide_server.tournament.plan import Plan, PlannedGame
from daide_server.usage import think_times
from tests.support.tournaments import CENTRES, POWERS, result_with

Planned = Callable[..., Plan]


def played(game: PlannedGame, attempt: int = 1) -> PlayedGame:
    """Return the outcome that the seed of *game* decides."""
    draws = NumberStream(game.seed)
    centres = [0] * len(game.bots)
    for _ in range(CENTRES):
        centres[draws.below(len(centres))] += 1
    return outcome(game, centres, attempt)


def outcome(game: PlannedGame, centres: Sequence[int], attempt: int = 1) -> PlayedGame:
    """Return that *game* ended with *centres*."""
    owned = dict(zip(POWERS, centres, strict=True))
    seats = tuple(
        SeatOutcome(bot, power, version="1.0", think_times=think_times([0.01, 0.02]))
        for bot, power in zip(game.bots, POWERS, strict=True)
    )
    by_year = {power: (3, count) for power, count in owned.items()}
    return PlayedGame(game.number, attempt, result_with(owned), seats, by_year)
