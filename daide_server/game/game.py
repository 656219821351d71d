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

from . import absence, ending, joining, loading, processing, recovery, strictness
from .charges import CHARGED, is_above_limit
from .clock import Timeout
from .effects import Effect, Send
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
from .handlers import HANDLERS
from .options import GameOptions, SeatAssignment, ServerPolicy
from .permissions import ANSWERS, SOMETIMES_IGNORED, ClientRole, Handling
from .refusals import JoinRefusal
from .request import Request
from .stages import Cause, Stage

# Looking up a member of an enum takes longer than a name of the module.
_CLOSED: Final = Stage.CLOSED
_GOING_ON: Final = (Stage.PLAYING, Stage.PAUSED)
_IGNORE: Final = Handling.IGNORE
_REJECT: Final = Handling.REJECT
_PLAYER: Final = ClientRole.PLAYER


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
            return ANSWERS[message][self.state.role_of(event.client)] is _IGNORE
        return isinstance(event, ClientLeft) and not _knows(self.state, event.client)

    def handle(self, event: GameEvent, now: Seconds) -> list[Effect]:
        """Handle an event at *now*, and return its effects in order.

        `now` never goes back. A closed game ignores everything.
        """
        state = self.state
        if state.stage is _CLOSED:
            return []
        state.clock.ring_at_once(None)
        if isinstance(event, MessageReceived):
            request = Request(event.client, event.message, event.as_sent, now)
            effects = _receive(state, request)
        else:
            effects = _respond(state, event, now)
        if state.stage in _GOING_ON and (
            state.turn.votes.are_cast or state.turn_is_over(now)
        ):
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
            return loading.load(state, name, now)
        case GameRecovered():
            return recovery.recover(state, event, now)
        case GameBrokenOff():
            return ending.break_off(state, Cause.BROKEN_OFF, now)
        case _:
            assert_never(event)


def _settle(state: GameState, now: Seconds) -> list[Effect]:
    """Let an agreed draw end the game; else process the turn, if it is over."""
    drawn = ending.agree_draw(state, now) if state.turn.votes.are_cast else []
    if drawn or not state.turn_is_over(now):
        return drawn
    effects = processing.process_turn(state, now)
    if state.turn_is_over(now):
        state.clock.ring_at_once(now)
    return effects


def _note_silence(state: GameState, event: SilenceNoted) -> list[Effect]:
    if not event.is_over:
        state.clock.note_silence(event.client)
        return []
    seat = state.seating.of(event.client)
    if seat is None or state.role_of_seat(seat) is not ClientRole.PLAYER:
        return []
    return absence.end_disorder(state, seat.power)


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
            return loading.go_on(state, Cause.LOAD_TOO_LONG, now)
        case Timeout.RECOVERY:
            return recovery.end_wait(state, now)
        case None:
            return [*_time_requested(state, now), *joining.leave_hung(state, now)]


def _time_requested(state: GameState, now: Seconds) -> list[Effect]:
    due = state.clock.timer.due(now)
    return [Send((client,), (TimeLeft(seconds),)) for client, seconds in due]


def _receive(state: GameState, request: Request[ClientMessage]) -> list[Effect]:
    client, message = request.client, type(request.message)
    if state.clock.counts_silence:
        state.clock.note_activity(client, request.now)
    if state.policy.strict:
        refused = strictness.refusal(state, request)
        if refused is not None:
            return request.answer(refused)
    seat = state.seating.by_client.get(client)
    role = state.role_of(client) if seat is None else state.role_of_seat(seat)
    handling = ANSWERS[message][role]
    if handling is _IGNORE:
        return []
    if handling is _REJECT:
        return _reject(request, JoinRefusal.ALREADY_JOINED)
    if message in CHARGED and is_above_limit(state, request):
        return _reject(request, JoinRefusal.TOO_MUCH)
    if seat is not None and seat.in_disorder and role is _PLAYER:
        # A player that was late is back in control when it sends something.
        returned = absence.end_disorder(state, seat.power)
        return returned + HANDLERS[message](state, request)
    return HANDLERS[message](state, request)


def _reject(request: Request[ClientMessage], reason: JoinRefusal) -> list[Effect]:
    """Answer REJ; *reason* is why the client may not join, if it asked to."""
    if isinstance(request.message, Name | Observe | Rejoin):
        return request.refuse(reason)
    return request.reject()
