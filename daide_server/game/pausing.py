"""A clock that stands still: while players are missed, or a loaded game waits for them.

Message Syntax: TME, HLO (DSD). Each function changes the state and returns what must
happen.
"""

from daide_server.language.messages import TimeLeft, TimeStopped

from .effects import Effect, Tell
from .events import Seconds
from .stages import Stage
from .state import GameState


def pause(state: GameState, now: Seconds) -> list[Effect]:
    """Stop the clock; with DSD everybody is told how much time is kept."""
    state.enter(Stage.PAUSED)
    state.deadlines.stop(now)
    kept = state.deadlines.kept
    if not state.missed or kept is None:
        return []
    return [Tell(state.audience(), (TimeStopped(kept),))]


def pause_ends(state: GameState, now: Seconds) -> Seconds | None:
    """Return until when the clock stands still for those who are missed."""
    limit = state.policy.pause_seconds
    return None if limit is None else now + limit


def end_pause(state: GameState, now: Seconds) -> list[Effect]:
    """Let the clock run on, and tell everybody how much is left."""
    state.missed.clear()
    state.wakes_at = None
    state.enter(Stage.PLAYING)
    state.deadlines.resume(now)
    seconds = state.deadlines.running(now)
    return [] if seconds is None else [Tell(state.audience(), (TimeLeft(seconds),))]
