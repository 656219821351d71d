"""Tournaments to test with, and outcomes of their games by a seeded model."""

from collections.abc import Callable, Sequence

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.scoring.game_result import GameResult
from daide_server.tournament.chance import NumberStream
from daide_server.tournament.description import (
    DesignChoice,
    Entrant,
    TournamentDescription,
)
from daide_server.tournament.game_outcomes import PlayedGame, SeatOutcome
from daide_server.tournament.plan import PlannedGame

POWERS = tuple(map(Power, ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")))

Play = Callable[[PlannedGame, Sequence[float]], PlayedGame]


@pytest.fixture
def described() -> Callable[..., TournamentDescription]:
    """Return a maker of descriptions: how many bots, and what else differs."""

    def make(
        count: int = 7, games: int = 42, **others: object
    ) -> TournamentDescription:
        entrants = tuple(Entrant(f"bot{at}") for at in range(count))
        base = TournamentDescription(
            "cup", 1, POWERS, entrants, design=DesignChoice(games=games)
        )
        return evolve(base, **others)  # type: ignore[arg-type]

    return make


@pytest.fixture
def play() -> Play:
    """Return a function that plays a game: centres go to bots by their strength."""

    def played(game: PlannedGame, strengths: Sequence[float]) -> PlayedGame:
        draws = NumberStream(game.seed)
        weights = [strengths[bot] for bot in game.bots]
        centres = [0] * len(weights)
        for _ in range(34):
            drawn = draws.unit() * sum(weights)
            seat = 0
            while drawn >= weights[seat]:
                drawn -= weights[seat]
                seat += 1
            centres[seat] += 1
        return outcome(game, centres)

    return played


def outcome(game: PlannedGame, centres: Sequence[int]) -> PlayedGame:
    """Return that *game* ended with *centres*; who has 18 has won."""
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
    seats = zip(game.bots, POWERS, strict=True)
    return PlayedGame(
        game.number, 1, result, tuple(SeatOutcome(*seat) for seat in seats)
    )
