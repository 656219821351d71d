"""The lines for the bot that follow from each message of the server."""

from msgspec import UNSET
from msgspec.structs import replace

from daide_server.board.map import Position
from daide_server.daide import messages
from daide_server.daide.tokens import is_text, text_of

from . import line_types, order_desk
from .line_game import Effects, LineGame, Transmit
from .line_types import AnswerLine, NotedOrder
from .order_desk import LineRequest, LineSubmission, Question, Undoing, refused

ENDINGS = messages.Solo | messages.DrawDeclared | messages.Summary | messages.SwitchOff


def take(game: LineGame, message: messages.ServerMessage, now: float) -> Effects:
    """Return the effects of *message*."""
    current = game.position.turn
    is_news = game.facts.reported_turn == current
    is_asked = game.requests.asks(Question.HISTORY)
    if game.past.takes(message, current, is_asked=is_asked, is_news=is_news):
        return tell_past(game, message)
    if isinstance(message, messages.OrderResulted):
        game.facts.learn(message)
        game.unreported = True
        game.reported = message.turn
        return []
    if isinstance(message, messages.Ownership):
        game.facts.learn(message)
        return []
    return [*game.report(), *_news(game, message, now)]


def _news(game: LineGame, message: messages.ServerMessage, now: float) -> Effects:
    match message:
        case messages.CurrentPosition():
            return _position(game, message, now)
        case messages.TimeLeft() | messages.TimeStopped():
            return _time(game, message, now)
        case messages.InDisorder():
            return _disorder(game, message)
        case messages.BackInControl(power=power):
            game.facts.learn(message)
            if power == game.facts.power:
                return []
            return [line_types.BackLine(game.wording.power_text(power))]
        case messages.Out(power=power):
            reason = f"{game.wording.power_text(power)} is eliminated"
            return _press_refused(game, message, reason)
        case messages.PressDelivered():
            return [_press(game, message)]
        case messages.Admin(name=name, text=text):
            return _admin(game, name, text)
        case messages.SaveGame(name=name):
            saved = messages.AnswerSave(name, saved=True)
            return [Transmit((game.writer.write(saved),))]
        case _:
            return _answer(game, message)


def _answer(game: LineGame, message: messages.ServerMessage) -> Effects:
    match message:
        case messages.OrderNoted():
            return order_noted(game, message)
        case messages.Accepted(message=quoted):
            request = game.requests.take_quoted(quoted)
            return _answered(game, message, request, order_desk.ACCEPTED)
        case messages.Rejected(message=quoted):
            request = game.requests.take_quoted(quoted)
            why = refused(order_desk.REFUSED, "the server refuses it")
            return _answered(game, message, request, why)
        case messages.BracketsRefused() | messages.SyntaxRefused():
            request = game.requests.take_misread(message.message)
            why = refused(order_desk.NOT_UNDERSTOOD, game.text(message.message))
            return _answered(game, message, request, why)
        case _ if isinstance(message, messages.Missing):
            return missing(game, message)
        case _ if isinstance(message, ENDINGS):
            game.facts.learn(message)
            return []
        case _:
            return game.untold(message)


def _position(game: LineGame, message: messages.CurrentPosition, now: float) -> Effects:
    for held in game.past.take():
        # They came with the news after all.
        game.facts.learn(held)
    game.facts.learn(message)
    if game.is_finished:
        return []
    game.replaces = False
    return game.begin_turn(now, is_fresh=True)


# The others


def _time(
    game: LineGame, message: messages.TimeLeft | messages.TimeStopped, now: float
) -> Effects:
    game.facts.learn(message)
    stopped = isinstance(message, messages.TimeStopped)
    game.filling.set_deadline(now, None if stopped else message.seconds)
    request = game.requests.take_question(Question.TIME) if not stopped else None
    mark = UNSET if request is None else request.id
    return [line_types.TimeLine(message.seconds, stopped, mark)]


def _disorder(game: LineGame, message: messages.InDisorder) -> Effects:
    """Report that a power is absent: as news, or as the answer to press."""
    text = game.wording.power_text(message.power)
    is_known = message.power in game.facts.in_disorder
    game.facts.learn(message)
    told: Effects = [] if is_known else [line_types.AbsentLine(text)]
    if is_known or game.is_resumed:
        told += _press_refused(game, message, f"{text} is away")
    return told


def _press_refused(
    game: LineGame, message: messages.InDisorder | messages.Out, reason: str
) -> Effects:
    power = message.power
    request = game.requests.take(lambda each: power in each.recipients)
    if request is None:
        return game.untold(message)
    code = "OUT" if isinstance(message, messages.Out) else "CCD"
    return answer(request, refused(code, reason))


def _press(game: LineGame, message: messages.PressDelivered) -> line_types.PressLine:
    is_free = bool(message.content) and all(map(is_text, message.content))
    return line_types.PressLine(
        sender=game.wording.power_text(message.sender),
        to=game.wording.power_texts(message.recipients),
        daide=None if is_free else game.text(message.content),
        text=text_of(message.content) if is_free else None,
    )


def _admin(game: LineGame, name: str, text: str) -> Effects:
    """Report a message to everybody; the server repeats the bot's own."""
    if name == game.ready.name:
        request = game.requests.take_question(Question.ADMIN)
        if request is not None:
            return answer(request)
    return [line_types.AdminLine(name, text)]


# Orders


def order_noted(game: LineGame, noted: messages.OrderNoted) -> Effects:
    """Note one order; the bot is informed when all orders of its line are noted."""
    for request in game.requests.waiting:
        if not isinstance(request, LineSubmission):
            continue
        for sent in request.waiting:
            if sent.tokens == noted.as_sent:
                game.desk.note(request, sent, noted.note)
                return [] if request.waiting else _all_noted(game, request)
    return game.untold(noted)


def _all_noted(game: LineGame, submission: LineSubmission) -> Effects:
    game.requests.waiting.remove(submission)
    return [submission.line()] if submission.to else []


def missing(game: LineGame, message: messages.Missing) -> Effects:
    """Report what is missing: as the answer to `ask`, or as news."""
    line = _missing_line(game, message)
    request = game.requests.take_question(Question.MISSING)
    if request is None:
        return [line]
    fields = {"units": line.units, "count": line.count}
    data = {name: each for name, each in fields.items() if isinstance(each, list | int)}
    return [AnswerLine("ask", ok=True, data=data, id=request.id)]


def _missing_line(game: LineGame, message: messages.Missing) -> line_types.MissingLine:
    match message:
        case messages.MissingUnits(units) | messages.MissingRetreats(units):
            unit_text = game.wording.names.unit_text
            return line_types.MissingLine(units=[*map(unit_text, units)])
        case messages.MissingAdjustments(number=number):
            return line_types.MissingLine(count=abs(number))


# Answers


def _answered(
    game: LineGame,
    message: messages.Accepted | messages.Refusal,
    request: LineRequest | None,
    why: NotedOrder,
) -> Effects:
    """Answer the line for which *request* was made: whether, or why not, it is done."""
    if request is None:
        return game.untold(message)
    if isinstance(request, LineSubmission) and not why.ok:
        return _submission_refused(game, request, why)
    if request.undoing is not None:
        return _undone(game, request, request.undoing, is_refused=not why.ok)
    return answer(request, why)


def _submission_refused(
    game: LineGame, submission: LineSubmission, why: NotedOrder
) -> Effects:
    is_late = submission.position.turn != game.position.turn
    submission.note_all(replace(why, code=order_desk.LATE) if is_late else why)
    return [submission.line(late=is_late)] if submission.to else []


def _undone(
    game: LineGame, request: LineRequest, undoing: Undoing, *, is_refused: bool
) -> Effects:
    """Note whether one order was withdrawn; answer after the last one."""
    order = undoing.waiting.pop(0)
    if is_refused:
        undoing.refused += 1
    else:
        game.desk.forget(order)
    if undoing.waiting:
        return []
    if not undoing.refused:
        return answer(request)
    return answer(
        request, refused(order_desk.REFUSED, f"{undoing.refused} not taken back")
    )


def answer(request: LineRequest, why: NotedOrder = order_desk.ACCEPTED) -> Effects:
    """Return the answer, unless the bridge itself sent the request."""
    if not request.to:
        return []
    return [AnswerLine(request.to, why.ok, why.code, why.message, id=request.id)]


def tell_past(game: LineGame, message: messages.ServerMessage) -> Effects:
    """Report a past turn once it is complete."""
    if not game.requests.asks(Question.HISTORY):
        return [told for each in game.past.take() for told in game.untold(each)]
    if not game.past.is_complete:
        return []
    assert isinstance(message, messages.CurrentPosition)
    past = game.past.take()
    request = game.requests.take_question(Question.HISTORY)
    assert request is not None
    if request.to == "daide":
        return [told for each in past for told in game.untold(each)]
    return [_history(game, request, past)]


def _history(
    game: LineGame, request: LineRequest, past: list[messages.ServerMessage]
) -> AnswerLine:
    resulted = [each for each in past if isinstance(each, messages.OrderResulted)]
    data: dict[str, object] = {}
    if resulted:
        reports = [each.report for each in resulted]
        found = game.wording.results(resulted[0].turn, reports)
        data = {"phase": found.phase, "orders": found.orders, "results": found.results}
    data["after"] = game.wording.state(_position_after(past))
    return AnswerLine("ask", ok=True, data=data, id=request.id)


def _position_after(past: list[messages.ServerMessage]) -> Position:
    owners = next(
        (each.owners for each in past if isinstance(each, messages.Ownership)), {}
    )
    (now,) = (each for each in past if isinstance(each, messages.CurrentPosition))
    return replace(now.position, owners=owners)
