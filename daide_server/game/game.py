"""One game: events in, effects out.

`Game.handle` is the only way in, and the effects it returns are the only way out. What
follows from an event (a draw, the end of a turn) is settled in one place after it. One
event processes at most one turn: if the next is complete too, the alarm is at once.
"""

from typing import Final, assert_never

from daide_server.board.variant import Variant
from daide_server.language.messages import (
    ClientMessage,
    Name,
    Observe,
    Rejoin,
    SaveGame,
    TimeLeft,
)

from . import absence, ending, joining, restarts
from .budgets import CHARGED
from .clock import Timeout
from .effects import Effect, JoinRefusal, Request, Send
from .events import (
    ClientId,
    ClientLeft,
    ClockTicked,
    EventOfServer,
    GameBrokenOff,
    GameEvent,
    GameLoaded,
    GameRecovered,
    GameSaved,
    MessageReceived,
    SeatPortChosen,
    Seconds,
    SilenceNoted,
)
from .game_state import GameState
from .options import GameOptions, SeatAssignment, ServerPolicy
from .permissions import ANSWERS, SOMETIMES_IGNORED, Handling, strict_refusal
from .seating import ClientRole
from .stages import Cause, Stage


class Game:
    """A game of one variant; a function of its seat assignment and its events."""

    def __init__(
        self,
        variant: Variant,
        options: GameOptions,
        policy: ServerPolicy,
        assignment: SeatAssignment,
    ) -> None:
        self.state: Final = GameState(variant, options, policy, assignment)
        """To be read only."""

    @property
    def stage(self) -> Stage:
        """Return where the game is in its life."""
        return self.state.stage

    @property
    def alarm(self) -> Seconds | None:
        """Return when the game wants a `ClockTicked`; `None` is never."""
        return self.state.clock.alarm

    def ignores(self, event: GameEvent) -> bool:
        """Return whether *event* changes nothing and is not answered.

        A message that its sender may not send now, or the end of a connection of
        which the game knows nothing.
        """
        if isinstance(event, MessageReceived):
            message = type(event.message)
            if message not in SOMETIMES_IGNORED:
                return False
            role = self.state.role_of(event.client)
            return ANSWERS[message].by_role[role] is Handling.IGNORE
        return isinstance(event, ClientLeft) and not _knows(self.state, event.client)

    def handle(self, event: GameEvent, now: Seconds) -> list[Effect]:
        """Handle an event at *now*, and return its effects in order.

        `now` never goes back. A closed game ignores everything.
        """
        state = self.state
        if state.stage is Stage.CLOSED:
            return []
        state.clock.ring_at_once(None)
        if isinstance(event, MessageReceived):
            request = Request(event.client, event.message, event.as_sent, now)
            effects = _receive(state, request)
        else:
            effects = _respond(state, event, now)
        if state.stage in (Stage.PLAYING, Stage.PAUSED):
            effects += _settle(state, now)
        return effects


def _respond(state: GameState, event: EventOfServer, now: Seconds) -> list[Effect]:
    match event:
        case SeatPortChosen(client=client, power=power):
            state.seating.choose(client, power)
            return []
        case ClientLeft(client=client):
            return joining.leave(state, client, now)
        case SilenceNoted():
            return _note_silence(state, event)
        case ClockTicked():
            return _tick(state, now)
        case GameSaved(name=name):
            return [state.to_all(SaveGame(name))]
        case GameLoaded(name=name):
            return restarts.load(state, name, now)
        case GameRecovered():
            return restarts.recover(state, event, now)
        case GameBrokenOff():
            return ending.break_off(state, Cause.BROKEN_OFF, now)
        case _:
            assert_never(event)


def _settle(state: GameState, now: Seconds) -> list[Effect]:
    """Let an agreed draw end the game; else process the turn, if it is over."""
    drawn = ending.agree_draw(state, now)
    if drawn or not state.turn_is_over(now):
        return drawn
    effects = ending.process_turn(state, now)
    if state.turn_is_over(now):
        state.clock.ring_at_once(now)
    return effects


def _note_silence(state: GameState, event: SilenceNoted) -> list[Effect]:
    if not event.is_over:
        state.clock.note_silence(event.client)
        return []
    return _regain_control(state, event.client)


def _regain_control(state: GameState, client: ClientId) -> list[Effect]:
    """Announce NOT (CCD) if *client*, which sent something, is a player in disorder."""
    seat = state.seating.of(client)
    if seat is None or not seat.in_disorder:
        return []
    is_player = state.role_of(client) is ClientRole.PLAYER
    return absence.end_disorder(state, seat.power) if is_player else []


def _knows(state: GameState, client: ClientId) -> bool:
    """Return whether it changes the game that *client* leaves."""
    return (
        state.role_of(client) is not ClientRole.CONNECTED
        or state.seating.chosen_by(client) is not None
        or state.clock.timer.has_requests(client)
    )


def _tick(state: GameState, now: Seconds) -> list[Effect]:
    match state.clock.expired(now):
        case Timeout.POST_GAME:
            return ending.close(state, now)
        case Timeout.ABANDONED:
            return ending.abandon(state, now)
        case Timeout.PAUSE:
            return absence.resume(state, Cause.PAUSE_TOO_LONG, now)
        case Timeout.LOAD:
            return restarts.start_loaded(state, Cause.LOAD_TOO_LONG, now)
        case Timeout.RECOVERY:
            return restarts.end_wait(state, now)
        case None:
            return [*_time_requested(state, now), *joining.leave_hung(state, now)]


def _time_requested(state: GameState, now: Seconds) -> list[Effect]:
    due = state.clock.timer.due(now)
    return [Send((client,), (TimeLeft(seconds),)) for client, seconds in due]


def _receive(state: GameState, request: Request[ClientMessage]) -> list[Effect]:
    client, row = request.client, ANSWERS[type(request.message)]
    state.clock.note_activity(client, request.now)
    refused = strict_refusal(state, request) if state.policy.strict else None
    if refused is not None:
        return request.answer(refused)
    handling = row.by_role[state.role_of(client)]
    if handling is Handling.IGNORE or row.handler is None:
        return []
    if handling is Handling.REJECT:
        return _reject(request, JoinRefusal.ALREADY_JOINED)
    if not _has_room(state, request):
        return _reject(request, JoinRefusal.TOO_MUCH)
    returned = _regain_control(state, client)
    return returned + row.handler(state, request)


def _has_room(state: GameState, request: Request[ClientMessage]) -> bool:
    """Count a message that is charged; return `False` if it must be refused."""
    if type(request.message) not in CHARGED:
        return True
    seat = state.seating.of(request.client)
    if seat is None:
        return state.budgets.take_guest(request.message, request.as_sent, request.now)
    return state.budgets.take_order(seat.power, request.as_sent, request.now)


def _reject(request: Request[ClientMessage], reason: JoinRefusal) -> list[Effect]:
    """Answer REJ; *reason* is why the client may not join, if it asked to."""
    if isinstance(request.message, Name | Observe | Rejoin):
        return request.refuse(reason)
    return request.reject()
