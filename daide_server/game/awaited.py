"""Whom a game waits for: players to come, to accept the map, to return, to order."""

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.board.turns import Turn

from .game_state import GameState
from .stages import Stage


class Awaited(Struct, frozen=True):
    """What keeps a game from going on; it waits for no deadline."""

    stage: Stage
    turn: Turn
    vacant: tuple[Power, ...]
    """Powers that need a client."""
    unready: tuple[Power, ...]
    """Powers whose clients have yet to accept the map, or to order."""


def awaited(state: GameState) -> Awaited | None:
    """Return whom the game waits for; `None` if for nobody, or for a deadline.

    A forming game without players waits for nobody.
    """
    vacant: frozenset[Power] = frozenset()
    unready: frozenset[Power] = frozenset()
    match state.stage:
        case Stage.FORMING if state.seating.clients():
            # Those who wait for a seat are as many as seats are free, or fewer.
            if state.seating.has_room():
                vacant = frozenset(
                    seat.power for seat in state.seating if seat.client is None
                )
            unready = frozenset(
                seat.power
                for seat in state.seating
                if seat.client is not None and not seat.ready
            )
        case Stage.PAUSED:
            vacant = state.missed or state.turn.survivors - state.present()
        case Stage.LOADING:
            vacant = state.turn.survivors - state.present()
        case Stage.RECOVERING if state.recovery is not None:
            vacant = state.recovery.awaited - state.present()
        case Stage.PLAYING if not state.clock.timer.has_deadline:
            orders = state.turn.orders
            unready = frozenset(
                power for power in state.present() if not orders.are_ready({power})
            )
        case _:
            pass
    if not vacant and not unready:
        return None
    return Awaited(
        stage=state.stage,
        turn=state.position.turn,
        vacant=state.in_order(vacant),
        unready=state.in_order(unready),
    )
