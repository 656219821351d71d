"""Coming and going: NME, OBS, IAM, YES and REJ (MAP), lost connections.

Message Syntax, Level 0; the order of the messages is that of recorded games.
Each function changes the state and returns what must happen.
"""

from typing import assert_never

from daide_server.language.messages import (
    Accepted,
    AcceptMap,
    BackInControl,
    CurrentPosition,
    InDisorder,
    MapName,
    Name,
    Observe,
    Ownership,
    RefuseMap,
    Rejected,
    Rejoin,
    SwitchOff,
)
from daide_server.language.tokens import Tokens
from daide_server.records.entries import Began, Seated, Vacated

from . import loading
from .answers import hello, time_left, welcome
from .effects import CloseClient, Effect, Record, Tell
from .events import ClientId, Seconds
from .pausing import end_pause, pause, pause_ends
from .seating import Seat
from .stages import Stage
from .state import GameState

Joining = Name | Observe | Rejoin | AcceptMap | RefuseMap


def join(
    state: GameState, client: ClientId, said: Joining, as_sent: Tokens, now: Seconds
) -> list[Effect]:
    """Let a client take a seat or watch, or change its mind about it."""
    match said:
        case Name() if state.loading is not None:
            return loading.offer(state, client, said, as_sent)
        case Name():
            return _name(state, client, said, as_sent)
        case Observe():
            state.observers[client] = False
            accepted = Accepted(as_sent), MapName(state.variant.name)
            return [Tell((client,), accepted)]
        case Rejoin():
            return _rejoin(state, client, said, as_sent, now)
        case AcceptMap(name=name) if name.casefold() == state.variant.name.casefold():
            return _accept_map(state, client, now)
        case AcceptMap() | RefuseMap():
            # A wrong name is as good as a refusal; the connection stays.
            state.seating.leave(client)
            state.observers.pop(client, None)
            _forget_offer(state, client)
            return []
        case _:
            assert_never(said)


def _name(
    state: GameState, client: ClientId, said: Name, as_sent: Tokens
) -> list[Effect]:
    prefix = said.name.partition(":")[0] if state.policy.seats_by_name else None
    seat = None if state.has_started else state.seating.open_seat(prefix)
    if seat is None:
        return [Tell((client,), (Rejected(as_sent),))]
    state.seating.seat(client, seat, said.name, said.version)
    return [Tell((client,), (Accepted(as_sent), MapName(state.variant.name)))]


def _accept_map(state: GameState, client: ClientId, now: Seconds) -> list[Effect]:
    seat = state.seating.of(client)
    if seat is not None and not state.has_started:
        seat.ready = True
        return _start(state, now) if state.seating.is_full() else []
    if state.loading is not None and client in state.loading.offers:
        return loading.accept_map(state, client)
    if client in state.observers:
        state.observers[client] = True
    if not state.has_started:
        return []
    return [Tell((client,), welcome(state, client, now))]


def _start(state: GameState, now: Seconds) -> list[Effect]:
    """Begin the game: HLO to each, then SCO, NOW and TME to all."""
    state.enter(Stage.PLAYING)
    state.deadlines.begin(state.position.turn.phase, now)
    everybody = state.audience()
    opening = (
        Ownership(state.position.owners),
        CurrentPosition(state.position),
        *time_left(state, now),
    )
    began = Began(
        variant=state.variant.name,
        edition=state.policy.edition,
        level=state.options.level,
        position=state.position,
        seconds=now,
    )
    return [
        Record(began),
        *(Record(_seated(seat, now)) for seat in state.seating),
        *(Tell((client,), (hello(state, client),)) for client in everybody),
        Tell(everybody, opening),
    ]


def _seated(seat: Seat, now: Seconds) -> Seated:
    return Seated(seat.power, seat.name, seat.version, now)


def _rejoin(
    state: GameState, client: ClientId, said: Rejoin, as_sent: Tokens, now: Seconds
) -> list[Effect]:
    seat = state.seating.named(said.power, said.passcode)
    if seat is None or not state.is_running or not _may_be_taken(state, seat, now):
        return [Tell((client,), (Rejected(as_sent),))]
    effects = _make_room(state, seat, now)
    _forget_offer(state, client, seat)
    state.seating.reseat(client, seat)
    effects += [
        Record(_seated(seat, now)),
        Tell((client,), (Accepted(as_sent),)),
    ]
    if state.loading is not None:
        return effects + loading.settle(state, now)
    if seat.in_disorder:
        seat.in_disorder = False
        effects.append(Tell(state.audience(), (BackInControl(seat.power),)))
    return effects + _resume(state, seat, now)


def _forget_offer(state: GameState, client: ClientId, seat: Seat | None = None) -> None:
    """Drop the offer of a loaded game to *client*, which now has *seat* if any."""
    if state.loading is None:
        return
    said = state.loading.offers.pop(client, None)
    if said is not None and seat is not None:
        seat.name, seat.version = said.name, said.version


def _may_be_taken(state: GameState, seat: Seat, now: Seconds) -> bool:
    """Return whether *seat* is empty, or its client as good as gone."""
    return seat.client is None or state.is_silent(seat.client, now)


def _make_room(state: GameState, seat: Seat, now: Seconds) -> list[Effect]:
    """Send a silent client off that holds *seat*, if one does."""
    silent = seat.client
    if silent is None:
        return []
    state.seating.leave(silent)
    state.deadlines.forget(silent)
    return [
        Record(Vacated(seat.power, now)),
        Tell((silent,), (SwitchOff(),)),
        CloseClient(silent),
    ]


def _resume(state: GameState, seat: Seat, now: Seconds) -> list[Effect]:
    """Let the clock run on when nobody is missed any more."""
    announced = seat.power in state.missed
    state.missed.discard(seat.power)
    if state.stage is not Stage.PAUSED or not state.present():
        return []
    if state.missed:
        # Somebody is here again, so the game is not abandoned.
        state.wakes_at = pause_ends(state, now)
        return []
    told = end_pause(state, now)
    return told if announced else []


def leave(state: GameState, client: ClientId, now: Seconds) -> list[Effect]:
    """Let go of a client whose connection is closed."""
    state.observers.pop(client, None)
    state.deadlines.forget(client)
    state.last_heard.pop(client, None)
    _forget_offer(state, client)
    seat = state.seating.leave(client)
    if seat is None or not state.is_running:
        return []
    effects: list[Effect] = [Record(Vacated(seat.power, now))]
    if state.loading is not None:
        return effects + loading.settle(state, now)
    if seat.power in state.survivors:
        effects += _announce_absence(state, seat, now)
    return effects


def _announce_absence(state: GameState, seat: Seat, now: Seconds) -> list[Effect]:
    state.votes.forget(seat.power)
    state.desk.go(seat.power)
    effects: list[Effect] = []
    if not seat.in_disorder:
        seat.in_disorder = True
        effects.append(Tell(state.audience(), (InDisorder(seat.power),)))
    owes = not state.desk.is_complete(seat.power)
    if state.options.deadline_stops and owes and state.deadlines.has_deadline:
        state.missed.add(seat.power)
    if state.stage is Stage.PLAYING and (state.missed or not state.present()):
        effects += pause(state, now)
    if not state.present():
        state.wakes_at = now + state.policy.abandoned_after
    elif state.missed and state.wakes_at is None:
        state.wakes_at = pause_ends(state, now)
    return effects
