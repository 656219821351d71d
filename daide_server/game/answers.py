"""Answers that follow from the state of the game and change nothing.

Message Syntax: MAP, MDF, NOW, SCO, HLO, HST, ORD, MIS, TME, SMR.
"""

from daide_server.board.turns import Turn
from daide_server.language.messages import (
    AskHello,
    AskHistory,
    AskMap,
    AskMapDefinition,
    AskMissing,
    AskOwnership,
    AskPosition,
    AskResults,
    AskTime,
    CurrentPosition,
    DrawDeclared,
    Hello,
    InDisorder,
    MapDefinition,
    MapName,
    OrderResulted,
    Ownership,
    PlayerSummary,
    ServerMessage,
    Solo,
    Summary,
    TimeLeft,
)
from daide_server.records.entries import Ending, TurnResolved

from .effects import Effect, Request
from .events import ClientId, Seconds
from .game_state import GameState

StateQuery = (
    AskMap
    | AskMapDefinition
    | AskPosition
    | AskOwnership
    | AskHello
    | AskHistory
    | AskResults
    | AskMissing
    | AskTime
)
ServerMessages = tuple[ServerMessage, ...]


def answer(state: GameState, request: Request[StateQuery]) -> list[Effect]:
    """Answer a question, or refuse it if there is no answer."""
    answers = _answers(state, request)
    return request.reject() if answers is None else request.answer(*answers)


def _answers(state: GameState, request: Request[StateQuery]) -> ServerMessages | None:
    match request.message:
        case AskMap():
            return (MapName(state.variant.name),)
        case AskMapDefinition():
            return (MapDefinition(state.variant.map),)
        case AskPosition():
            return (CurrentPosition(state.position),)
        case AskOwnership():
            return (Ownership(state.position.owners),)
        case AskHello():
            return (hello(state, request.client),) if state.has_started else None
        case AskHistory(turn=turn):
            return _history(state, turn)
        case AskResults():
            return _latest_results(state) or None
        case AskMissing():
            power = state.seating.power_of(request.client)
            return (state.turn.orders.missing(power),)
        case AskTime():
            return time_left(state, request.now) or None


def hello(state: GameState, client: ClientId) -> Hello:
    """Return the HLO of *client*, with UNO and 0 for one without a seat."""
    options = state.options.as_hello()
    seat = state.seating.of(client)
    if seat is None:
        return Hello(None, 0, options)
    return Hello(seat.power, seat.passcode, options)


def game_so_far(state: GameState, client: ClientId, now: Seconds) -> ServerMessages:
    """Return what an observer gets that joins a game in progress, or after it.

    `HLO SCO [SLO|DRW SMR] NOW [TME] [CCD...]`
    """
    absent = tuple(InDisorder(seat.power) for seat in state.seating if seat.in_disorder)
    return (
        hello(state, client),
        Ownership(state.position.owners),
        *conclusion(state),
        CurrentPosition(state.position),
        *time_left(state, now),
        *(absent if state.is_running else ()),
    )


def time_left(state: GameState, now: Seconds) -> ServerMessages:
    """Return TME, if a deadline is running."""
    seconds = state.clock.timer.running(now)
    return () if seconds is None else (TimeLeft(seconds),)


def results(turn: TurnResolved) -> ServerMessages:
    """Return the ORDs of a turn, in their order."""
    when = turn.position.turn
    return tuple([OrderResulted(when, report) for report in turn.reports])


def conclusion(state: GameState) -> ServerMessages:
    """Return SLO or DRW, and SMR, of a game that is over."""
    if state.ending is None:
        return ()
    winners = state.ending.winners
    match state.ending.ending:
        case Ending.SOLO:
            return Solo(winners[0]), summary(state)
        case Ending.DRAW | Ending.YEAR_LIMIT:
            shared = winners if state.options.has_partial_draws else None
            return DrawDeclared(shared), summary(state)
        case Ending.ABORTED:
            return (summary(state),)


def summary(state: GameState) -> Summary:
    """Return SMR: the player, the centres and the elimination of each power."""
    players = (
        PlayerSummary(
            power=seat.power,
            name=seat.name,
            version=seat.version,
            centres=len(state.position.centres_of(seat.power)),
            eliminated=state.history.year_of_elimination(seat.power),
        )
        for seat in map(state.seating.__getitem__, state.variant.map.powers)
    )
    return Summary(state.position.turn, tuple(players))


def _history(state: GameState, turn: Turn | None) -> ServerMessages | None:
    """Return ORD, SCO and NOW of *turn*; without a turn, the start of the game."""
    if turn is None:
        start = state.variant.start
        if not state.has_started:
            return None
        return Ownership(start.owners), CurrentPosition(start)
    played = state.history.find(turn)
    if played is None:
        return None
    after = played.next
    return *results(played), Ownership(after.owners), CurrentPosition(after)


def _latest_results(state: GameState) -> ServerMessages:
    """Return the ORDs of the latest movement turn and of what followed it."""
    turns = state.history.latest()
    return tuple(message for turn in turns for message in results(turn))
