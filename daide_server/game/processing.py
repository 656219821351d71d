"""The end of a turn and of the game.

The order of the messages is `ORD... [SCO] [SLO|DRW SMR] NOW [TME]`, the same for
everybody; a draw that is agreed by votes is `DRW SMR` at once.
"""

from daide_server.board.names import Power
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.language.messages import (
    CurrentPosition,
    InDisorder,
    Ownership,
    ServerMessage,
    SwitchOff,
)
from daide_server.records.entries import Ended, Ending, TurnResolved

from .answers import conclusion, results, time_left
from .effects import CloseClient, Effect, Record, Tell
from .events import Seconds
from .stages import Stage
from .state import GameState


def process_turn(state: GameState, now: Seconds) -> list[Effect]:
    """Adjudicate the turn, go on to the next or end the game, and tell everybody."""
    effects = _announce_late(state, now)
    orders = state.desk.orders()
    resolution = adjudicate(state.variant, state.position, orders, state.rules)
    turn = TurnResolved(
        state.position, orders, resolution.reports, resolution.next, now
    )
    state.history.append(turn)
    state.begin_turn(resolution.next)
    if resolution.year_ended:
        _note_eliminations(state, turn.position.turn.year)
    ended = _ending(state, resolution, now)
    if ended is None:
        state.deadlines.begin(state.position.turn.phase, now)
    told: tuple[ServerMessage, ...] = (
        *results(turn),
        *((Ownership(state.position.owners),) if resolution.year_ended else ()),
        *conclusion(state),
        CurrentPosition(state.position),
        *time_left(state, now),
    )
    return [*effects, Record(turn), *(ended or ()), Tell(state.audience(), told)]


def _announce_late(state: GameState, now: Seconds) -> list[Effect]:
    """Declare those in disorder that let the deadline pass, if that is the rule."""
    if not (state.policy.late_is_disorder and state.deadlines.passed(now)):
        return []
    effects: list[Effect] = []
    for power in sorted(state.present(), key=state.variant.map.power_index.__getitem__):
        seat = state.seating[power]
        if not seat.in_disorder and not state.desk.is_complete(power):
            seat.in_disorder = True
            effects.append(Tell(state.audience(), (InDisorder(power),)))
    return effects


def _note_eliminations(state: GameState, year: int) -> None:
    owners = set(state.position.owners.values())
    for power in state.variant.map.powers:
        if power in owners:
            state.eliminated.pop(power, None)
        else:
            state.eliminated.setdefault(power, year)


def _ending(
    state: GameState, resolution: Resolution, now: Seconds
) -> list[Effect] | None:
    if resolution.winner is not None:
        return end(state, Ending.SOLO, (resolution.winner,), now)
    limit = state.policy.year_limit
    if limit is not None and state.position.turn.year > limit:
        return end(state, Ending.YEAR_LIMIT, _in_order(state, state.survivors), now)
    return None


def _in_order(state: GameState, powers: frozenset[Power]) -> tuple[Power, ...]:
    return tuple(power for power in state.variant.map.powers if power in powers)


def end(
    state: GameState, ending: Ending, winners: tuple[Power, ...], now: Seconds
) -> list[Effect]:
    """End the game; it still answers for a while."""
    state.ending = Ended(ending, winners, state.position, now)
    state.enter(Stage.ENDED)
    state.deadlines.end()
    state.wakes_at = now + state.policy.post_game_seconds
    return [Record(state.ending)]


def agree_draw(state: GameState, now: Seconds) -> list[Effect]:
    """End the game in a draw as soon as all that are asked have voted for it."""
    asked = state.survivors if state.policy.vacant_blocks_draw else state.present()
    share = state.votes.agreed(state.survivors, asked)
    if share is None:
        return []
    effects = end(state, Ending.DRAW, _in_order(state, share), now)
    return [*effects, Tell(state.audience(), conclusion(state))]


def abandon(state: GameState, now: Seconds) -> list[Effect]:
    """End a game that nobody has come back to, for good."""
    effects = end(state, Ending.ABORTED, (), now)
    return [*effects, Tell(state.audience(), conclusion(state)), *close(state)]


def close(state: GameState) -> list[Effect]:
    """Send everybody off and close; the game is gone after that."""
    state.enter(Stage.CLOSED)
    state.wakes_at = None
    joined = state.joined()
    return [Tell(joined, (SwitchOff(),)), *(CloseClient(client) for client in joined)]
