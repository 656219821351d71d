"""Plans of tournaments to run."""

import pytest
from attrs import evolve

from daide_server.tournament.description import (
    DesignChoice,
    Entrant,
    TournamentDescription,
)
from daide_server.tournament.plan import Plan, plan_of
from tests.running.outcomes import Planned
from tests.support.random_games import play as chance
from tests.support.tournaments import POWERS

__all__ = ["chance"]


@pytest.fixture
def planned() -> Planned:
    """Return a maker of plans: how many games of how many bots, and what differs."""

    def make(games: int = 42, bots: int = 7, **others: object) -> Plan:
        entrants = tuple(Entrant(f"bot{at}", {"builtin": "hold"}) for at in range(bots))
        design = DesignChoice(games=games)
        described = TournamentDescription("cup", 1, POWERS, entrants, design=design)
        return plan_of(evolve(described, **others))  # type: ignore[arg-type]

    return make
