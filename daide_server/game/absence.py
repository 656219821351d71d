"""Powers whose client has left or is late: CCD, DSD, pauses, and who is waited for.

Message Syntax: CCD, NOT (CCD), TME, NOT (TME), HLO (DSD). A game without a client for
any surviving power is paused. With DSD so is one that lost a player whose orders were
due; then everybody is sent how much time is left.
"""

from collections.abc import Set

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.board.turns import Turn
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


def declare_disorder(state: GameState, powers: Set[Power]) -> list[Effect]:
    """Announce CCD of *powers*, unless it has been announced."""
    return [
        state.to_all(InDisorder(power))
        for power in state.in_order(powers)
        if state.seating[power].lose_control()
    ]


def end_disorder(state: GameState, power: Power) -> list[Effect]:
    """Announce NOT (CCD), if CCD has been announced."""
    was_in_disorder = state.seating[power].regain_control()
    return [state.to_all(BackInControl(power))] if was_in_disorder else []


def player_left(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Do without the client of a surviving power; the game may have to wait for it."""
    state.turn.votes.forget(power)
    state.turn.orders.go(power)
    effects = declare_disorder(state, {power})
    is_missed = _stops_clock(state, power)
    if state.stage is Stage.PLAYING and (is_missed or not state.present()):
        effects += _pause(state, now, dsd=is_missed)
    if is_missed:
        state.missed |= {power}
    if not state.present():
        state.clock.wait_for(Timeout.ABANDONED, now)
    elif state.missed and not state.clock.is_waiting:
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
    state.missed = frozenset(powers)
    state.clock.wait_for(Timeout.PAUSE, now)
    return effects


def player_returned(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Resume the clock when no player is missed any more."""
    was_missed = power in state.missed
    state.missed -= {power}
    if state.stage is not Stage.PAUSED or not state.present():
        return []
    if state.missed:
        # Somebody is here again, so the game is not abandoned.
        state.clock.wait_for(Timeout.PAUSE, now)
        return []
    announced = resume(state, Cause.PLAYERS_BACK, now)
    return announced if was_missed else []


def resume(state: GameState, cause: Cause, now: Seconds) -> list[Effect]:
    """Start the clock again, and send everybody how much time is left."""
    state.enter(cause, now)
    seconds = state.clock.timer.running(now)
    return [] if seconds is None else [state.to_all(TimeLeft(seconds))]


class Awaited(Struct, frozen=True):
    """Whom a game waits for that cannot continue, but for no deadline."""

    stage: Stage
    turn: Turn
    vacant: tuple[Power, ...]
    """Powers that need a client."""
    unready: tuple[Power, ...]
    """Powers whose clients have not accepted the map, or not ordered."""


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
