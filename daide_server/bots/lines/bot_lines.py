"""What each line of a bot does in a game."""

from typing import assert_never

from daide_server.board.map import Turn
from daide_server.language.messages import (
    Admin,
    AskHistory,
    AskMissing,
    CancelOrder,
    CancelOrders,
    CancelTime,
    ClientMessage,
    Go,
    RequestTime,
    SendPress,
    VoteDraw,
    Wait,
    WithdrawDraw,
)
from daide_server.language.messages import AskTime as AskTimeLeft
from daide_server.language.text import from_text
from daide_server.language.tokens import HST, Tokens, text_tokens
from daide_server.usage import TurnUsage

from . import from_bot
from .from_bot import FromBot
from .line_game import (
    FREE_TEXT_LEVEL,
    LeaveGame,
    LineEffect,
    LineGame,
    TellBot,
    mark_of,
    refusal,
)
from .order_desk import (
    LATE,
    NOT_UNDERSTOOD,
    REFUSED,
    LineRequest,
    Question,
    Undoing,
    refused,
)
from .to_bot import AnswerLine, NotedLine
from .wording import phase_name, turn_named


def take(  # noqa: C901, PLR0912 - a table of lines
    game: LineGame, line: FromBot, now: float
) -> list[LineEffect]:
    """Return what follows from *line*; raises `ValueError` if it says nothing."""
    match line:
        case from_bot.BotOrders():
            return _orders(game, line, now)
        case from_bot.BotUndo():
            return _undo(game, line)
        case from_bot.BotPress():
            return _press(game, line)
        case from_bot.BotDraw():
            powers = line.powers
            shared = None if powers is None else game.wording.powers_named(powers)
            vote = VoteDraw(shared) if line.on else WithdrawDraw(shared)
            return game.ask(vote, _request("draw", line))
        case from_bot.BotWait():
            game.waits = True
            return game.ask(Wait(), _request("wait", line))
        case from_bot.BotGo():
            game.waits = False
            return game.ask(Go(), _request("go", line))
        case from_bot.BotTime():
            return _time(game, line)
        case from_bot.BotAsk():
            return _ask(game, line)
        case from_bot.BotAdmin():
            request = _request("admin", line, Question.ADMIN)
            return game.ask(Admin(game.ready.name, line.text), request)
        case from_bot.BotDaide():
            return _daide(game, line)
        case from_bot.BotLeave():
            return [LeaveGame()]
        case from_bot.BotReady():
            message = "found a second ready line"
            raise ValueError(message)
        case _:
            assert_never(line)


def late_orders(
    game: LineGame, line: from_bot.BotOrders, reason: str
) -> list[LineEffect]:
    """Note all orders of *line* as late."""
    turn = game.position.turn
    phase = phase_name(turn) if line.phase is None else line.phase
    notes = {text: refused(LATE, reason) for text in line.orders}
    return [TellBot(NotedLine(phase, notes, late=True, id=mark_of(line)))]


def _orders(game: LineGame, line: from_bot.BotOrders, now: float) -> list[LineEffect]:
    current = game.position.turn
    turn = current if line.phase is None else turn_named(line.phase)
    game.filling.note_orders(turn.phase, now if turn == current else None)
    used = TurnUsage(phase_name(turn), len(line.orders), line.usage)
    if turn != current:
        reason = f"the turn is {phase_name(current)}"
        return [used, *late_orders(game, line, reason)]
    return [used, *game.submit(game.desk.submission(line.orders, line.id))]


def _undo(game: LineGame, line: from_bot.BotUndo) -> list[LineEffect]:
    if not game.desk.is_player:
        message = "an observer has no orders"
        raise ValueError(message)
    named = map(game.desk.order_named, line.orders or ())
    orders = [order for order in named if order is not None]
    if line.orders is not None and len(orders) != len(line.orders):
        message = "found a convoy without fleets"
        raise ValueError(message)
    cancels: list[ClientMessage] = [*map(CancelOrder, orders)] or [CancelOrders()]
    undoing = Undoing([*orders] or [None])
    effects: list[LineEffect] = []
    for cancel in cancels:
        request = _request("undo", line)
        request.undoing = undoing
        effects += game.ask(cancel, request)
    return effects


def _press(game: LineGame, line: from_bot.BotPress) -> list[LineEffect]:
    current = game.position.turn
    turn = None if line.phase is None else turn_named(line.phase)
    if turn not in {None, current}:
        reason = f"the turn is {phase_name(current)}"
        return [refusal("press", line, LATE, reason)]
    if (line.daide is None) == (line.text is None):
        message = "press needs either daide or text"
        raise ValueError(message)
    if line.text is not None and game.level < FREE_TEXT_LEVEL:
        reason = (
            f"text needs level {FREE_TEXT_LEVEL}, and this game has level {game.level}"
        )
        return [refusal("press", line, "LVL", reason)]
    to = game.wording.powers_named(line.to)
    if not to:
        message = "press needs somebody in to"
        raise ValueError(message)
    request = _request("press", line)
    request.recipients = to
    return game.ask(SendPress(turn, to, _content(game, line)), request)


def _content(game: LineGame, line: from_bot.BotPress) -> Tokens:
    found: Tokens = ()
    if line.daide is not None:
        found = from_text(line.daide, game.vocabulary)
    elif line.text is not None:
        found = text_tokens(line.text)
    if not found:
        message = "found press that is empty"
        raise ValueError(message)
    return found


def _time(game: LineGame, line: from_bot.BotTime) -> list[LineEffect]:
    message: ClientMessage
    if not line.on:
        message, question = CancelTime(line.at), None
    elif line.at is not None:
        message, question = RequestTime(line.at), None
    else:
        message, question = AskTimeLeft(), Question.TIME
    return game.ask(message, _request("time", line, question))


def _ask(game: LineGame, line: from_bot.BotAsk) -> list[LineEffect]:
    match line.what:
        case "missing":
            return game.ask(AskMissing(), _request("ask", line, Question.MISSING))
        case "history":
            return _ask_history(game, line)
        case "results":
            return [_results(game, line)]
        case "position":
            state = game.wording.state(game.position)
            data = {"phase": phase_name(game.position.turn), "state": state}
            return [TellBot(AnswerLine("ask", ok=True, data=data, id=mark_of(line)))]


def _ask_history(game: LineGame, line: from_bot.BotAsk) -> list[LineEffect]:
    if line.phase is None:
        message = "history needs a phase"
        raise ValueError(message)
    turn: Turn = turn_named(line.phase)
    return game.ask(AskHistory(turn), _request("ask", line, Question.HISTORY))


def _results(game: LineGame, line: from_bot.BotAsk) -> TellBot:
    reports = game.facts.reports
    if not reports or game.reported is None:
        return refusal("ask", line, REFUSED, "no results are known")
    found = game.wording.results(game.reported, reports)
    data = {"phase": found.phase, "orders": found.orders, "results": found.results}
    return TellBot(AnswerLine("ask", ok=True, data=data, id=mark_of(line)))


def _daide(game: LineGame, line: from_bot.BotDaide) -> list[LineEffect]:
    tokens = from_text(line.text, game.vocabulary)
    if not tokens:
        message = "found a message that is empty"
        raise ValueError(message)
    question = Question.HISTORY if tokens[0] == HST else None
    return game.ask_in_tokens(tokens, _request("daide", line, question))


def _request(
    to: str,
    line: from_bot.BotLine,
    question: Question | None = None,
) -> LineRequest:
    return LineRequest(to=to, tokens=(), id=mark_of(line), question=question)


def failure(line: FromBot, error: ValueError) -> TellBot:
    """Return the answer to a line that says nothing in this game."""
    to = type(line).__struct_config__.tag
    return refusal(str(to), line, NOT_UNDERSTOOD, str(error))
