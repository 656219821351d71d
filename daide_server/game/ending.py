"""The end of a game, and its close.

Message Syntax: DRW, SLO, SMR, OFF. A game that is over still answers for a while; an
abandoned one closes at once.
"""

from collections.abc import Mapping
from typing import Final

from daide_server.board.names import Power
from daide_server.language.messages import SwitchOff
from daide_server.records.entries import Ended, Ending

from .answers import conclusion
from .effects import CloseClient, Effect, Record, Send
from .events import Seconds
from .game_state import GameState
from .stages import Cause

ENDINGS: Final[Mapping[Cause, Ending]] = {
    Cause.SOLO: Ending.SOLO,
    Cause.DRAW: Ending.DRAW,
    Cause.YEAR_LIMIT: Ending.YEAR_LIMIT,
    Cause.ABANDONED: Ending.ABORTED,
    Cause.NOBODY_RETURNED: Ending.ABORTED,
    Cause.BROKEN_OFF: Ending.ABORTED,
}
"""How the record calls the end that a cause brings."""


def end(
    state: GameState, cause: Cause, winners: tuple[Power, ...], now: Seconds
) -> list[Effect]:
    """End the game. Raises `StageError` if *cause* cannot end it now."""
    ended = Ended(ENDINGS[cause], winners, state.position, now)
    state.enter_ending(cause, ended)
    return [Record(ended)]


def agree_draw(state: GameState, now: Seconds) -> list[Effect]:
    """End the game in a draw, `DRW SMR`, if all needed votes are cast."""
    turn = state.turn
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
