"""What each line of a bot does in a game."""

from typing import assert_never

from daide_server.daide import messages
from daide_server.daide.commands import FREE_TEXT_LEVEL
from daide_server.daide.tokens import HST, Tokens, text_tokens
from daide_server.daide.vocabulary import from_text
from daide_server.usage import TurnUsage

from . import line_types, order_desk
from .line_game import Effects, LineGame, mark_of, refusal
from .line_types import AnswerLine, FromBot, NotedLine
from .wording import phase_name, turn_named


def take(  # noqa: C901 - a table of lines
    game: LineGame, line: FromBot, now: float
) -> Effects:
    """Return the effects of *line*; raises `ValueError` if it is invalid."""
    match line:
        case line_types.BotOrders():
            return _orders(game, line, now)
        case line_types.BotUndo():
            return _undo(game, line)
        case line_types.BotPress():
            return _press(game, line)
        case line_types.BotDraw():
            powers = line.powers
            shared = None if powers is None else game.wording.powers_named(powers)
            vote = messages.VoteDraw if line.on else messages.WithdrawDraw
            return game.ask(vote(shared), _request("draw", line))
        case line_types.BotWait():
            game.waits = True
            return game.ask(messages.Wait(), _request("wait", line))
        case line_types.BotGo():
            game.waits = False
            return game.ask(messages.Go(), _request("go", line))
        case line_types.BotTime():
            return _time(game, line)
        case line_types.BotAsk():
            return _ask(game, line)
        case line_types.BotAdmin():
            request = _request("admin", line, order_desk.Question.ADMIN)
            return game.ask(messages.Admin(game.ready.name, line.text), request)
        case line_types.BotDaide():
            return _daide(game, line)
        case line_types.BotLeave() | line_types.BotReady():
            raise AssertionError("the session takes them")
        case _:
            assert_never(line)


def late_orders(game: LineGame, line: line_types.BotOrders, reason: str) -> Effects:
    """Note all orders of *line* as late."""
    turn = game.position.turn
    phase = phase_name(turn) if line.phase is None else line.phase
    notes = {text: order_desk.refused(order_desk.LATE, reason) for text in line.orders}
    return [NotedLine(phase, notes, late=True, id=mark_of(line))]


def _orders(game: LineGame, line: line_types.BotOrders, now: float) -> Effects:
    current = game.position.turn
    turn = current if line.phase is None else turn_named(line.phase)
    game.filling.note_orders(turn.phase, now if turn == current else None)
    used = TurnUsage(phase_name(turn), len(line.orders), line.usage)
    if turn != current:
        reason = f"the turn is {phase_name(current)}"
        return [used, *late_orders(game, line, reason)]
    return [used, *game.submit(game.desk.submission(line.orders, mark_of(line)))]


def _undo(game: LineGame, line: line_types.BotUndo) -> Effects:
    if not game.desk.is_player:
        raise ValueError("an observer has no orders")
    named = map(game.desk.order_named, line.orders or ())
    orders = [order for order in named if order is not None]
    if line.orders is not None and len(orders) != len(line.orders):
        raise ValueError("found a convoy without fleets")
    cancels: list[messages.ClientMessage] = [*map(messages.CancelOrder, orders)] or [
        messages.CancelOrders()
    ]
    undoing = order_desk.Undoing([*orders] or [None])
    effects: Effects = []
    for cancel in cancels:
        request = _request("undo", line)
        request.undoing = undoing
        effects += game.ask(cancel, request)
    return effects


def _press(game: LineGame, line: line_types.BotPress) -> Effects:
    current = game.position.turn
    turn = None if line.phase is None else turn_named(line.phase)
    if turn not in {None, current}:
        reason = f"the turn is {phase_name(current)}"
        return [refusal("press", line, order_desk.LATE, reason)]
    if (line.daide is None) == (line.text is None):
        raise ValueError("press needs either daide or text")
    if line.text is not None and game.level < FREE_TEXT_LEVEL:
        reason = (
            f"text needs level {FREE_TEXT_LEVEL}, and this game has level {game.level}"
        )
        return [refusal("press", line, "LVL", reason)]
    to = game.wording.powers_named(line.to)
    if not to:
        raise ValueError("press needs somebody in to")
    request = _request("press", line)
    request.recipients = to
    return game.ask(messages.SendPress(turn, to, _content(game, line)), request)


def _content(game: LineGame, line: line_types.BotPress) -> Tokens:
    found: Tokens = ()
    if line.daide is not None:
        found = from_text(line.daide, game.vocabulary)
    elif line.text is not None:
        found = text_tokens(line.text)
    if not found:
        raise ValueError("found press that is empty")
    return found


def _time(game: LineGame, line: line_types.BotTime) -> Effects:
    message: messages.ClientMessage
    if not line.on:
        message, question = messages.CancelTime(line.at), None
    elif line.at is not None:
        message, question = messages.RequestTime(line.at), None
    else:
        message, question = messages.AskTime(), order_desk.Question.TIME
    return game.ask(message, _request("time", line, question))


def _ask(game: LineGame, line: line_types.BotAsk) -> Effects:
    match line.what:
        case "missing":
            request = _request("ask", line, order_desk.Question.MISSING)
            return game.ask(messages.AskMissing(), request)
        case "history":
            return _ask_history(game, line)
        case "results":
            return [_results(game, line)]
        case "position":
            state = game.wording.state(game.position)
            data = {"phase": phase_name(game.position.turn), "state": state}
            return [AnswerLine("ask", ok=True, data=data, id=mark_of(line))]


def _ask_history(game: LineGame, line: line_types.BotAsk) -> Effects:
    if line.phase is None:
        raise ValueError("history needs a phase")
    request = _request("ask", line, order_desk.Question.HISTORY)
    return game.ask(messages.AskHistory(turn_named(line.phase)), request)


def _results(game: LineGame, line: line_types.BotAsk) -> AnswerLine:
    reports = game.facts.reports
    if not reports or game.reported is None:
        return refusal("ask", line, order_desk.REFUSED, "no results are known")
    found = game.wording.results(game.reported, reports)
    data = {"phase": found.phase, "orders": found.orders, "results": found.results}
    return AnswerLine("ask", ok=True, data=data, id=mark_of(line))


def _daide(game: LineGame, line: line_types.BotDaide) -> Effects:
    tokens = from_text(line.text, game.vocabulary)
    if not tokens:
        raise ValueError("found a message that is empty")
    question = order_desk.Question.HISTORY if tokens[0] == HST else None
    return game.ask_in_tokens(tokens, _request("daide", line, question))


def _request(
    to: str, line: line_types.BotLine, question: order_desk.Question | None = None
) -> order_desk.LineRequest:
    return order_desk.LineRequest(to=to, id=mark_of(line), question=question)


def failure(line: FromBot, error: ValueError) -> AnswerLine:
    """Return the answer to a line that is invalid in this game."""
    to = type(line).__struct_config__.tag
    return refusal(str(to), line, order_desk.NOT_UNDERSTOOD, str(error))
