"""One game: events in, effects out, and who may send what.

`Game.handle` is the only way in, and the effects it returns are the only way out. The
consequences of an event (a draw, the end of a turn) are computed in one place after it.
One event processes at most one turn: if the next is complete too, the alarm is now.

`ANSWERS` is the table "answer by client state": one row for each message, one column
for each `ClientRole`. It is compared with our reading of DAIDE's documents
(`tests/data/daide/answers.csv`). A strict server asks `strict_refusal` first: Message
Syntax, appendix, the column of levels, where OBS is any client; Level 10, eliminated
powers must not be named in press.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, assert_never

from daide_server.board.map import Variant
from daide_server.daide import messages as said
from daide_server.daide.press import eliminated_index
from daide_server.daide.translation import marked

from . import absence, events, joining, playing, results
from .budgets import CHARGED
from .clock import Timeout
from .events import Cause, Stage
from .game_state import GameState, Request
from .options import GameOptions, SeatAssignment, ServerPolicy

# Who may send what

M = TypeVar("M", bound=said.ClientMessage)
Handler = Callable[[GameState, Request[Any]], list[events.Effect]]
"""Changes the state, and returns the effects of a message.

`Any`, because only `_row` can say that each handler takes the message of its key.
"""


def reject(_: GameState, request: Request[said.ClientMessage]) -> list[events.Effect]:
    """Answer REJ: a client in this role may not send the message, or join again."""
    if isinstance(request.message, said.Name | said.Observe | said.Rejoin):
        return request.refuse(events.JoinRefusal.ALREADY_JOINED)
    return request.reject()


def ignore(
    _state: GameState, _request: Request[said.ClientMessage]
) -> list[events.Effect]:
    """Give no answer to a message that the game does not need."""
    return []


def _row(
    message: type[M],
    handler: Callable[[GameState, Request[M]], list[events.Effect]],
    cells: str,
) -> tuple[type[object], tuple[Handler, ...]]:
    words: dict[str, Handler] = {"ok": handler, "REJ": reject, "-": ignore}
    return message, tuple(words[cell] for cell in cells.split())


# fmt: off
ANSWERS: Mapping[type[object], tuple[Handler, ...]] = dict((
    #                                         con join play elim obs post load
    _row(said.Name, joining.take_seat,            "ok  REJ REJ REJ REJ REJ REJ"),
    _row(said.Observe, joining.observe,           "ok  REJ REJ REJ REJ REJ REJ"),
    _row(said.Rejoin, joining.rejoin,             "ok  REJ REJ REJ REJ REJ ok"),
    _row(said.AskMap, results.answer,             "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskMapDefinition, results.answer,   "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskOwnership, results.answer,       "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskPosition, results.answer,        "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.AskHello, results.answer,           "ok  REJ ok  ok  ok  ok  ok"),
    _row(said.AskHistory, results.answer,         "ok  REJ ok  ok  ok  ok  ok"),
    _row(said.AskResults, results.answer,         "ok  REJ ok  ok  ok  ok  ok"),
    _row(said.AcceptMap, joining.accept_map,      "-   ok  -   -   ok  ok  ok"),
    _row(said.RefuseMap, joining.refuse_map,      "-   ok  -   -   ok  ok  ok"),
    _row(said.SubmitOrders, playing.submit,       "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.CancelOrders, playing.cancel_all,   "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.CancelOrder, playing.cancel,        "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.AskMissing, results.answer,         "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.Go, playing.go,                     "REJ REJ ok  ok  REJ REJ REJ"),
    _row(said.Wait, playing.wait,                 "REJ REJ ok  REJ REJ REJ REJ"),
    _row(said.VoteDraw, playing.vote,             "REJ REJ ok  REJ REJ REJ REJ"),
    _row(said.WithdrawDraw, playing.vote,         "REJ REJ ok  REJ REJ REJ REJ"),
    _row(said.AskTime, results.answer,            "ok  ok  ok  ok  ok  REJ ok"),
    _row(said.RequestTime, playing.request_time,  "ok  ok  ok  ok  ok  REJ ok"),
    _row(said.CancelTime, playing.cancel_time,    "ok  ok  ok  ok  ok  ok  ok"),
    _row(said.SendPress, playing.send_press,      "REJ REJ ok  REJ REJ REJ REJ"),
    # ADM reaches everybody in the game, so only they may send it.
    _row(said.Admin, playing.forward,             "REJ ok  ok  ok  ok  ok  REJ"),
    _row(said.AnswerSave, ignore,                 "-   -   -   -   -   -   -"),
    _row(said.RefuseLoad, absence.refuse,         "-   -   -   -   -   -   ok"),
    _row(said.Complaint, ignore,                  "-   -   -   -   -   -   -"),
))
# fmt: on

PLAYERS_ONLY = (
    said.AskHello,
    said.AskResults,
    said.CancelOrder,
    said.CancelOrders,
    said.CancelTime,
    said.Wait,
    said.WithdrawDraw,
)
"""Messages that the appendix allows only to players, though its prose allows queries of
anybody."""


def strict_refusal(
    state: GameState, request: Request[said.ClientMessage]
) -> said.SyntaxRefused | None:
    """Return the HUH that a strict server answers; `None` if nothing is wrong."""
    place = _fault_place(state, request)
    return None if place is None else marked(request.as_sent, place)


def _fault_place(state: GameState, request: Request[said.ClientMessage]) -> int | None:
    message = request.message
    if isinstance(message, said.SendPress) and state.has_started:
        powers, survivors = state.vocabulary.power_tokens, state.turn.survivors
        eliminated = {
            token for power, token in powers.items() if power not in survivors
        }
        inside = eliminated_index(message.content, eliminated)
        # The press is the last part, before the close bracket.
        before = len(request.as_sent) - len(message.content) - 1
        return None if inside is None else before + inside
    is_player = request.client in state.seating.by_client
    return 0 if isinstance(message, PLAYERS_ONLY) and not is_player else None


# The game

DECIDING = (Stage.PLAYING, Stage.PAUSED)
"""The stages in which a draw can be agreed, or a turn can end."""


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
        """Read only."""

    def ignores(self, event: events.GameEvent) -> bool:
        """Return whether *event* changes nothing and is not answered."""
        if isinstance(event, events.MessageReceived):
            row = ANSWERS[type(event.message)]
            return ignore in row and row[self.state.role_of(event.client)] is ignore
        return isinstance(event, events.ClientLeft) and not _knows(
            self.state, event.client
        )

    def handle(
        self, event: events.GameEvent, now: events.Seconds
    ) -> list[events.Effect]:
        """Handle an event at *now*, which never decreases; return effects in order."""
        state = self.state
        if state.stage is Stage.CLOSED:
            return []
        state.clock.immediate = None
        if isinstance(event, events.MessageReceived):
            request = Request(event.client, event.message, event.as_sent, now)
            effects = _receive(state, request)
        else:
            effects = _respond(state, event, now)
        if state.stage in DECIDING:
            effects += _settle(state, now)
        return effects


def _respond(
    state: GameState, event: events.EventOfServer, now: events.Seconds
) -> list[events.Effect]:
    match event:
        case events.SeatPortChosen(client=client, power=power):
            state.seating.chosen[client] = power
            return []
        case events.ClientLeft(client=client):
            return joining.leave(state, client, now)
        case events.SilenceNoted(client=client, is_over=True):
            return _regain_control(state, client)
        case events.SilenceNoted(client=client):
            state.clock.note_silence(client)
            return []
        case events.ClockTicked():
            return _tick(state, now)
        case events.GameSaved(name=name):
            return [state.to_all(said.SaveGame(name))]
        case events.GameLoaded(name=name):
            return absence.load(state, name, now)
        case events.GameRecovered():
            return absence.recover(state, event, now)
        case events.GameBrokenOff():
            return results.break_off(state, now)
        case _:
            assert_never(event)


def _settle(state: GameState, now: events.Seconds) -> list[events.Effect]:
    """End the game if a draw is agreed; else process the turn if it is over."""
    drawn = results.agree_draw(state, now) if state.turn.votes else []
    if drawn or not state.turn_is_over(now):
        return drawn
    effects = results.process_turn(state, now)
    if state.turn_is_over(now):
        state.clock.immediate = now
    return effects


def _regain_control(state: GameState, client: events.ClientId) -> list[events.Effect]:
    """Announce NOT (CCD) if *client*, which sent something, is a player in disorder."""
    seat = state.seating.by_client.get(client)
    if seat is None or not seat.in_disorder:
        return []
    is_player = state.role_of(client) is events.ClientRole.PLAYER
    return absence.end_disorder(state, seat.power) if is_player else []


def _knows(state: GameState, client: events.ClientId) -> bool:
    """Return whether it changes the game if *client* leaves."""
    return (
        state.role_of(client) is not events.ClientRole.CONNECTED
        or client in state.seating.chosen
        or bool(state.clock.requests.get(client))
    )


def _tick(state: GameState, now: events.Seconds) -> list[events.Effect]:
    match state.clock.expired(now):
        case Timeout.POST_GAME:
            return results.close(state, now)
        case Timeout.ABANDONED:
            return results.abandon(state, now)
        case Timeout.PAUSE:
            return absence.resume(state, Cause.PAUSE_TOO_LONG, now)
        case Timeout.LOAD:
            return absence.start_loaded(state, Cause.LOAD_TOO_LONG, now)
        case Timeout.RECOVERY:
            return absence.end_wait(state, now)
        case None:
            times = [
                events.Send((client,), (said.TimeLeft(seconds),))
                for client, seconds in state.clock.due(now)
            ]
            return [*times, *joining.leave_hung(state, now)]


def _receive(
    state: GameState, request: Request[said.ClientMessage]
) -> list[events.Effect]:
    client, kind = request.client, type(request.message)
    state.clock.note_activity(client, request.now)
    refused = strict_refusal(state, request) if state.policy.strict else None
    if refused is not None:
        return request.answer(refused)
    handler = ANSWERS[kind][state.role_of(client)]
    if handler is ignore or handler is reject:
        return handler(state, request)
    if kind in CHARGED and not _has_room(state, request):
        handler = playing.refuse_growth
    seat = state.seating.by_client.get(client)
    if seat is None or not seat.in_disorder:
        return handler(state, request)
    return _regain_control(state, client) + handler(state, request)


def _has_room(state: GameState, request: Request[said.ClientMessage]) -> bool:
    """Count a message against its budget; return `False` if it must be refused."""
    seat = state.seating.by_client.get(request.client)
    if seat is None:
        return state.budgets.take_guest(request.message, request.as_sent, request.now)
    return state.budgets.take_order(seat.power, request.as_sent, request.now)
