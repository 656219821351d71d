"""Games whose connections are all new: loaded from a save, or of a restarted server.

Loaded (LOADING): a client that sends NME is asked by LOD to load the game once it has
the map, and returns to its power by IAM; one that refuses leaves a power in civil
disorder. IAM without NME is accepted too. The game resumes when every power that had a
client has one again, or as many clients have refused as powers lack one; a limit in the
server's policy bounds the wait once somebody is back.

Recovered (RECOVERING): nobody has left, so orders, votes, NOT (GOF), civil disorder and
the clock are what they were. The game resumes when every power that had a client has
one again, or when the wait is over: then a power without one is in civil disorder, as
if its client had left now. Message Syntax: SVE, LOD, IAM.
"""

from daide_server.language.messages import MapName, Name, RefuseLoad

from .absence import declare_disorder, end_disorder, miss_again, player_left, resume
from .clock import Timeout
from .effects import Admit, Effect, JoinRefusal, Request
from .ending import break_off
from .events import GameRecovered, Seconds
from .game_state import GameState
from .seating import LoadOffers, RecoveryWait, Seat
from .stages import Cause, Stage


def _drop_clients(state: GameState) -> None:
    """Empty all seats: the connections of before are gone."""
    for client in state.joined():
        state.drop(client)
        state.clock.forget(client)


# Loaded games


def load(state: GameState, name: str, now: Seconds) -> list[Effect]:
    """Stop the clock and wait for clients: the connections of before are gone.

    A game that has not begun, or is over, waits for no client.
    """
    if not state.is_running:
        return []
    awaited = state.present() or state.turn.survivors
    _drop_clients(state)
    for seat in state.seating:
        seat.regain_control()
        state.turn.orders.go(seat.power)
    state.turn.votes.clear()
    state.enter(Cause.LOADED, now)
    state.loading = LoadOffers(name, awaited)
    return []


def offer(state: GameState, offers: LoadOffers, request: Request[Name]) -> list[Effect]:
    """Accept a client by NME, if a power lacks one."""
    if not state.takes_players:
        return request.refuse(JoinRefusal.NO_OPEN_SEAT)
    offers.pending[request.client] = request.message
    admitted = Admit(request.client, state.role_of(request.client), None)
    return [admitted, *request.accept(MapName(state.variant.name))]


def refuse(state: GameState, request: Request[RefuseLoad]) -> list[Effect]:
    """Do without a client that cannot load the game: REJ (LOD)."""
    if state.loading is None:
        return []
    state.loading.pending.pop(request.client, None)
    state.loading.refused += 1
    return proceed(state, state.loading, request.now)


def proceed(state: GameState, offers: LoadOffers, now: Seconds) -> list[Effect]:
    """Resume if all have answered; until then, wait for the others."""
    present = state.present()
    if not present:
        state.clock.stop_waiting()
        return []
    if offers.are_settled(present):
        return start_loaded(state, Cause.LOAD_COMPLETE, now)
    if not state.clock.is_waiting:
        state.clock.wait_for(Timeout.LOAD, now)
    return []


def start_loaded(state: GameState, cause: Cause, now: Seconds) -> list[Effect]:
    """Resume; powers without a client are in civil disorder until one returns."""
    announced = resume(state, cause, now)
    absent = state.turn.survivors - state.present()
    return declare_disorder(state, absent) + announced


# Recovered games


def recover(state: GameState, event: GameRecovered, now: Seconds) -> list[Effect]:
    """Stop the clock and wait for the clients, whose connections are gone.

    A game that has not begun keeps its seats for whoever comes; one that is over has
    nobody to wait for.
    """
    if state.is_running:
        wait = _recovery_wait(state, event.grace)
        state.enter(Cause.RECOVERED, now)
        state.recovery = wait
    elif state.stage is not Stage.FORMING:
        return []
    _drop_clients(state)
    if state.is_running:
        state.clock.wait_for_recovery(event.wait, now)
    return []


def _recovery_wait(state: GameState, grace: Seconds) -> RecoveryWait:
    """Return whom to wait for, also if the game was LOADING or RECOVERING."""
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
    """Take a client back, and resume if it was the last that was awaited."""
    effects = end_disorder(state, seat.power)
    if recovery.is_complete(state.present()):
        effects += _start_recovered(state, recovery, Cause.RECOVERY_COMPLETE, now)
    return effects


def end_wait(state: GameState, now: Seconds) -> list[Effect]:
    """Resume with those who are back; break the game off if nobody is."""
    recovery = state.recovery
    assert recovery is not None
    if not state.present():
        return break_off(state, Cause.NOBODY_RETURNED, now)
    return _start_recovered(state, recovery, Cause.RECOVERY_TOO_LONG, now)


def _start_recovered(
    state: GameState, recovery: RecoveryWait, cause: Cause, now: Seconds
) -> list[Effect]:
    state.clock.timer.keep_at_least(recovery.grace)
    effects = resume(state, cause, now)
    effects += miss_again(state, recovery.missed - state.present(), now)
    gone = recovery.awaited & state.turn.survivors - state.present()
    for power in state.in_order(gone):
        effects += player_left(state, power, now)
    return effects
