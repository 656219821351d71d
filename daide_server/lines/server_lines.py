"""What the bot hears of each message of the server."""

from attrs import evolve, frozen

from daide_server.board.position import Position
from daide_server.language.messages import (
    Accepted,
    Admin,
    AnswerSave,
    BackInControl,
    BracketsRefused,
    CurrentPosition,
    DrawDeclared,
    InDisorder,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    OrderNoted,
    OrderResulted,
    Out,
    Ownership,
    PressDelivered,
    Rejected,
    SaveGame,
    ServerMessage,
    Solo,
    Summary,
    SwitchOff,
    SyntaxRefused,
    TimeLeft,
    TimeStopped,
)
from daide_server.language.tokens import is_text, text_of

from . import to_bot
from .effects import Effect, Tell, Transmit
from .line_game import LineGame
from .order_desk import LATE, NOT_UNDERSTOOD, REFUSED, Submission, refused
from .requests import Question, Request, Undoing
from .to_bot import Answer


@frozen
class Refusal:
    """Why something was refused: a code, and words."""

    code: str
    message: str


Missing = MissingUnits | MissingRetreats | MissingAdjustments


def take(game: LineGame, message: ServerMessage, now: float) -> list[Effect]:
    """Return what follows from *message*."""
    current = game.position.turn
    is_news = game.facts.reported_turn == current
    is_asked = game.requests.asks(Question.HISTORY)
    if game.past.takes(message, current, is_asked=is_asked, is_news=is_news):
        return _past(game, message)
    if isinstance(message, OrderResulted):
        game.facts.learn(message)
        game.unreported = True
        game.reported = message.turn
        return []
    if isinstance(message, Ownership):
        game.facts.learn(message)
        return []
    return [*game.report(), *_news(game, message, now)]


def _news(game: LineGame, message: ServerMessage, now: float) -> list[Effect]:  # noqa: C901, PLR0912 - a table of messages
    match message:
        case CurrentPosition():
            return _position(game, message, now)
        case OrderNoted():
            return _order_noted(game, message)
        case Accepted(message=quoted):
            return _accepted(game, message, game.requests.take_quoted(quoted))
        case Rejected(message=quoted):
            request = game.requests.take_quoted(quoted)
            why = Refusal(REFUSED, "the server refuses it")
            return _refused(game, message, request, why)
        case BracketsRefused(message=quoted) | SyntaxRefused(message=quoted):
            request = game.requests.take_misread(quoted)
            why = Refusal(NOT_UNDERSTOOD, game.text(quoted))
            return _refused(game, message, request, why)
        case MissingUnits() | MissingRetreats() | MissingAdjustments():
            return _missing(game, message)
        case TimeLeft() | TimeStopped():
            return _time(game, message, now)
        case InDisorder():
            return _disorder(game, message)
        case BackInControl(power=power):
            game.facts.learn(message)
            if power == game.facts.power:
                return []
            return [Tell(to_bot.Back(game.wording.power_text(power)))]
        case Out(power=power):
            reason = f"{game.wording.power_text(power)} is eliminated"
            return _press_refused(game, message, reason)
        case PressDelivered():
            return [_press(game, message)]
        case Admin(name=name, text=text):
            return _admin(game, name, text)
        case Solo() | DrawDeclared() | Summary() | SwitchOff():
            game.facts.learn(message)
            return []
        case SaveGame(name=name):
            return [Transmit((game.writer.write(AnswerSave(name, saved=True)),))]
        case _:
            return game.untold(message)


def _position(game: LineGame, message: CurrentPosition, now: float) -> list[Effect]:
    for held in game.past.take():
        # They came with the news after all.
        game.facts.learn(held)
    game.facts.learn(message)
    if game.is_finished:
        return []
    game.replaces = False
    return game.begin_turn(now, is_fresh=True)


# Orders


def _order_noted(game: LineGame, noted: OrderNoted) -> list[Effect]:
    for request in game.requests.waiting:
        if not isinstance(request, Submission):
            continue
        for sent in request.waiting:
            if sent.tokens == noted.as_sent:
                game.desk.note(request, sent, noted.note)
                return [] if request.waiting else _all_noted(game, request)
    return game.untold(noted)


def _all_noted(game: LineGame, submission: Submission) -> list[Effect]:
    game.requests.waiting.remove(submission)
    return [Tell(submission.line())] if submission.to else []


def _missing(game: LineGame, message: Missing) -> list[Effect]:
    line = _missing_line(game, message)
    request = game.requests.take_question(Question.MISSING)
    if request is None:
        return [Tell(line)]
    fields = {"units": line.units, "count": line.count}
    data = {name: each for name, each in fields.items() if isinstance(each, list | int)}
    return [Tell(Answer("ask", ok=True, data=data, id=request.id))]


def _missing_line(game: LineGame, message: Missing) -> to_bot.Missing:
    match message:
        case MissingUnits(units=units):
            return to_bot.Missing(units=[*map(game.wording.unit_text, units)])
        case MissingRetreats(retreats=retreats):
            return to_bot.Missing(units=[*map(game.wording.unit_text, retreats)])
        case MissingAdjustments(number=number):
            return to_bot.Missing(count=abs(number))


# Answers


def _accepted(
    game: LineGame, message: Accepted, request: Request | None
) -> list[Effect]:
    if request is None:
        return game.untold(message)
    if request.undoing is not None:
        return _undone(game, request, request.undoing, is_refused=False)
    return _answer(request)


def _refused(
    game: LineGame,
    message: Rejected | BracketsRefused | SyntaxRefused,
    request: Request | None,
    why: Refusal,
) -> list[Effect]:
    if request is None:
        return game.untold(message)
    if isinstance(request, Submission):
        return _submission_refused(game, request, why)
    if request.undoing is not None:
        return _undone(game, request, request.undoing, is_refused=True)
    return _answer(request, why)


def _submission_refused(
    game: LineGame, submission: Submission, why: Refusal
) -> list[Effect]:
    is_late = submission.position.turn != game.position.turn
    submission.note_all(refused(LATE if is_late else why.code, why.message))
    return [Tell(submission.line(late=is_late))] if submission.to else []


def _undone(
    game: LineGame, request: Request, undoing: Undoing, *, is_refused: bool
) -> list[Effect]:
    """Note one order that was taken back, or was not; answer after the last one."""
    order = undoing.waiting.pop(0)
    if is_refused:
        undoing.refused += 1
    else:
        game.desk.forget(order)
    if undoing.waiting:
        return []
    if not undoing.refused:
        return _answer(request)
    return _answer(request, Refusal(REFUSED, f"{undoing.refused} not taken back"))


def _answer(request: Request, why: Refusal | None = None) -> list[Effect]:
    """Return the answer; nobody hears of what the bridge has asked for itself."""
    if not request.to:
        return []
    if why is None:
        return [Tell(Answer(request.to, ok=True, id=request.id))]
    return [Tell(Answer(request.to, False, why.code, why.message, id=request.id))]


def _past(game: LineGame, message: ServerMessage) -> list[Effect]:
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
    return [Tell(_history(game, request, messages))]


def _history(game: LineGame, request: Request, messages: list[ServerMessage]) -> Answer:
    resulted = [each for each in messages if isinstance(each, OrderResulted)]
    data: dict[str, object] = {}
    if resulted:
        reports = [each.report for each in resulted]
        found = game.wording.results(resulted[0].turn, reports)
        data = {"phase": found.phase, "orders": found.orders, "results": found.results}
    data["after"] = game.wording.state(_position_after(messages))
    return Answer("ask", ok=True, data=data, id=request.id)


def _position_after(messages: list[ServerMessage]) -> Position:
    owners = next((each.owners for each in messages if isinstance(each, Ownership)), {})
    (now,) = (each for each in messages if isinstance(each, CurrentPosition))
    return evolve(now.position, owners=owners)


# The others


def _time(game: LineGame, message: TimeLeft | TimeStopped, now: float) -> list[Effect]:
    game.facts.learn(message)
    stopped = isinstance(message, TimeStopped)
    game.filling.set_deadline(now, None if stopped else message.seconds)
    request = game.requests.take_question(Question.TIME) if not stopped else None
    if request is None:
        return [Tell(to_bot.Time(message.seconds, stopped))]
    return [Tell(to_bot.Time(message.seconds, stopped, request.id))]


def _disorder(game: LineGame, message: InDisorder) -> list[Effect]:
    """Tell that a power is away: as news, or as the answer to press."""
    text = game.wording.power_text(message.power)
    is_known = message.power in game.facts.in_disorder
    game.facts.learn(message)
    told: list[Effect] = [] if is_known else [Tell(to_bot.Absent(text))]
    if is_known or game.is_resumed:
        told += _press_refused(game, message, f"{text} is away")
    return told


def _press_refused(
    game: LineGame, message: InDisorder | Out, reason: str
) -> list[Effect]:
    power = message.power
    request = game.requests.take(lambda each: power in each.recipients)
    if request is None:
        return game.untold(message)
    code = "OUT" if isinstance(message, Out) else "CCD"
    return _answer(request, Refusal(code, reason))


def _press(game: LineGame, message: PressDelivered) -> Tell:
    is_free = bool(message.content) and all(map(is_text, message.content))
    return Tell(
        to_bot.Press(
            sender=game.wording.power_text(message.sender),
            to=game.wording.power_texts(message.recipients),
            daide=None if is_free else game.text(message.content),
            text=text_of(message.content) if is_free else None,
        )
    )


def _admin(game: LineGame, name: str, text: str) -> list[Effect]:
    """Tell a message to everybody; the server repeats the bot's own."""
    if name == game.wishes.name:
        request = game.requests.take_question(Question.ADMIN)
        if request is not None:
            return _answer(request)
    return [Tell(to_bot.Admin(name, text))]
