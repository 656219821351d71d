"""One game: events in, effects out.

`Game.handle` is the only way in, and the effects it returns are the only way
out. Who may say what is looked up in `stages.ANSWERS`; what follows from an event
(a draw, the end of a turn) is settled in one place after it. One event processes
at most one turn: if the next is already complete, the alarm is at once.
"""

from typing import assert_never

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.language.messages import (
    AcceptMap,
    Admin,
    AnswerSave,
    BackInControl,
    CancelOrder,
    CancelOrders,
    CancelTime,
    Complaint,
    Go,
    Name,
    Observe,
    RefuseLoad,
    RefuseMap,
    Rejected,
    Rejoin,
    RequestTime,
    SaveGame,
    SendPress,
    ServerMessage,
    SubmitOrders,
    TimeLeft,
    VoteDraw,
    Wait,
    WithdrawDraw,
)

from . import joining, loading, pausing, playing, processing, strictness
from .answers import answer
from .effects import Effect, Tell
from .events import (
    ClientId,
    ClientLeft,
    ClockTicked,
    GameEvent,
    GameLoaded,
    GameSaved,
    MessageReceived,
    Seconds,
)
from .options import GameOptions, SeatAssignment, ServerPolicy
from .stages import ANSWERS, ClientRole, Handling, Stage
from .state import GameState


class Game:
    """A game of one variant; a function of its lot and the events it is given."""

    def __init__(
        self,
        variant: Variant,
        options: GameOptions,
        policy: ServerPolicy,
        assignment: SeatAssignment,
    ) -> None:
        self._state = GameState(variant, options, policy, assignment)
        self._alarm: Seconds | None = None

    @property
    def stage(self) -> Stage:
        """Return where the game is in its life."""
        return self._state.stage

    @property
    def state(self) -> GameState:
        """Return the state, to be looked at."""
        return self._state

    @property
    def alarm(self) -> Seconds | None:
        """Return when the game wants a `ClockTicked`; `None` is never."""
        return self._alarm

    def handle(self, event: GameEvent, now: Seconds) -> list[Effect]:
        """Take in what happened at *now* and return what must happen, in order.

        `now` never goes back.
        """
        if self._state.stage is Stage.CLOSED:
            return []
        match event:
            case MessageReceived():
                effects = self._hear(event, now)
            case ClientLeft(client=client):
                effects = joining.leave(self._state, client, now)
            case ClockTicked():
                effects = self._tick(now)
            case GameSaved(name=name):
                effects = [Tell(self._state.audience(), (SaveGame(name),))]
            case GameLoaded(name=name):
                effects = loading.load(self._state, name, now)
            case _:
                assert_never(event)
        effects += self._settle(now)
        self._alarm = self._next_alarm(now)
        return effects

    def _settle(self, now: Seconds) -> list[Effect]:
        """Draw what follows: an agreed draw before the orders are looked at."""
        state = self._state
        if not state.is_running or state.loading is not None:
            return []
        drawn = processing.agree_draw(state, now)
        if drawn or not state.turn_is_over(now):
            return drawn
        return processing.process_turn(state, now)

    def _next_alarm(self, now: Seconds) -> Seconds | None:
        state = self._state
        if state.turn_is_over(now):
            return now
        wakes_at, due = state.wakes_at, state.deadlines.alarm
        if wakes_at is None or due is None:
            return due if wakes_at is None else wakes_at
        return min(wakes_at, due)

    def _tick(self, now: Seconds) -> list[Effect]:
        state = self._state
        if state.wakes_at is not None and now >= state.wakes_at:
            if state.stage is Stage.ENDED:
                return processing.close(state)
            if state.loading is not None:
                return loading.go_on(state, now)
            if state.present():
                return pausing.end_pause(state, now)
            return processing.abandon(state, now)
        return [
            Tell((client,), (TimeLeft(seconds),))
            for client, seconds in state.deadlines.due(now)
        ]

    def _hear(self, heard: MessageReceived, now: Seconds) -> list[Effect]:
        state = self._state
        if state.policy.takeover_after is not None:
            state.last_heard[heard.client] = now
        if state.policy.strict:
            fault = strictness.fault(state, heard)
            if fault is not None:
                return _say(heard.client, fault)
        standing = state.standing(heard.client)
        match ANSWERS[type(heard.message)][standing.value]:
            case Handling.IGNORE:
                return []
            case Handling.REJECT:
                return _say(heard.client, Rejected(heard.as_sent))
            case Handling.HANDLE:
                returned = self._returned(heard.client, standing)
                return returned + self._respond(heard, now)

    def _returned(self, client: ClientId, standing: ClientRole) -> list[Effect]:
        """Take a player that was late back into control when it speaks."""
        seat = self._state.seating.of(client)
        if standing is not ClientRole.PLAYER or seat is None or not seat.in_disorder:
            return []
        seat.in_disorder = False
        return [Tell(self._state.audience(), (BackInControl(seat.power),))]

    def _respond(self, heard: MessageReceived, now: Seconds) -> list[Effect]:
        state, client, as_sent = self._state, heard.client, heard.as_sent
        match heard.message:
            case Name() | Observe() | Rejoin() | AcceptMap() | RefuseMap() as said:
                return joining.join(state, client, said, as_sent, now)
            case (
                SubmitOrders() | CancelOrders() | CancelOrder() | Go() | Wait()
            ) as said:
                power = self._power(client)
                return _say(client, *playing.order(state, power, said, as_sent))
            case VoteDraw() | WithdrawDraw() as said:
                power = self._power(client)
                return playing.vote(state, power, said, heard, now)
            case SendPress() as said:
                power = self._power(client)
                return playing.send_press(state, power, said, heard, now)
            case RequestTime() | CancelTime() as said:
                return _say(client, playing.time(state, said, heard, now))
            case Admin() as said:
                return self._forward(client, said, heard)
            case RefuseLoad():
                return loading.refuse(state, client, now)
            case AnswerSave() | Complaint():
                return []
            case question:
                answers = answer(state, question, client, now)
                return _say(client, *(answers or (Rejected(as_sent),)))

    def _forward(
        self, client: ClientId, said: Admin, heard: MessageReceived
    ) -> list[Effect]:
        if not self._state.policy.admin_allowed:
            return _say(client, Rejected(heard.as_sent))
        everybody = dict.fromkeys((*self._state.joined(), client))
        return [Tell(tuple(everybody), (said,))]

    def _power(self, client: ClientId) -> Power:
        """Return the power of a client that the answers table knows as a player."""
        seat = self._state.seating.of(client)
        assert seat is not None
        return seat.power


def _say(client: ClientId, *messages: ServerMessage) -> list[Effect]:
    return [Tell((client,), messages)] if messages else []
