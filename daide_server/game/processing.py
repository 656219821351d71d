"""The end of a turn.

Message Syntax: ORD, SCO, NOW, TME, CCD. The order of the messages is
`ORD... [SCO] [SLO|DRW SMR] NOW [TME]`, the same for everybody.
"""

from typing import Final

from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.language.messages import CurrentPosition, Ownership
from daide_server.language.tokens import MAX_NUMBER
from daide_server.records.entries import TurnResolved

from .absence import declare_disorder
from .answers import conclusion, results, time_left
from .effects import Effect, Record
from .ending import end
from .events import Seconds
from .game_state import GameState
from .stages import Cause

LAST_PLAYED_YEAR: Final = MAX_NUMBER - 1
"""The last year that is played, whatever the policy says: the turn after it is the last
that NOW and SMR can name, because numbers of the language have 14 bits."""


def process_turn(state: GameState, now: Seconds) -> list[Effect]:
    """Adjudicate the turn, begin the next or end the game, and send the results."""
    effects = _announce_late(state, now)
    orders = state.turn.orders.accepted()
    resolution = adjudicate(state.variant, state.position, orders, state.rules)
    turn = TurnResolved(
        state.position, orders, resolution.reports, resolution.next, now
    )
    state.history.add(turn)
    state.begin_turn(resolution.next)
    effects.append(Record(turn))
    if resolution.year_ended:
        state.history.end_year(turn)
    effects += _end_or_go_on(state, resolution, now)
    messages = (
        *results(turn),
        *((Ownership(state.position.owners),) if resolution.year_ended else ()),
        *conclusion(state),
        CurrentPosition(state.position),
        *time_left(state, now),
    )
    return [*effects, state.to_all(*messages)]


def _announce_late(state: GameState, now: Seconds) -> list[Effect]:
    """Declare players in disorder who missed the deadline, if that is the policy."""
    if not (state.policy.late_is_disorder and state.clock.timer.passed(now)):
        return []
    effects: list[Effect] = []
    for power in state.in_order(state.present()):
        if not state.turn.orders.is_complete(power):
            effects += declare_disorder(state, power)
    return effects


def _end_or_go_on(
    state: GameState, resolution: Resolution, now: Seconds
) -> list[Effect]:
    """End the game by a solo or the year limit, or start the clock of the next turn."""
    turn = state.position.turn
    limit = state.policy.year_limit
    last = LAST_PLAYED_YEAR if limit is None else min(limit, LAST_PLAYED_YEAR)
    if resolution.winner is not None:
        return end(state, Cause.SOLO, (resolution.winner,), now)
    if turn.year > last:
        return end(state, Cause.YEAR_LIMIT, state.in_order(state.turn.survivors), now)
    state.clock.begin_turn(turn.phase, now)
    return []
