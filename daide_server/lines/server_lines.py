"""What the bot hears of each message of the server."""

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

from . import answer_lines, to_bot
from .answer_lines import AnswerRefusal
from .line_effects import LineEffect, TellBot, Transmit
from .line_game import LineGame
from .line_submission import NOT_UNDERSTOOD, REFUSED
from .requests import Question


def take(game: LineGame, message: ServerMessage, now: float) -> list[LineEffect]:
    """Return what follows from *message*."""
    current = game.position.turn
    is_news = game.facts.reported_turn == current
    is_asked = game.requests.asks(Question.HISTORY)
    if game.past.takes(message, current, is_asked=is_asked, is_news=is_news):
        return answer_lines.past(game, message)
    if isinstance(message, OrderResulted):
        game.facts.learn(message)
        game.unreported = True
        game.reported = message.turn
        return []
    if isinstance(message, Ownership):
        game.facts.learn(message)
        return []
    return [*game.report(), *_news(game, message, now)]


def _news(game: LineGame, message: ServerMessage, now: float) -> list[LineEffect]:  # noqa: C901, PLR0912 - a table of messages
    match message:
        case CurrentPosition():
            return _position(game, message, now)
        case OrderNoted():
            return answer_lines.order_noted(game, message)
        case Accepted(message=quoted):
            return answer_lines.accepted(
                game, message, game.requests.take_quoted(quoted)
            )
        case Rejected(message=quoted):
            request = game.requests.take_quoted(quoted)
            why = AnswerRefusal(REFUSED, "the server refuses it")
            return answer_lines.message_refused(game, message, request, why)
        case BracketsRefused(message=quoted) | SyntaxRefused(message=quoted):
            request = game.requests.take_misread(quoted)
            why = AnswerRefusal(NOT_UNDERSTOOD, game.text(quoted))
            return answer_lines.message_refused(game, message, request, why)
        case MissingUnits() | MissingRetreats() | MissingAdjustments():
            return answer_lines.missing(game, message)
        case TimeLeft() | TimeStopped():
            return _time(game, message, now)
        case InDisorder():
            return _disorder(game, message)
        case BackInControl(power=power):
            game.facts.learn(message)
            if power == game.facts.power:
                return []
            return [TellBot(to_bot.BackLine(game.wording.power_text(power)))]
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


def _position(game: LineGame, message: CurrentPosition, now: float) -> list[LineEffect]:
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
    game: LineGame, message: TimeLeft | TimeStopped, now: float
) -> list[LineEffect]:
    game.facts.learn(message)
    stopped = isinstance(message, TimeStopped)
    game.filling.set_deadline(now, None if stopped else message.seconds)
    request = game.requests.take_question(Question.TIME) if not stopped else None
    if request is None:
        return [TellBot(to_bot.TimeLine(message.seconds, stopped))]
    return [TellBot(to_bot.TimeLine(message.seconds, stopped, request.id))]


def _disorder(game: LineGame, message: InDisorder) -> list[LineEffect]:
    """Tell that a power is away: as news, or as the answer to press."""
    text = game.wording.power_text(message.power)
    is_known = message.power in game.facts.in_disorder
    game.facts.learn(message)
    told: list[LineEffect] = [] if is_known else [TellBot(to_bot.AbsentLine(text))]
    if is_known or game.is_resumed:
        told += _press_refused(game, message, f"{text} is away")
    return told


def _press_refused(
    game: LineGame, message: InDisorder | Out, reason: str
) -> list[LineEffect]:
    power = message.power
    request = game.requests.take(lambda each: power in each.recipients)
    if request is None:
        return game.untold(message)
    code = "OUT" if isinstance(message, Out) else "CCD"
    return answer_lines.answer(request, AnswerRefusal(code, reason))


def _press(game: LineGame, message: PressDelivered) -> TellBot:
    is_free = bool(message.content) and all(map(is_text, message.content))
    return TellBot(
        to_bot.PressLine(
            sender=game.wording.power_text(message.sender),
            to=game.wording.power_texts(message.recipients),
            daide=None if is_free else game.text(message.content),
            text=text_of(message.content) if is_free else None,
        )
    )


def _admin(game: LineGame, name: str, text: str) -> list[LineEffect]:
    """Tell a message to everybody; the server repeats the bot's own."""
    if name == game.wishes.name:
        request = game.requests.take_question(Question.ADMIN)
        if request is not None:
            return answer_lines.answer(request)
    return [TellBot(to_bot.AdminLine(name, text))]
