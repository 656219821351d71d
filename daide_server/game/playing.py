"""Playing: orders, go flags, votes, press, requests about time.

Message Syntax: SUB, NOT (SUB), GOF, DRW, TME, SND. The answers table has already
let the message through. Each function changes the state and returns what must
happen.
"""

from typing import assert_never

from daide_server.board.names import Power
from daide_server.language.messages import (
    Accepted,
    CancelOrder,
    CancelOrders,
    CancelTime,
    Go,
    OrderNoted,
    PressDelivered,
    Rejected,
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
from daide_server.language.tokens import Tokens
from daide_server.records.entries import DrawVoted, PressSent

from . import post
from .effects import Effect, Record, Tell
from .events import MessageReceived, Seconds
from .state import GameState

Ordering = SubmitOrders | CancelOrders | CancelOrder | Go | Wait
Voting = VoteDraw | WithdrawDraw
Timing = RequestTime | CancelTime


def order(
    state: GameState, power: Power, said: Ordering, as_sent: Tokens
) -> tuple[ServerMessage, ...]:
    """Return what answers an order, its withdrawal, or a go flag."""
    desk = state.desk
    match said:
        case SubmitOrders():
            return _submit(state, power, said, as_sent)
        case CancelOrders():
            desk.cancel_all(power)
            return (Accepted(as_sent),)
        case CancelOrder(order=cancelled):
            done = desk.cancel(cancelled, power)
            return (Accepted(as_sent) if done else Rejected(as_sent),)
        case Go():
            desk.go(power)
            missing = () if desk.is_complete(power) else (desk.missing(power),)
            return Accepted(as_sent), *missing
        case Wait():
            desk.wait(power)
            return (Accepted(as_sent),)
        case _:
            assert_never(said)


def _submit(
    state: GameState, power: Power, said: SubmitOrders, as_sent: Tokens
) -> tuple[ServerMessage, ...]:
    if said.turn is not None and said.turn != state.position.turn:
        return (Rejected(as_sent),)
    desk, written = state.desk, said.orders
    notes = desk.submit([order.order for order in written], power)
    noted = [
        OrderNoted(order.as_sent, note)
        for order, note in zip(written, notes, strict=True)
    ]
    missing = () if desk.is_complete(power) else (desk.missing(power),)
    return *noted, *missing


def vote(
    state: GameState, power: Power, said: Voting, heard: MessageReceived, now: Seconds
) -> list[Effect]:
    """Count a vote for a draw, or take one back."""
    share = None if said.powers is None else frozenset(said.powers)
    withdrawn = isinstance(said, WithdrawDraw)
    if share is not None and not _may_share(state, share):
        return [Tell((heard.client,), (Rejected(heard.as_sent),))]
    count = state.votes.withdraw if withdrawn else state.votes.vote
    count(power, share)
    voted = DrawVoted(power, said.powers, withdrawn, now)
    return [Record(voted), Tell((heard.client,), (Accepted(heard.as_sent),))]


def _may_share(state: GameState, share: frozenset[Power]) -> bool:
    may_leave_out = state.options.has_partial_draws
    return may_leave_out and len(share) > 1 and share <= state.survivors


def time(
    state: GameState, said: Timing, heard: MessageReceived, now: Seconds
) -> ServerMessage:
    """Return what answers a request to be told the time, or its withdrawal."""
    deadlines = state.deadlines
    match said:
        case RequestTime(seconds=seconds):
            done = deadlines.request(heard.client, seconds, now)
        case CancelTime(seconds=seconds):
            done = deadlines.cancel(heard.client, seconds)
    return Accepted(heard.as_sent) if done else Rejected(heard.as_sent)


def send_press(
    state: GameState,
    power: Power,
    said: SendPress,
    heard: MessageReceived,
    now: Seconds,
) -> list[Effect]:
    """Deliver press, or say why not: to its sender and its recipients in one step."""
    refusal = _press_refusal(state, power, said, heard, now)
    if refusal is not None:
        return [Tell((heard.client,), (refusal,))]
    seats = [state.seating[to] for to in dict.fromkeys(said.recipients)]
    readers = tuple(seat.client for seat in seats if seat.client is not None)
    content = forwarded(said.content, state.options.level)
    text = to_text(content, state.vocabulary)
    delivered = PressDelivered(power, said.recipients, content)
    return [
        Record(PressSent(power, said.recipients, text, now)),
        Tell((heard.client,), (Accepted(heard.as_sent),)),
        Tell(readers, (delivered,)),
    ]


def _press_refusal(
    state: GameState,
    power: Power,
    said: SendPress,
    heard: MessageReceived,
    now: Seconds,
) -> ServerMessage | None:
    turn = state.position.turn
    left = state.deadlines.left(now)
    open_now = post.is_open(state.options, turn.phase, left)
    if not (open_now and post.is_addressed(said, power, turn)):
        return Rejected(heard.as_sent)
    absent = {seat.power for seat in state.seating if seat.in_disorder}
    return post.refusal(said, state.survivors, absent)
