"""What a running game waits for, for the page and for control. Light to import."""

from collections.abc import Sequence

from daide_server.board.names import Power
from daide_server.game.absence import awaited
from daide_server.game.game_state import GameState
from daide_server.reports.turn_views import turn_id
from daide_server.reports.views import StatusView


def status_of(
    state: GameState, seconds: float, turn_began: float, opened: float
) -> StatusView:
    """Return what a running game waits for: who owes orders, but never which.

    *seconds* and *turn_began* are on the game's clock, which stood at zero when it was
    *opened*, in seconds since 1970.
    """
    found = awaited(state)
    left = seconds_left(state, seconds)
    return StatusView(
        turn=turn_id(state.position.turn),
        stage=state.stage.name.lower(),
        owing=tuple(owing(state)),
        vacant=() if found is None else found.vacant,
        since=round(opened + turn_began, 1),
        until=None if left is None else round(opened + seconds + left, 1),
    )


def owing(state: GameState) -> Sequence[Power]:
    """Return the powers that owe orders."""
    orders = state.turn.orders
    return [
        power
        for power in state.variant.map.powers
        if power in state.turn.survivors and power in orders.awaited
    ]


def seconds_left(state: GameState, seconds: float) -> float | None:
    """Return the time until the deadline of the turn, `None` if none is running.

    *seconds* is what the game's clock says.
    """
    timer = state.clock.timer
    return timer.left(seconds) if timer.kept is None else None
