"""Whole tournaments by the seeded model of `conftest`."""

from collections.abc import Callable, Sequence

from daide_server.tournament.game_outcomes import Ledger, PlayedGame
from daide_server.tournament.plan import Plan, PlannedGame
from tests.support.tournaments import ledger

Play = Callable[[PlannedGame, Sequence[float]], PlayedGame]


def all_played(of: Plan, play: Play, strengths: Sequence[float]) -> Ledger:
    """Return the ledger of all games *of* a plan, played by *strengths*."""
    return ledger(of, [play(game, strengths) for game in of.all_games()])
