"""Notes and answers of the server, each for the line of the bot that it belongs to."""

from msgspec.structs import replace

from daide_server.board.position import Position
from daide_server.classes import frozen
from daide_server.language.messages import (
    Accepted,
    BracketsRefused,
    CurrentPosition,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    OrderNoted,
    OrderResulted,
    Ownership,
    Rejected,
    ServerMessage,
    SyntaxRefused,
)

from . import to_bot
from .line_effects import LineEffect, TellBot
from .line_game import LineGame
from .line_submission import LATE, REFUSED, LineSubmission, refused
from .requests import LineRequest, Question, Undoing
from .to_bot import AnswerLine

MissingMessage = MissingUnits | MissingRetreats | MissingAdjustments


@frozen
class AnswerRefusal:
    """Why something was refused: a code, and words."""

    code: str
    message: str


# Orders


def order_noted(game: LineGame, noted: OrderNoted) -> list[LineEffect]:
    """Note one order; the bot hears of it when all of its line are noted."""
    for request in game.requests.waiting:
        if not isinstance(request, LineSubmission):
            continue
        for sent in request.waiting:
            if sent.tokens == noted.as_sent:
                game.desk.note(request, sent, noted.note)
                return [] if request.waiting else _all_noted(game, request)
    return game.untold(noted)


def _all_noted(game: LineGame, submission: LineSubmission) -> list[LineEffect]:
    game.requests.waiting.remove(submission)
    return [TellBot(submission.line())] if submission.to else []


def missing(game: LineGame, message: MissingMessage) -> list[LineEffect]:
    """Tell what is missing: as the answer to `ask`, or as news."""
    line = _missing_line(game, message)
    request = game.requests.take_question(Question.MISSING)
    if request is None:
        return [TellBot(line)]
    fields = {"units": line.units, "count": line.count}
    data = {name: each for name, each in fields.items() if isinstance(each, list | int)}
    return [TellBot(AnswerLine("ask", ok=True, data=data, id=request.id))]


def _missing_line(game: LineGame, message: MissingMessage) -> to_bot.MissingLine:
    match message:
        case MissingUnits(units=units):
            return to_bot.MissingLine(units=[*map(game.wording.unit_text, units)])
        case MissingRetreats(retreats=retreats):
            return to_bot.MissingLine(units=[*map(game.wording.unit_text, retreats)])
        case MissingAdjustments(number=number):
            return to_bot.MissingLine(count=abs(number))


# Answers


def accepted(
    game: LineGame, message: Accepted, request: LineRequest | None
) -> list[LineEffect]:
    """Answer the line for which *request* was made: it is accepted."""
    if request is None:
        return game.untold(message)
    if request.undoing is not None:
        return _undone(game, request, request.undoing, is_refused=False)
    return answer(request)


def message_refused(
    game: LineGame,
    message: Rejected | BracketsRefused | SyntaxRefused,
    request: LineRequest | None,
    why: AnswerRefusal,
) -> list[LineEffect]:
    """Answer the line for which *request* was made: it is refused."""
    if request is None:
        return game.untold(message)
    if isinstance(request, LineSubmission):
        return _submission_refused(game, request, why)
    if request.undoing is not None:
        return _undone(game, request, request.undoing, is_refused=True)
    return answer(request, why)


def _submission_refused(
    game: LineGame, submission: LineSubmission, why: AnswerRefusal
) -> list[LineEffect]:
    is_late = submission.position.turn != game.position.turn
    submission.note_all(refused(LATE if is_late else why.code, why.message))
    return [TellBot(submission.line(late=is_late))] if submission.to else []


def _undone(
    game: LineGame, request: LineRequest, undoing: Undoing, *, is_refused: bool
) -> list[LineEffect]:
    """Note one order that was taken back, or was not; answer after the last one."""
    order = undoing.waiting.pop(0)
    if is_refused:
        undoing.refused += 1
    else:
        game.desk.forget(order)
    if undoing.waiting:
        return []
    if not undoing.refused:
        return answer(request)
    return answer(request, AnswerRefusal(REFUSED, f"{undoing.refused} not taken back"))


def answer(request: LineRequest, why: AnswerRefusal | None = None) -> list[LineEffect]:
    """Return the answer; nobody hears of what the bridge has asked for itself."""
    if not request.to:
        return []
    if why is None:
        return [TellBot(AnswerLine(request.to, ok=True, id=request.id))]
    return [
        TellBot(AnswerLine(request.to, False, why.code, why.message, id=request.id))
    ]


def past(game: LineGame, message: ServerMessage) -> list[LineEffect]:
    """Tell a turn of the past once it is complete."""
    if not game.requests.asks(Question.HISTORY):
        return [told for each in game.past.take() for told in game.untold(each)]
    if not game.past.is_complete:
        return []
    assert isinstance(message, CurrentPosition)
    messages = game.past.take()
    request = game.requests.take_question(Question.HISTORY)
    assert request is not None
    if request.to == "daide":
        return [told for each in messages for told in game.untold(each)]
    return [TellBot(_history(game, request, messages))]


def _history(
    game: LineGame, request: LineRequest, messages: list[ServerMessage]
) -> AnswerLine:
    resulted = [each for each in messages if isinstance(each, OrderResulted)]
    data: dict[str, object] = {}
    if resulted:
        reports = [each.report for each in resulted]
        found = game.wording.results(resulted[0].turn, reports)
        data = {"phase": found.phase, "orders": found.orders, "results": found.results}
    data["after"] = game.wording.state(_position_after(messages))
    return AnswerLine("ask", ok=True, data=data, id=request.id)


def _position_after(messages: list[ServerMessage]) -> Position:
    owners = next((each.owners for each in messages if isinstance(each, Ownership)), {})
    (now,) = (each for each in messages if isinstance(each, CurrentPosition))
    return replace(now.position, owners=owners)
