"""Answers that follow from the state of the game and change nothing.

Message Syntax: MAP, MDF, NOW, SCO, HLO, HST, ORD, MIS, TME, SMR.
"""

from collections.abc import Iterator

from daide_server.board.names import Power
from daide_server.board.turns import Phase, Turn
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

from .events import ClientId, Seconds
from .state import GameState

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


def answer(
    state: GameState, question: StateQuery, client: ClientId, now: Seconds
) -> ServerMessages | None:
    """Return what answers *question*, or `None` where it is refused."""
    match question:
        case AskMap():
            return (MapName(state.variant.name),)
        case AskMapDefinition():
            return (MapDefinition(state.variant.map),)
        case AskPosition():
            return (CurrentPosition(state.position),)
        case AskOwnership():
            return (Ownership(state.position.owners),)
        case AskHello():
            return (hello(state, client),) if state.has_started else None
        case AskHistory(turn=turn):
            return _history(state, turn)
        case AskResults():
            return _latest_results(state)
        case AskMissing():
            seat = state.seating.of(client)
            return None if seat is None else (state.desk.missing(seat.power),)
        case AskTime():
            seconds = state.deadlines.running(now)
            return None if seconds is None else (TimeLeft(seconds),)


def hello(state: GameState, client: ClientId) -> Hello:
    """Return the HLO of *client*; one without a seat is told UNO and 0."""
    options = state.options.as_hello()
    seat = state.seating.of(client)
    if seat is None:
        return Hello(None, 0, options)
    return Hello(seat.power, seat.passcode, options)


def welcome(state: GameState, client: ClientId, now: Seconds) -> ServerMessages:
    """Return what an observer gets that joins a game in progress, or after it."""
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
    seconds = state.deadlines.running(now)
    return () if seconds is None else (TimeLeft(seconds),)


def results(turn: TurnResolved) -> ServerMessages:
    """Return the ORDs of a turn, in their order."""
    when = turn.position.turn
    return tuple(OrderResulted(when, report) for report in turn.reports)


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
    """Return SMR: who played what, and how it stands."""
    players = (
        PlayerSummary(
            power=seat.power,
            name=seat.name,
            version=seat.version,
            centres=len(state.position.centres_of(seat.power)),
            eliminated=state.eliminated.get(seat.power),
        )
        for seat in map(state.seating.__getitem__, _powers(state))
    )
    return Summary(state.position.turn, tuple(players))


def _powers(state: GameState) -> tuple[Power, ...]:
    return state.variant.map.powers


def _history(state: GameState, turn: Turn | None) -> ServerMessages | None:
    if turn is None:
        start = state.variant.start
        if not state.has_started:
            return None
        return Ownership(start.owners), CurrentPosition(start)
    for played in state.history:
        if played.position.turn == turn:
            after = played.next
            return *results(played), Ownership(after.owners), CurrentPosition(after)
    return None


def _latest_results(state: GameState) -> ServerMessages | None:
    turns = tuple(_since_movement(state))
    found = tuple(message for turn in reversed(turns) for message in results(turn))
    return found or None


def _since_movement(state: GameState) -> Iterator[TurnResolved]:
    for played in reversed(state.history):
        yield played
        if played.position.turn.phase is Phase.MOVEMENT:
            return
