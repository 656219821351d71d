"""The end of a turn, of a game, and its close.

Everybody is sent the same results: `ORD... [SCO] [SLO|DRW SMR] NOW [TME]`.
A game that is over still answers for a while; an abandoned one closes immediately.
Message Syntax: ORD, SCO, NOW, TME, CCD, DRW, SLO, SMR, OFF.
"""

from collections.abc import Mapping
from typing import Final

from daide_server.board.names import Power
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.language.messages import CurrentPosition, Ownership, SwitchOff
from daide_server.language.tokens import MAX_NUMBER
from daide_server.records.entries import Ended, Ending, TurnResolved

from .absence import declare_disorder
from .answers import conclusion, results, time_left
from .effects import CloseClient, Effect, Record, Send
from .events import Seconds
from .game_state import GameState
from .stages import Cause

LAST_PLAYED_YEAR: Final = MAX_NUMBER - 1
"""The last year that is played, whatever the policy says: the turn after it is the last
that NOW and SMR can name, because numbers of the language have 14 bits."""

ENDINGS: Final[Mapping[Cause, Ending]] = {
    Cause.SOLO: Ending.SOLO,
    Cause.DRAW: Ending.DRAW,
    Cause.YEAR_LIMIT: Ending.YEAR_LIMIT,
    Cause.ABANDONED: Ending.ABORTED,
    Cause.NOBODY_RETURNED: Ending.ABORTED,
    Cause.BROKEN_OFF: Ending.ABORTED,
}
"""How the record calls the end that a cause brings."""


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
    effects += _end_or_continue(state, resolution, now)
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
    late = state.turn.orders.incomplete(state.present())
    return declare_disorder(state, late)


def _end_or_continue(
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


def end(
    state: GameState, cause: Cause, winners: tuple[Power, ...], now: Seconds
) -> list[Effect]:
    """End the game. Raises `StageError` if *cause* cannot end it now."""
    ended = Ended(ENDINGS[cause], winners, state.position, now)
    state.enter(cause, now)
    state.ending = ended
    return [Record(ended)]


def agree_draw(state: GameState, now: Seconds) -> list[Effect]:
    """End the game in a draw, `DRW SMR`, if all needed votes are cast."""
    turn = state.turn
    if not turn.votes.are_cast:
        return []
    all_vote = state.policy.vacant_blocks_draw
    voters = turn.survivors if all_vote else state.present()
    share = turn.votes.agreed(turn.survivors, voters)
    if share is None:
        return []
    ended = end(state, Cause.DRAW, state.in_order(share), now)
    return [*ended, state.to_all(*conclusion(state))]


def abandon(state: GameState, now: Seconds) -> list[Effect]:
    """End and close a game to which no player has returned."""
    ended = end(state, Cause.ABANDONED, (), now)
    return [*ended, state.to_all(*conclusion(state)), *_close_clients(state)]


def break_off(state: GameState, cause: Cause, now: Seconds) -> list[Effect]:
    """End and close a game for the server's sake; its clients are sent nothing.

    A game that has not begun, or is over, stays as it is.
    """
    return end(state, cause, (), now) if state.is_running else []


def close(state: GameState, now: Seconds) -> list[Effect]:
    """Close a game whose post-game time is over. Raises `StageError`."""
    state.enter(Cause.POST_GAME_OVER, now)
    return _close_clients(state)


def _close_clients(state: GameState) -> list[Effect]:
    joined = state.joined()
    return [Send(joined, (SwitchOff(),)), *map(CloseClient, joined)]
