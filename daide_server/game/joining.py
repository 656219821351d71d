"""Joining a game, returning to it and leaving it.

IAM can take an empty seat, or if the server's policy says so, the seat of a client that
has been silent for long, whose connection may be dead. The order of the messages is
that of recorded games. Client-Server Protocol and Message Syntax, Level 0: NME, OBS,
YES and REJ (MAP), IAM, NOT (CCD), OFF. NME to a loaded game: `absence`.
"""

from daide_server.board.names import Power
from daide_server.daide import messages as said
from daide_server.records.entries import Began, Seated, Vacated

from . import absence, events
from .events import Cause, ClientId, ClientRole, Effect, JoinRefusal, Seconds
from .game_state import GameState, Request, Seat, admit
from .results import game_so_far, hello, time_left

OWES_TOO_LONG = "owes orders for too long"
"""Why a client is disconnected after the seconds of `hung_after`."""
MAX_NAME = 100
"""Maximum characters of a client's name, and of its version."""


def take_seat(state: GameState, request: Request[said.Name]) -> list[Effect]:
    """Give a client a seat (NME), unless its name cannot be printed."""
    if not (_is_usable(request.message.name) and _is_usable(request.message.version)):
        return request.refuse(JoinRefusal.UNUSABLE_NAME)
    if state.loading is not None:
        return absence.offer(state, state.loading, request)
    if state.has_started or not state.seating.has_room():
        return request.refuse(JoinRefusal.NO_OPEN_SEAT)
    if not _give_seat(state, request.client, request.message):
        return request.refuse(JoinRefusal.SEAT_TAKEN)
    return admit(state, request, said.MapName(state.variant.name))


def _is_usable(name: str) -> bool:
    """Return whether *name* can be used in SMR, a log and a table unchanged.

    Otherwise REJ, because a client under another name would not recognise itself.
    """
    return len(name) <= MAX_NAME and name.isprintable()


def _give_seat(state: GameState, client: ClientId, named: said.Name) -> bool:
    """Give a client the seat that it asks for, or any; return whether it has joined."""
    seating = state.seating
    wanted, bare = state.wish_of(named)
    asked = {wanted, seating.chosen.get(client)} - {None}
    if len(asked) > 1:
        return False
    if not asked and state.policy.seats == "name":
        seating.waiting[client] = bare
        return True
    power = next(iter(asked), None)
    seat = seating.open_seat() if power is None else seating[power]
    if seat is None or seat.client is not None:
        return False
    seating.take(seat, client, bare)
    return True


def observe(state: GameState, request: Request[said.Observe]) -> list[Effect]:
    """Let a client observe (OBS)."""
    state.observers[request.client] = False
    return admit(state, request, said.MapName(state.variant.name))


def accept_map(state: GameState, request: Request[said.AcceptMap]) -> list[Effect]:
    """Complete the admission of a client that accepted the map: YES (MAP)."""
    if request.message.name.casefold() != state.variant.name.casefold():
        # A wrong name is as good as a refusal.
        state.drop(request.client)
        return []
    client, now = request.client, request.now
    if state.role_of(client) is ClientRole.JOINED:
        state.seating.ready.add(client)
        return _start(state, now) if state.seating.is_full() else []
    if state.loading is not None and client in state.loading.pending:
        return request.answer(said.LoadGame(state.loading.name))
    if client in state.observers:
        state.observers[client] = True
    return request.answer(*game_so_far(state, client, now)) if state.has_started else []


def refuse_map(state: GameState, request: Request[said.RefuseMap]) -> list[Effect]:
    """Drop a client that cannot use the map; its connection stays: REJ (MAP)."""
    state.drop(request.client)
    return []


def _start(state: GameState, now: Seconds) -> list[Effect]:
    """Begin the game: HLO to each, then SCO, NOW and TME to all."""
    state.seating.deal()
    state.enter(Cause.ALL_READY, now)
    position = state.position
    state.clock.begin_turn(position.turn.phase, now)
    began = Began(
        variant=state.variant.name,
        edition=state.policy.edition,
        level=state.options.level,
        position=position,
        seconds=now,
    )
    opening = said.Ownership(position.owners), said.CurrentPosition(position)
    return [
        events.Record(began),
        *(events.Record(seated(seat, now)) for seat in state.seating),
        *(
            events.Send((client,), (hello(state, client),))
            for client in state.audience()
        ),
        state.to_all(*opening, *time_left(state, now)),
    ]


def seated(seat: Seat, now: Seconds) -> Seated:
    """Return the record entry that *seat* has a client."""
    return Seated(seat.power, seat.name, seat.version, now)


def vacated(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Return the record entry that *power* lost its client, if there is room for it."""
    is_recorded = state.budgets.record_departure(power)
    return [events.Record(Vacated(power, now))] if is_recorded else []


def rejoin(state: GameState, request: Request[said.Rejoin]) -> list[Effect]:
    """Give a seat to a client that has its passcode."""
    seat, now = state.claimed_seat(request.message), request.now
    if seat is None:
        return request.refuse(
            JoinRefusal.WRONG_PASSCODE if state.is_running else JoinRefusal.NOT_RUNNING
        )
    if seat.client is not None and not state.clock.is_silent(seat.client, now):
        return request.refuse(JoinRefusal.SEAT_OCCUPIED)
    evicted = _evict(state, seat, now)
    _use_name(state, seat, request)
    state.seating.retake(seat, request.client)
    state.clock.overdue.returned[request.client] = now
    is_recorded = state.budgets.records_return(seat.power)
    recorded = [events.Record(seated(seat, now))] if is_recorded else []
    effects = [*evicted, *recorded, *admit(state, request)]
    if state.loading is not None:
        return effects + absence.proceed(state, state.loading, now)
    if state.recovery is not None:
        return effects + absence.returned(state, state.recovery, seat, now)
    effects += absence.end_disorder(state, seat.power)
    return effects + absence.player_returned(state, seat.power, now)


def _evict(state: GameState, seat: Seat, now: Seconds) -> list[Effect]:
    """Disconnect the silent client that holds *seat*, if there is one."""
    client = seat.client
    if client is None:
        return []
    state.seating.leave(client)
    state.clock.forget(client)
    return [
        *vacated(state, seat.power, now),
        events.Send((client,), (said.SwitchOff(),)),
        events.CloseClient(client),
    ]


def _use_name(state: GameState, seat: Seat, request: Request[said.Rejoin]) -> None:
    """Name *seat* as in the NME that the client sent to a loaded game, if it did."""
    if state.loading is not None and request.client in state.loading.pending:
        named = state.loading.pending.pop(request.client)
        seat.name, seat.version = named.name, named.version


def leave(state: GameState, client: ClientId, now: Seconds) -> list[Effect]:
    """Drop a client whose connection is closed."""
    state.clock.forget(client)
    seat = state.seating.by_client.get(client)
    state.drop(client)
    state.seating.chosen.pop(client, None)
    if seat is None or not state.is_running:
        return []
    effects = vacated(state, seat.power, now)
    if state.loading is not None:
        effects += absence.proceed(state, state.loading, now)
    elif state.recovery is None and seat.power in state.turn.survivors:
        effects += absence.player_left(state, seat.power, now)
    return effects


def leave_hung(state: GameState, now: Seconds) -> list[Effect]:
    """Disconnect the clients that owe orders for longer than the policy allows."""
    alarm = state.clock.overdue.alarm
    if alarm is None or now < alarm:
        return []
    effects: list[Effect] = []
    for client in state.clock.overdue.among(_owing(state), now):
        effects += leave(state, client, now)
        effects.append(events.CloseClient(client, OWES_TOO_LONG))
    return effects


def _owing(state: GameState) -> list[ClientId]:
    """Return the clients of surviving powers that the turn waits for."""
    awaited = state.turn.awaited & state.present()
    return [
        seat.client
        for seat in state.seating
        if seat.client is not None and seat.power in awaited
    ]
