"""Playing: orders, go flags, draw votes, press, requests for the time.

Message Syntax: SUB, GOF, DRW and TME, each also in NOT; SND, ADM.
`permissions.ANSWERS` has let the message through, so its sender has a seat where that
is needed. Each function changes the state and returns what must happen.
"""

from collections.abc import Collection
from typing import Final

from daide_server.board.names import Power
from daide_server.board.results import OrderNote
from daide_server.language.messages import (
    Admin,
    CancelOrder,
    CancelOrders,
    CancelTime,
    Go,
    OrderNoted,
    PressDelivered,
    RequestTime,
    SendPress,
    ServerMessage,
    SubmitOrders,
    VoteDraw,
    Wait,
    WithdrawDraw,
)
from daide_server.language.press import forwarded
from daide_server.language.text import to_text
from daide_server.records.entries import DrawVoted, PressSent

from . import press_rules
from .effects import Effect, Record, ReportRecordFull, Send
from .game_state import GameState
from .record_growth import press_bytes, vote_bytes
from .request import Request

Limited = (
    SendPress
    | VoteDraw
    | WithdrawDraw
    | SubmitOrders
    | CancelOrder
    | CancelOrders
    | Go
    | Wait
)
"""What a client can add to the record or to the journal at will."""

_OK: Final = OrderNote.OK
"""A name of the module is looked up faster than a member of an enum."""

# Orders


def submit(state: GameState, request: Request[SubmitOrders]) -> list[Effect]:
    """Take orders: THX for each, and MIS if more are due."""
    submission = request.message
    if submission.turn is not None and submission.turn != state.position.turn:
        return request.reject()
    power = state.seating.by_client[request.client].power
    if not state.order_budget.has_room(power, request.as_sent, request.now):
        return _reject_growth(state, request, power)
    orders = state.turn.orders
    notes = orders.submit([each.order for each in submission.orders], power)
    if _OK in notes:
        state.order_budget.spend(power, request.as_sent, request.now)
    noted: list[ServerMessage] = [
        each.accepted if note is _OK else OrderNoted(each.as_sent, note)
        for each, note in zip(submission.orders, notes, strict=True)
    ]
    if not orders.is_complete(power):
        noted.append(orders.missing(power))
    return request.answer(*noted)


def cancel_all(state: GameState, request: Request[CancelOrders]) -> list[Effect]:
    """Take all orders of a power back."""
    power = state.seating.power_of(request.client)
    if not state.order_budget.take(power, request.as_sent, request.now):
        return _reject_growth(state, request, power)
    state.turn.orders.cancel_all(power)
    return request.accept()


def cancel(state: GameState, request: Request[CancelOrder]) -> list[Effect]:
    """Take one order back, if it was given."""
    power = state.seating.power_of(request.client)
    if not state.order_budget.has_room(power, request.as_sent, request.now):
        return _reject_growth(state, request, power)
    if not state.turn.orders.cancel(request.message.order, power):
        return request.reject()
    state.order_budget.spend(power, request.as_sent, request.now)
    return request.accept()


def go(state: GameState, request: Request[Go]) -> list[Effect]:
    """Let the turn be processed early: YES, and MIS if orders are due."""
    power = state.seating.power_of(request.client)
    if not state.order_budget.take(power, request.as_sent, request.now):
        return _reject_growth(state, request, power)
    state.turn.orders.go(power)
    return request.accept(*_missing(state, power))


def wait(state: GameState, request: Request[Wait]) -> list[Effect]:
    """Keep the turn open until the power says GOF, or the deadline."""
    power = state.seating.power_of(request.client)
    if not state.order_budget.take(power, request.as_sent, request.now):
        return _reject_growth(state, request, power)
    state.turn.orders.wait(power)
    return request.accept()


def _missing(state: GameState, power: Power) -> tuple[ServerMessage, ...]:
    is_complete = state.turn.orders.is_complete(power)
    return () if is_complete else (state.turn.orders.missing(power),)


# Draw votes


def vote(state: GameState, request: Request[VoteDraw]) -> list[Effect]:
    """Count a vote for a draw; one that is repeated is not recorded again."""
    return _vote(state, request, request.message.powers)


def withdraw_vote(state: GameState, request: Request[WithdrawDraw]) -> list[Effect]:
    """Take a vote for a draw back; without a vote nothing is recorded."""
    return _vote(state, request, request.message.powers)


def _vote(
    state: GameState,
    request: Request[VoteDraw] | Request[WithdrawDraw],
    listed: Collection[Power] | None,
) -> list[Effect]:
    if not _may_share(state, listed):
        return request.reject()
    power = state.seating.power_of(request.client)
    powers = None if listed is None else tuple(dict.fromkeys(listed))
    share = None if powers is None else frozenset(powers)
    withdrawn = isinstance(request.message, WithdrawDraw)
    if state.turn.votes.has(power, share) is not withdrawn:
        return request.accept()
    if not state.growth.add(power, vote_bytes(powers), request.now):
        return _reject_growth(state, request, power)
    if withdrawn:
        state.turn.votes.withdraw(power, share)
    else:
        state.turn.votes.vote(power, share)
    voted = DrawVoted(power, powers, withdrawn=withdrawn, seconds=request.now)
    return [Record(voted), *request.accept()]


def _reject_growth(
    state: GameState, request: Request[Limited], power: Power
) -> list[Effect]:
    """Refuse what there is no room for, and report that now and then."""
    is_news = state.growth.report(power, request.now)
    return [*([ReportRecordFull(power)] if is_news else []), *request.reject()]


def _may_share(state: GameState, powers: Collection[Power] | None) -> bool:
    """Return whether a draw can be shared by *powers* (PDA); `None` is everybody."""
    if powers is None:
        return True
    share = frozenset(powers)
    may_leave_out = state.options.has_partial_draws
    return may_leave_out and len(share) > 1 and share <= state.turn.survivors


# The time


def request_time(state: GameState, request: Request[RequestTime]) -> list[Effect]:
    """Send a client TME so many seconds before each deadline."""
    timer, seconds = state.clock.timer, request.message.seconds
    possible = timer.request(request.client, seconds, request.now)
    return request.accept() if possible else request.reject()


def cancel_time(state: GameState, request: Request[CancelTime]) -> list[Effect]:
    """Take a request for TME back, or all of a client."""
    known = state.clock.timer.cancel(request.client, request.message.seconds)
    return request.accept() if known else request.reject()


# Press


def send_press(state: GameState, request: Request[SendPress]) -> list[Effect]:
    """Deliver press to its recipients and answer YES; or say why not."""
    press, power = request.message, state.seating.power_of(request.client)
    turn, limit = state.turn, state.options.press_limit
    left = state.clock.timer.left(request.now) if limit else None
    if not (
        press_rules.is_open(state.options, turn.phase, left)
        and press_rules.is_addressed(press, power, turn.position.turn)
    ):
        return request.reject()
    recipients = press.recipients
    if len(recipients) > 1:
        recipients = tuple(dict.fromkeys(recipients))
    seats = state.seating.seats(recipients)
    refusal = press_rules.refusal(seats, turn.survivors)
    if refusal is not None:
        return request.answer(refusal)
    content = forwarded(press.content, state.options.level)
    text = to_text(content, state.vocabulary)
    # All of them survive, and the sender is none of them.
    size = press_bytes(text, recipients, len(turn.survivors) - 1)
    if not state.growth.add(power, size, request.now):
        return _reject_growth(state, request, power)
    readers = tuple([seat.client for seat in seats if seat.client is not None])
    delivered = PressDelivered(power, press.recipients, content)
    return [
        Record(PressSent(power, recipients, text, request.now)),
        *request.accept(),
        Send(readers, (delivered,)),
    ]


def forward(state: GameState, request: Request[Admin]) -> list[Effect]:
    """Forward ADM to everybody, its sender too, if the server's policy allows it."""
    if not state.policy.admin_allowed:
        return request.reject()
    everybody = dict.fromkeys((*state.joined(), request.client))
    return [Send(tuple(everybody), (request.message,))]
