"""Joining a game, and leaving it: NME, OBS, YES and REJ (MAP), lost connections.

Message Syntax, Level 0; the order of the messages is that of recorded games. IAM is
in `returning`, NME to a loaded game in `loading`.
"""

from typing import Final

from daide_server.board.names import Power
from daide_server.language.messages import (
    AcceptMap,
    CurrentPosition,
    MapName,
    Name,
    Observe,
    Ownership,
    RefuseMap,
    Rejoin,
    ServerMessage,
)
from daide_server.records.entries import Began, Seated, Vacated

from . import loading
from .absence import player_left
from .answers import game_so_far, hello, time_left
from .effects import Admit, CloseClient, Effect, Record, Send
from .events import ClientId, Seconds
from .game_state import GameState
from .permissions import ClientRole
from .refusals import JoinRefusal
from .request import Request
from .seating import Seat
from .stages import Cause

MAX_NAME: Final = 100
"""Characters of the name of a client, and of its version."""


def admit(
    state: GameState, request: Request[Name | Observe | Rejoin], *more: ServerMessage
) -> list[Effect]:
    """Return the effects of letting a client join that has a seat or observes now."""
    seat = state.seating.of(request.client)
    power = None if seat is None else seat.power
    role = state.role_of(request.client)
    return [Admit(request.client, role, power), *request.accept(*more)]


def take_seat(state: GameState, request: Request[Name]) -> list[Effect]:
    """Give a client a seat (NME), unless nobody could print what it is called."""
    if not (_is_usable(request.message.name) and _is_usable(request.message.version)):
        return request.refuse(JoinRefusal.UNUSABLE_NAME)
    if state.loading is not None:
        return loading.offer(state, state.loading, request)
    if state.has_started or not state.seating.has_room():
        return request.refuse(JoinRefusal.NO_OPEN_SEAT)
    if not _give_seat(state, request.client, request.message):
        return request.refuse(JoinRefusal.SEAT_TAKEN)
    return admit(state, request, MapName(state.variant.name))


def _is_usable(name: str) -> bool:
    """Return whether *name* can stand in SMR, a log and a table as it is.

    REJ, because a client that was called otherwise than it said would not know its own
    name. Names may be empty.
    """
    return len(name) <= MAX_NAME and name.isprintable()


def _give_seat(state: GameState, client: ClientId, said: Name) -> bool:
    """Give a client the seat that it asks for, or one; return whether it has joined.

    A seat that is asked for and taken is not made up for by another.
    """
    seating, wish = state.seating, state.wish_of(said)
    asked = {wish.power, seating.chosen_by(client)} - {None}
    if len(asked) > 1:
        return False
    if not asked and state.policy.seats_by_name:
        seating.wait(client, wish.said)
        return True
    power = next(iter(asked), None)
    seat = seating.open_seat() if power is None else seating[power]
    if seat is None or seat.client is not None:
        return False
    seating.take(seat, client, wish.said)
    return True


def observe(state: GameState, request: Request[Observe]) -> list[Effect]:
    """Let a client observe (OBS)."""
    state.observers.join(request.client)
    return admit(state, request, MapName(state.variant.name))


def accept_map(state: GameState, request: Request[AcceptMap]) -> list[Effect]:
    """Complete the joining of a client that has the map: YES (MAP)."""
    if request.message.name.casefold() != state.variant.name.casefold():
        # A wrong name is as good as a refusal.
        return _drop(state, request.client)
    client, now = request.client, request.now
    if state.role_of(client) is ClientRole.JOINED:
        state.seating.accept_map(client)
        return _start(state, now) if state.seating.is_full() else []
    if state.loading is not None and client in state.loading:
        return loading.ask_to_load(state.loading, request)
    state.observers.accept_map(client)
    return request.answer(*game_so_far(state, client, now)) if state.has_started else []


def refuse_map(state: GameState, request: Request[RefuseMap]) -> list[Effect]:
    """Drop a client that cannot use the map; its connection stays: REJ (MAP)."""
    return _drop(state, request.client)


def _drop(state: GameState, client: ClientId) -> list[Effect]:
    state.seating.leave(client)
    state.observers.leave(client)
    if state.loading is not None:
        state.loading.withdraw(client)
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
    opening = Ownership(position.owners), CurrentPosition(position)
    return [
        Record(began),
        *(Record(seated(seat, now)) for seat in state.seating),
        *(Send((client,), (hello(state, client),)) for client in state.audience()),
        state.to_all(*opening, *time_left(state, now)),
    ]


def seated(seat: Seat, now: Seconds) -> Seated:
    """Return the entry of the record that *seat* has a client."""
    return Seated(seat.power, seat.name, seat.version, now)


def vacated(state: GameState, power: Power, now: Seconds) -> list[Effect]:
    """Return the entry that *power* lost its client, if the record has room for it."""
    is_recorded = state.growth.leave(power)
    return [Record(Vacated(power, now))] if is_recorded else []


def leave(state: GameState, client: ClientId, now: Seconds) -> list[Effect]:
    """Drop a client whose connection is closed."""
    state.clock.forget(client)
    seat = state.seating.of(client)
    _drop(state, client)
    state.seating.forget(client)
    if seat is None or not state.is_running:
        return []
    effects = vacated(state, seat.power, now)
    if state.loading is not None:
        effects += loading.proceed(state, state.loading, now)
    elif state.recovery is None and seat.power in state.turn.survivors:
        effects += player_left(state, seat.power, now)
    return effects


def leave_hung(state: GameState, now: Seconds) -> list[Effect]:
    """Drop the clients that owe orders for longer than the policy allows, and close."""
    alarm = state.clock.overdue.alarm
    if alarm is None or now < alarm:
        return []
    effects: list[Effect] = []
    for client in state.clock.overdue.overdue(_owing(state), now):
        effects += leave(state, client, now)
        effects.append(CloseClient(client, "owes orders for too long"))
    return effects


def _owing(state: GameState) -> list[ClientId]:
    """Return the clients of surviving powers that the turn waits for."""
    awaited = state.turn.orders.awaited(state.present())
    return [
        seat.client
        for seat in state.seating
        if seat.client is not None and seat.power in awaited
    ]
