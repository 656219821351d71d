"""Powers without a client, and games that wait for clients: CCD, DSD, LOD.

A game is PAUSED if no surviving power has a client, or with DSD, if a player is missing
for whom the policy waits; it is LOADING after a load from a save, and RECOVERING after
a restart of the server.

Message Syntax: CCD, NOT (CCD), TME, NOT (TME), HLO (DSD), SVE, LOD, IAM.
"""

from collections.abc import Set

from msgspec import Struct

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.daide import messages as said

from .clock import Timeout, whole_seconds
from .events import Cause, Effect, GameRecovered, JoinRefusal, Seconds, Stage
from .game_state import GameState, PendingLoad, RecoveryWait, Request, Seat, admit


def declare_disorder(state: GameState, powers: Set[Power]) -> list[Effect]:
    """Announce CCD of *powers*, unless it has been announced."""
    seats = state.seating.seats(state.in_order(powers))
    declared = [seat for seat in seats if not seat.in_disorder]
    for seat in declared:
        seat.in_disorder = True
    return [state.to_all(said.InDisorder(seat.power)) for seat in declared]


def end_disorder(state: GameState, power: Power) -> list[Effect]:
    """Announce NOT (CCD), if CCD has been announced."""
    seat = state.seating[power]
    if not seat.in_disorder:
        return []
    seat.in_disorder = False
    return [state.to_all(said.BackInControl(power))]


def player_left(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Continue without the client of a surviving power, or wait for it."""
    state.turn.votes -= {vote for vote in state.turn.votes if vote[0] == power}
    state.turn.go(power)
    effects = declare_disorder(state, {power})
    is_missed = _stops_clock(state, power)
    if state.stage is Stage.PLAYING and (is_missed or not state.present()):
        effects += _pause(state, now, dsd=is_missed)
    if is_missed:
        state.missed |= {power}
    if not state.present():
        state.clock.wait_for(Timeout.ABANDONED, now)
    elif state.missed and state.clock.timeout is None:
        state.clock.wait_for(Timeout.PAUSE, now)
    return effects


def _stops_clock(state: GameState, power: Power) -> bool:
    """Return whether the clock stops for *power*: with DSD, if the policy waits."""
    if not (state.options.deadline_stops and state.clock.has_deadline):
        return False
    waits_for_all = state.policy.wait_for == "everyone"
    return waits_for_all or not state.turn.is_complete(power)


def _pause(state: GameState, now: Seconds, *, dsd: bool) -> list[Effect]:
    state.enter(Cause.PLAYER_MISSED if dsd else Cause.NOBODY_LEFT, now)
    left = whole_seconds(state.clock.left(now))
    return [state.to_all(said.TimeStopped(left))] if dsd and left is not None else []


def player_returned(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Resume the clock when no player is missing any more."""
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
    """Resume the clock, and send everybody the time left."""
    state.enter(cause, now)
    seconds = state.clock.seconds_left(now)
    return [] if seconds is None else [state.to_all(said.TimeLeft(seconds))]


# Loaded games: a client that sends NME is asked by LOD to load the game once it has the
# map, and returns to its power by IAM; one that refuses leaves a power in civil
# disorder. IAM without NME is accepted too. The game resumes when every power that had
# a client has one again, or when as many clients have refused as powers lack one; the
# server's policy limits the wait once somebody is back.


def _drop_clients(state: GameState) -> None:
    """Empty all seats: all connections are new."""
    for client in state.joined():
        state.drop(client)
        state.clock.forget(client)


def load(state: GameState, name: str, now: Seconds) -> list[Effect]:
    """Stop the clock of a running game, and wait for its clients."""
    if not state.is_running:
        return []
    awaited = state.present() or state.turn.survivors
    _drop_clients(state)
    for seat in state.seating:
        seat.in_disorder = False
        state.turn.go(seat.power)
    state.turn.votes.clear()
    state.enter(Cause.LOADED, now)
    state.loading = PendingLoad(name, awaited)
    return []


def offer(
    state: GameState, loading: PendingLoad, request: Request[said.Name]
) -> list[Effect]:
    """Accept a client by NME, if a power lacks one."""
    if not state.takes_players:
        return request.refuse(JoinRefusal.NO_OPEN_SEAT)
    loading.pending[request.client] = request.message
    return admit(state, request, said.MapName(state.variant.name))


def refuse(state: GameState, request: Request[said.RefuseLoad]) -> list[Effect]:
    """Continue without a client that cannot load the game: REJ (LOD)."""
    if state.loading is None:
        return []
    state.loading.pending.pop(request.client, None)
    state.loading.refused += 1
    return proceed(state, state.loading, request.now)


def proceed(state: GameState, loading: PendingLoad, now: Seconds) -> list[Effect]:
    """Resume if all have answered; otherwise wait for the rest."""
    present = state.present()
    if not present:
        state.clock.timeout = None
        return []
    if len(loading.awaited - present) <= loading.refused:
        return start_loaded(state, Cause.LOAD_COMPLETE, now)
    if state.clock.timeout is None:
        state.clock.wait_for(Timeout.LOAD, now)
    return []


def start_loaded(state: GameState, cause: Cause, now: Seconds) -> list[Effect]:
    """Resume; powers without a client are in civil disorder until one returns."""
    announced = resume(state, cause, now)
    absent = state.turn.survivors - state.present()
    return declare_disorder(state, absent) + announced


# Recovered games: no player has left, so orders, votes, NOT (GOF), civil disorder and
# the clock are unchanged. The game resumes when every power that had a client has one
# again, or when the wait is over: then a power without a client is in civil disorder,
# as if its client had left at that time.


def recover(state: GameState, event: GameRecovered, now: Seconds) -> list[Effect]:
    """Stop the clock of a running game, and wait for its clients.

    The seats of a game that has not begun are free for anybody.
    """
    if state.is_running:
        wait = _recovery_wait(state, event.grace)
        state.enter(Cause.RECOVERED, now)
        state.recovery = wait
    elif state.stage is not Stage.FORMING:
        return []
    _drop_clients(state)
    if state.is_running:
        state.clock.wait_for(Timeout.RECOVERY, now, event.wait)
    return []


def _recovery_wait(state: GameState, grace: Seconds) -> RecoveryWait:
    """Return the powers to wait for, also if the game was LOADING or RECOVERING."""
    awaited, missed = state.present(), state.missed
    if state.loading is not None:
        awaited |= state.loading.awaited
    if state.recovery is not None:
        awaited |= state.recovery.awaited
        missed = state.recovery.missed
    return RecoveryWait(awaited, missed, grace)


def returned(
    state: GameState, recovery: RecoveryWait, seat: Seat, now: Seconds
) -> list[Effect]:
    """Take a client back, and resume if it was the last one missing."""
    effects = end_disorder(state, seat.power)
    present = state.present()
    # All are back, or somebody if there was nobody.
    if present and recovery.awaited <= present:
        effects += _start_recovered(state, recovery, Cause.RECOVERY_COMPLETE, now)
    return effects


def end_wait(state: GameState, now: Seconds) -> list[Effect]:
    """Resume with those who are back; end the game without a result if nobody is."""
    recovery = state.recovery
    assert recovery is not None
    if not state.present():
        return state.end(Cause.NOBODY_RETURNED, (), now)
    return _start_recovered(state, recovery, Cause.RECOVERY_TOO_LONG, now)


def _start_recovered(
    state: GameState, recovery: RecoveryWait, cause: Cause, now: Seconds
) -> list[Effect]:
    state.clock.keep_at_least(recovery.grace)
    effects = resume(state, cause, now)
    missed = recovery.missed - state.present()
    if missed:
        # As before the restart of the server (DSD).
        effects += _pause(state, now, dsd=True)
        state.missed = missed
        state.clock.wait_for(Timeout.PAUSE, now)
    # Powers that were awaited, and those that came back and left again.
    gone = {
        power
        for power in state.turn.survivors - state.present()
        if power in recovery.awaited or not state.seating[power].in_disorder
    }
    for power in state.in_order(gone):
        effects += player_left(state, power, now)
    return effects


# What the game waits for


class WaitStatus(Struct, frozen=True):
    """The powers that a game waits for without a deadline."""

    stage: Stage
    turn: Turn
    vacant: tuple[Power, ...]
    """Powers that need a client."""
    unready: tuple[Power, ...]
    """Powers whose clients have not accepted the map, or not sent orders."""


def wait_status(state: GameState) -> WaitStatus | None:
    """Return whom the game waits for; `None`: for nobody, or for a deadline."""
    seating, present = state.seating, state.present()
    vacant: Set[Power] = frozenset()
    unready: Set[Power] = frozenset()
    match state.stage:
        case Stage.FORMING if seating.clients():
            # There are at most as many waiting clients as free seats.
            if seating.has_room():
                vacant = {seat.power for seat in seating if seat.client is None}
            held = seating.by_client.items()
            unready = {seat.power for each, seat in held if each not in seating.ready}
        case Stage.PAUSED:
            vacant = state.missed or state.turn.survivors - present
        case Stage.LOADING:
            vacant = state.turn.survivors - present
        case Stage.RECOVERING if state.recovery is not None:
            vacant = state.recovery.awaited - present
        case Stage.PLAYING if not state.clock.has_deadline:
            unready = present & state.turn.awaited
        case _:
            pass
    if not vacant and not unready:
        return None
    powers = state.in_order(vacant), state.in_order(unready)
    return WaitStatus(state.stage, state.position.turn, *powers)
