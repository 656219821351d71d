"""A player takes its seat again: IAM.

Client-Server Protocol and Message Syntax: IAM, NOT (CCD), OFF. A seat can be taken if
it is empty; if the server's policy says so, also from a client that has been silent
for long, whose connection may be dead.
"""

from daide_server.language.messages import Rejoin, SwitchOff

from . import loading, recovery
from .absence import end_disorder, player_returned
from .effects import CloseClient, Effect, Record, Send
from .events import Seconds
from .game_state import GameState
from .joining import admit, seated, vacated
from .refusals import JoinRefusal
from .request import Request
from .seating import Seat


def rejoin(state: GameState, request: Request[Rejoin]) -> list[Effect]:
    """Give a seat to the client that knows its passcode."""
    seat, now = state.claimed_seat(request.message), request.now
    if seat is None:
        return request.refuse(
            JoinRefusal.WRONG_PASSCODE if state.is_running else JoinRefusal.NOT_RUNNING
        )
    if not _may_be_taken(state, seat, now):
        return request.refuse(JoinRefusal.SEAT_OCCUPIED)
    evicted = _evict(state, seat, now)
    _use_name(state, seat, request)
    state.seating.retake(seat, request.client)
    state.clock.overdue.returned(request.client, now)
    is_recorded = state.growth.may_return(seat.power)
    recorded = [Record(seated(seat, now))] if is_recorded else []
    effects = [*evicted, *recorded, *admit(state, request)]
    if state.loading is not None:
        return effects + loading.proceed(state, state.loading, now)
    if state.recovery is not None:
        return effects + recovery.returned(state, state.recovery, seat, now)
    effects += end_disorder(state, seat.power)
    return effects + player_returned(state, seat.power, now)


def _may_be_taken(state: GameState, seat: Seat, now: Seconds) -> bool:
    return seat.client is None or state.clock.is_silent(seat.client, now)


def _evict(state: GameState, seat: Seat, now: Seconds) -> list[Effect]:
    """Close the silent client that holds *seat*, if one does."""
    client = seat.client
    if client is None:
        return []
    state.seating.leave(client)
    state.clock.forget(client)
    return [
        *vacated(state, seat.power, now),
        Send((client,), (SwitchOff(),)),
        CloseClient(client),
    ]


def _use_name(state: GameState, seat: Seat, request: Request[Rejoin]) -> None:
    """Name *seat* as the NME did by which the client came to a loaded game, if any."""
    name = None if state.loading is None else state.loading.withdraw(request.client)
    if name is not None:
        seat.rename(name)
