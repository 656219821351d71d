"""A game whose server was killed and started again: it waits for its clients.

A killed server is no leave: orders, votes, NOT (GOF), civil disorder and the clock are
what they were. A client returns to its power by IAM. The game goes on when every power
that had a client has one again, or when the wait is over: then a power without one is
in civil disorder, as if its client had left now.
"""

from .absence import end_disorder, miss_again, player_left, resume
from .effects import Effect
from .ending import break_off
from .events import GameRecovered, Seconds
from .game_state import GameState
from .recovery_wait import RecoveryWait
from .seating import Seat
from .stages import Cause, Stage


def recover(state: GameState, event: GameRecovered, now: Seconds) -> list[Effect]:
    """Stop the clock and wait for the clients, whose connections are gone.

    A game that has not begun keeps its seats for whoever comes; one that is over has
    nobody to wait for.
    """
    if state.is_running:
        state.enter_recovery(now, grace=event.grace)
    elif state.stage is not Stage.FORMING:
        return []
    for client in state.joined():
        state.seating.leave(client)
        state.observers.leave(client)
        state.clock.forget(client)
    if state.is_running:
        state.clock.wait_for_recovery(event.wait, now)
    return []


def returned(
    state: GameState, recovery: RecoveryWait, seat: Seat, now: Seconds
) -> list[Effect]:
    """Take a client back, and go on if it was the last that was awaited."""
    effects = end_disorder(state, seat.power)
    if recovery.is_complete(state.present()):
        effects += _go_on(state, recovery, Cause.RECOVERY_COMPLETE, now)
    return effects


def end_wait(state: GameState, now: Seconds) -> list[Effect]:
    """Go on with those who are back; break the game off if nobody is."""
    recovery = state.recovery
    assert recovery is not None
    if not state.present():
        return break_off(state, Cause.NOBODY_RETURNED, now)
    return _go_on(state, recovery, Cause.RECOVERY_TOO_LONG, now)


def _go_on(
    state: GameState, recovery: RecoveryWait, cause: Cause, now: Seconds
) -> list[Effect]:
    state.clock.timer.keep_at_least(recovery.grace)
    effects = resume(state, cause, now)
    effects += miss_again(state, recovery.missed - state.present(), now)
    gone = recovery.awaited & state.turn.survivors - state.present()
    for power in state.in_order(gone):
        effects += player_left(state, power, now)
    return effects
