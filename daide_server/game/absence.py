"""Powers whose client has left or is late: CCD, DSD, pauses.

Message Syntax: CCD, NOT (CCD), TME, NOT (TME), HLO (DSD). A game without a client for
any surviving power is paused. With DSD so is one that lost a player whose orders were
due; then everybody is sent how much time is left.
"""

from collections.abc import Set

from daide_server.board.names import Power
from daide_server.language.messages import (
    BackInControl,
    InDisorder,
    TimeLeft,
    TimeStopped,
)

from .clock import Timeout
from .effects import Effect
from .events import Seconds
from .game_state import GameState
from .stages import Cause, Stage


def declare_disorder(state: GameState, power: Power) -> list[Effect]:
    """Announce CCD, unless it has been announced."""
    is_new = state.seating[power].lose_control()
    return [state.to_all(InDisorder(power))] if is_new else []


def end_disorder(state: GameState, power: Power) -> list[Effect]:
    """Announce NOT (CCD), if CCD has been announced."""
    was_in_disorder = state.seating[power].regain_control()
    return [state.to_all(BackInControl(power))] if was_in_disorder else []


def player_left(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Do without the client of a surviving power; the game may have to wait for it."""
    state.turn.votes.forget(power)
    state.turn.orders.go(power)
    effects = declare_disorder(state, power)
    is_missed = _stops_clock(state, power)
    if state.stage is Stage.PLAYING and (is_missed or not state.present()):
        effects += _pause(state, now, dsd=is_missed)
    if is_missed:
        state.miss(power)
    if not state.present():
        state.clock.wait_for(Timeout.ABANDONED, now)
    elif state.is_missing_players and not state.clock.is_waiting:
        state.clock.wait_for(Timeout.PAUSE, now)
    return effects


def _stops_clock(state: GameState, power: Power) -> bool:
    """Return whether the clock stops for *power*: with DSD, if it is waited for.

    The server's policy decides whether that takes orders that it owes.
    """
    if not (state.options.deadline_stops and state.clock.timer.has_deadline):
        return False
    if state.policy.wait_for == "everyone":
        return True
    return not state.turn.orders.is_complete(power)


def _pause(state: GameState, now: Seconds, *, dsd: bool) -> list[Effect]:
    state.enter(Cause.PLAYER_MISSED if dsd else Cause.NOBODY_LEFT, now)
    kept = state.clock.timer.kept
    return [state.to_all(TimeStopped(kept))] if dsd and kept is not None else []


def miss_again(state: GameState, powers: Set[Power], now: Seconds) -> list[Effect]:
    """Pause for *powers*, as before the server was started again (DSD)."""
    if not powers:
        return []
    effects = _pause(state, now, dsd=True)
    for power in powers:
        state.miss(power)
    state.clock.wait_for(Timeout.PAUSE, now)
    return effects


def player_returned(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Resume the clock when no player is missed any more."""
    was_missed = state.stop_missing(power)
    if state.stage is not Stage.PAUSED or not state.present():
        return []
    if state.is_missing_players:
        # Somebody is here again, so the game is not abandoned.
        state.clock.wait_for(Timeout.PAUSE, now)
        return []
    announced = resume(state, Cause.PLAYERS_BACK, now)
    return announced if was_missed else []


def resume(state: GameState, cause: Cause, now: Seconds) -> list[Effect]:
    """Let the clock run on, and send everybody how much time is left."""
    state.enter(cause, now)
    seconds = state.clock.timer.running(now)
    return [] if seconds is None else [state.to_all(TimeLeft(seconds))]
