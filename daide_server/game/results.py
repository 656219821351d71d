"""Answers to queries, the results of turns, and the end of the game.

At the end of a turn all clients are sent the same: `ORD... [SCO] [SLO|DRW SMR] NOW
[TME]`. A game that is over still answers for a while; an abandoned game closes
immediately. Message Syntax: MAP, MDF, NOW, SCO, HLO, HST, ORD, MIS, TME, SMR, CCD, DRW,
SLO, OFF.
"""

from daide_server.board.map import Turn
from daide_server.daide import messages as said
from daide_server.daide.tokens import LAST_PLAYED_YEAR
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.records.entries import TurnResolved
from daide_server.records.record import Ending

from .absence import declare_disorder
from .events import Cause, ClientId, CloseClient, Effect, Record, Seconds, Send
from .game_state import GameState, Request
from .turns import agreed_share

# Answers

StateQuery = (
    said.AskMap
    | said.AskMapDefinition
    | said.AskPosition
    | said.AskOwnership
    | said.AskHello
    | said.AskHistory
    | said.AskResults
    | said.AskMissing
    | said.AskTime
)
ServerMessages = tuple[said.ServerMessage, ...]


def answer(state: GameState, request: Request[StateQuery]) -> list[Effect]:
    """Answer a query, or refuse it if there is no answer."""
    answers = _answers(state, request)
    return request.reject() if answers is None else request.answer(*answers)


def _answers(state: GameState, request: Request[StateQuery]) -> ServerMessages | None:
    match request.message:
        case said.AskMap():
            return (said.MapName(state.variant.name),)
        case said.AskMapDefinition():
            return (said.MapDefinition(state.variant.map),)
        case said.AskPosition():
            return (said.CurrentPosition(state.position),)
        case said.AskOwnership():
            return (said.Ownership(state.position.owners),)
        case said.AskHello():
            return (hello(state, request.client),) if state.has_started else None
        case said.AskHistory(turn=turn):
            return _history(state, turn)
        case said.AskResults():
            turns = state.history.latest()
            return tuple(each for turn in turns for each in results(turn)) or None
        case said.AskMissing():
            power = state.seating.by_client[request.client].power
            return (state.turn.missing(power),)
        case said.AskTime():
            return time_left(state, request.now) or None


def hello(state: GameState, client: ClientId) -> said.Hello:
    """Return the HLO of *client*, with UNO and 0 for one without a seat."""
    options = state.options.as_hello()
    seat = state.seating.by_client.get(client)
    if seat is None:
        return said.Hello(None, 0, options)
    return said.Hello(seat.power, seat.passcode, options)


def game_so_far(state: GameState, client: ClientId, now: Seconds) -> ServerMessages:
    """Return what an observer is sent who joins a running or finished game.

    `HLO SCO [SLO|DRW SMR] NOW [TME] [CCD...]`
    """
    absent = tuple(
        said.InDisorder(seat.power) for seat in state.seating if seat.in_disorder
    )
    return (
        hello(state, client),
        said.Ownership(state.position.owners),
        *conclusion(state),
        said.CurrentPosition(state.position),
        *time_left(state, now),
        *(absent if state.is_running else ()),
    )


def time_left(state: GameState, now: Seconds) -> ServerMessages:
    """Return TME, if a deadline is running."""
    seconds = state.clock.seconds_left(now)
    return () if seconds is None else (said.TimeLeft(seconds),)


def results(turn: TurnResolved) -> ServerMessages:
    """Return the ORDs of a turn, in their order."""
    when = turn.position.turn
    return tuple([said.OrderResulted(when, report) for report in turn.reports])


def conclusion(state: GameState) -> ServerMessages:
    """Return SLO or DRW, and SMR, of a game that is over."""
    if state.ending is None:
        return ()
    winners = state.ending.winners
    match state.ending.ending:
        case Ending.SOLO:
            return said.Solo(winners[0]), summary(state)
        case Ending.DRAW | Ending.YEAR_LIMIT | Ending.STALEMATE:
            shared = winners if state.options.has_partial_draws else None
            return said.DrawDeclared(shared), summary(state)
        case Ending.ABORTED:
            return (summary(state),)


def summary(state: GameState) -> said.Summary:
    """Return SMR: the player, the centres and the elimination of each power."""
    players = (
        said.PlayerSummary(
            power=seat.power,
            name=seat.name,
            version=seat.version,
            centres=len(state.position.centres_of(seat.power)),
            eliminated=state.history.eliminated.get(seat.power),
        )
        for seat in map(state.seating.__getitem__, state.variant.map.powers)
    )
    return said.Summary(state.position.turn, tuple(players))


def _history(state: GameState, turn: Turn | None) -> ServerMessages | None:
    """Return ORD, SCO and NOW of *turn*; without a turn, the start of the game."""
    if turn is None:
        start = state.variant.start
        if not state.has_started:
            return None
        return said.Ownership(start.owners), said.CurrentPosition(start)
    played = state.history.turns.get(turn)
    if played is None:
        return None
    after = played.next
    return *results(played), said.Ownership(after.owners), said.CurrentPosition(after)


# The end of a turn, and of the game


def process_turn(state: GameState, now: Seconds) -> list[Effect]:
    """Adjudicate the turn, begin the next or end the game, and send the results."""
    effects = _announce_late(state, now)
    orders = state.turn.accepted()
    resolution = adjudicate(state.variant, state.position, orders, state.rules)
    turn = TurnResolved(
        state.position, orders, resolution.reports, resolution.next, now
    )
    state.history.add(turn, year_ended=resolution.year_ended)
    state.begin_turn(resolution.next)
    effects.append(Record(turn))
    effects += _end_or_continue(state, resolution, now)
    messages = (
        *results(turn),
        *((said.Ownership(state.position.owners),) if resolution.year_ended else ()),
        *conclusion(state),
        said.CurrentPosition(state.position),
        *time_left(state, now),
    )
    return [*effects, state.to_all(*messages)]


def _announce_late(state: GameState, now: Seconds) -> list[Effect]:
    """Declare players in disorder who missed the deadline, if that is the policy."""
    if not (state.policy.late_is_disorder and state.clock.passed(now)):
        return []
    late = state.turn.incomplete(state.present())
    return declare_disorder(state, late)


def _end_or_continue(
    state: GameState, resolution: Resolution, now: Seconds
) -> list[Effect]:
    """End the game by solo, year limit or stalemate, or start the next turn."""
    turn = state.position.turn
    limit = state.policy.year_limit
    last = LAST_PLAYED_YEAR if limit is None else min(limit, LAST_PLAYED_YEAR)
    if resolution.winner is not None:
        return state.end(Cause.SOLO, (resolution.winner,), now)
    if turn.year > last:
        return state.end(Cause.YEAR_LIMIT, state.in_order(state.turn.survivors), now)
    quiet = state.policy.stalemate_years
    if quiet is not None and state.history.quiet_years >= quiet:
        return state.end(Cause.STALEMATE, state.in_order(state.turn.survivors), now)
    state.clock.begin_turn(turn.phase, now)
    return []


def agree_draw(state: GameState, now: Seconds) -> list[Effect]:
    """End the game in a draw, `DRW SMR`, if all needed votes are cast."""
    turn = state.turn
    all_vote = state.policy.vacant_blocks_draw
    voters = turn.survivors if all_vote else state.present()
    share = agreed_share(turn.votes, turn.survivors, voters)
    if share is None:
        return []
    ended = state.end(Cause.DRAW, state.in_order(share), now)
    return [*ended, state.to_all(*conclusion(state))]


def abandon(state: GameState, now: Seconds) -> list[Effect]:
    """End and close a game to which no player has returned."""
    ended = state.end(Cause.ABANDONED, (), now)
    return [*ended, state.to_all(*conclusion(state)), *_close_clients(state)]


def break_off(state: GameState, now: Seconds) -> list[Effect]:
    """End and close a game because the server stops; its clients are sent nothing.

    A game that has not begun, or is over, is left unchanged.
    """
    return state.end(Cause.BROKEN_OFF, (), now) if state.is_running else []


def close(state: GameState, now: Seconds) -> list[Effect]:
    """Close a game whose post-game time is over. Raises `StageError`."""
    state.enter(Cause.POST_GAME_OVER, now)
    return _close_clients(state)


def _close_clients(state: GameState) -> list[Effect]:
    joined = state.joined()
    return [Send(joined, (said.SwitchOff(),)), *map(CloseClient, joined)]
