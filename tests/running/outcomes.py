"""Outcomes of games that nobody plays."""

from collections.abc import Callable, Sequence

from daide_server.board.names import Power
from daide_server.scoring.game_result import GameResult
from daide_server.tournament.chance import NumberStream
from daide_server.tournament.game_outcomes import PlayedGame, SeatOutcome
from daide_server.tournament.plan import Plan, PlannedGame
from daide_server.usage import think_times

POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")))

Planned = Callable[..., Plan]


def played(game: PlannedGame, attempt: int = 1) -> PlayedGame:
    """Return the outcome that the seed of *game* decides."""
    draws = NumberStream(game.seed)
    centres = [0] * len(game.bots)
    for _ in range(34):
        centres[draws.below(len(centres))] += 1
    return outcome(game, centres, attempt)


def outcome(game: PlannedGame, centres: Sequence[int], attempt: int = 1) -> PlayedGame:
    """Return that *game* ended with *centres*."""
    owned = dict(zip(POWERS, centres, strict=True))
    result = GameResult(
        centres=owned,
        eliminated={power: 1905 for power, count in owned.items() if not count},
        soloist=next((power for power, count in owned.items() if count >= 18), None),
        draw=frozenset(),
        first_year=1901,
        last_year=1910,
        supply=34,
    )
    seats = tuple(
        SeatOutcome(bot, power, version="1.0", think_times=think_times([0.01, 0.02]))
        for bot, power in zip(game.bots, POWERS, strict=True)
    )
    by_year = {power: (3, count) for power, count in owned.items()}
    return PlayedGame(game.number, attempt, result, seats, by_year)
