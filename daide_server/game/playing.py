"""Playing: orders, go flags, draw votes, requests for the time, press.

`game.ANSWERS` has admitted the message, so its sender has a seat where one is needed.
Each function changes the state and returns effects. Message Syntax: SUB, GOF, DRW and
TME, each also in NOT; SND, ADM; Level 10: FRM, CCD, OUT, and the options PTL, NPR, NPB.
"""

from collections.abc import Collection, Container

from daide_server.board.map import Phase
from daide_server.board.names import Power
from daide_server.daide import messages as said
from daide_server.daide.press import forwarded
from daide_server.daide.vocabulary import to_text
from daide_server.records.entries import DrawVoted, PressSent

from .budgets import press_bytes, vote_bytes
from .events import Effect, JoinRefusal, Record, ReportRecordFull, Send
from .game_state import GameState, Request, Seat
from .options import GameOptions

# Orders


def submit(state: GameState, request: Request[said.SubmitOrders]) -> list[Effect]:
    """Take orders: THX for each, and MIS if more are due."""
    submission = request.message
    power = state.seating.by_client[request.client].power
    if submission.turn is not None and submission.turn != state.position.turn:
        state.budgets.return_order(power, request.as_sent)
        return request.reject()
    turn = state.turn
    refused = turn.refused
    noted = turn.submit(submission.orders, power)
    if turn.refused - refused == len(noted):
        state.budgets.return_order(power, request.as_sent)
    return request.answer(*noted, *_missing(state, power))


def cancel_all(state: GameState, request: Request[said.CancelOrders]) -> list[Effect]:
    """Withdraw all orders of a power."""
    state.turn.cancel_all(state.seating.by_client[request.client].power)
    return request.accept()


def cancel(state: GameState, request: Request[said.CancelOrder]) -> list[Effect]:
    """Withdraw one order, if it was given."""
    power = state.seating.by_client[request.client].power
    if not state.turn.cancel(request.message.order, power):
        state.budgets.return_order(power, request.as_sent)
        return request.reject()
    return request.accept()


def go(state: GameState, request: Request[said.Go]) -> list[Effect]:
    """Set the go flag of a power: YES, and MIS if orders are due."""
    power = state.seating.by_client[request.client].power
    state.turn.go(power)
    return request.accept(*_missing(state, power))


def wait(state: GameState, request: Request[said.Wait]) -> list[Effect]:
    """Keep the turn open until the power says GOF, or the deadline."""
    state.turn.wait(state.seating.by_client[request.client].power)
    return request.accept()


def _missing(state: GameState, power: Power) -> tuple[said.ServerMessage, ...]:
    is_complete = state.turn.is_complete(power)
    return () if is_complete else (state.turn.missing(power),)


# Draw votes


def vote(
    state: GameState, request: Request[said.VoteDraw | said.WithdrawDraw]
) -> list[Effect]:
    """Count or withdraw a vote for a draw; record it if that changes anything."""
    listed = request.message.powers
    if not _may_share(state, listed):
        return request.reject()
    power = state.seating.by_client[request.client].power
    powers = None if listed is None else tuple(dict.fromkeys(listed))
    cast = power, None if powers is None else frozenset(powers)
    votes, withdrawn = state.turn.votes, isinstance(request.message, said.WithdrawDraw)
    if (cast in votes) is not withdrawn:
        return request.accept()
    if not state.budgets.record(power, vote_bytes(powers), request.now):
        return refuse_growth(state, request)
    if withdrawn:
        votes.remove(cast)
    else:
        votes.add(cast)
    voted = DrawVoted(power, powers, withdrawn=withdrawn, seconds=request.now)
    return [Record(voted), *request.accept()]


def refuse_growth(
    state: GameState, request: Request[said.ClientMessage]
) -> list[Effect]:
    """Refuse a message that exceeds a limit of the record or the journal."""
    seat = state.seating.by_client.get(request.client)
    if isinstance(request.message, said.Observe):
        return request.refuse(JoinRefusal.TOO_MUCH)
    if seat is None or not state.budgets.should_report(seat.power, request.now):
        return request.reject()
    return [ReportRecordFull(seat.power), *request.reject()]


def _may_share(state: GameState, powers: Collection[Power] | None) -> bool:
    """Return whether a draw can be shared by *powers* (PDA); `None` means everybody."""
    if powers is None:
        return True
    share = frozenset(powers)
    may_leave_out = state.options.has_partial_draws
    return may_leave_out and len(share) > 1 and share <= state.turn.survivors


def request_time(state: GameState, request: Request[said.RequestTime]) -> list[Effect]:
    """Send a client TME the given number of seconds before each deadline."""
    seconds = request.message.seconds
    possible = state.clock.request(request.client, seconds, request.now)
    return request.accept() if possible else request.reject()


def cancel_time(state: GameState, request: Request[said.CancelTime]) -> list[Effect]:
    """Withdraw a request for TME, or all requests of a client."""
    known = state.clock.cancel(request.client, request.message.seconds)
    return request.accept() if known else request.reject()


# Press


def send_press(state: GameState, request: Request[said.SendPress]) -> list[Effect]:
    """Deliver press to its recipients and answer YES; or answer why not."""
    press, power = request.message, state.seating.by_client[request.client].power
    turn, limit = state.turn, state.options.press_limit
    left = state.clock.left(request.now) if limit else None
    if not (
        may_send_press(state.options, turn.phase, left)
        and power not in press.recipients
        and press.turn in {None, turn.position.turn}
    ):
        return request.reject()
    recipients = tuple(dict.fromkeys(press.recipients))
    seats = state.seating.seats(recipients)
    refusal = press_refusal(seats, turn.survivors)
    if refusal is not None:
        return request.answer(refusal)
    content = forwarded(press.content, state.options.level)
    text = to_text(content, state.vocabulary)
    # All of them survive, and the sender is none of them.
    size = press_bytes(text, recipients, len(turn.survivors) - 1)
    if not state.budgets.record(power, size, request.now):
        return refuse_growth(state, request)
    readers = tuple([seat.client for seat in seats if seat.client is not None])
    delivered = said.PressDelivered(power, press.recipients, content)
    return [
        Record(PressSent(power, recipients, text, request.now)),
        *request.accept(),
        Send(readers, (delivered,)),
    ]


def may_send_press(
    options: GameOptions, phase: Phase, seconds_left: float | None
) -> bool:
    """Return whether press may be sent; `seconds_left` is `None` without a deadline."""
    limit = options.press_limit
    if limit and phase is Phase.MOVEMENT:
        return seconds_left is None or seconds_left > limit
    if options.no_retreat_press and phase is Phase.RETREATS:
        return False
    return not (options.no_build_press and phase is Phase.ADJUSTMENTS)


def press_refusal(
    recipients: Collection[Seat], survivors: Container[Power]
) -> said.ServerMessage | None:
    """Return OUT or CCD for the first of *recipients* that cannot receive press."""
    for seat in recipients:
        if seat.power not in survivors:
            return said.Out(seat.power)
    for seat in recipients:
        if seat.in_disorder:
            return said.InDisorder(seat.power)
    return None


def forward(state: GameState, request: Request[said.Admin]) -> list[Effect]:
    """Forward ADM to all, including its sender, if the server's policy allows it."""
    if not state.policy.admin_allowed:
        return request.reject()
    everybody = dict.fromkeys((*state.joined(), request.client))
    return [Send(tuple(everybody), (request.message,))]
