"""Which message of the server answers which message of a client. Pure.

Message Syntax, the section of each command.
"""

from collections.abc import Mapping
from typing import Final, TypeGuard

from daide_server.language.messages import (
    Accepted,
    AskHello,
    AskMap,
    AskMapDefinition,
    AskMissing,
    AskOwnership,
    AskPosition,
    AskTime,
    BracketsRefused,
    ClientMessage,
    CurrentPosition,
    Hello,
    InDisorder,
    MapDefinition,
    MapName,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    Out,
    Ownership,
    Rejected,
    SendPress,
    ServerMessage,
    SyntaxRefused,
    TimeLeft,
)
from daide_server.language.tokens import Tokens

from .bot_events import Unreadable

REPLIES: Final[Mapping[type[ClientMessage], tuple[type[ServerMessage], ...]]] = {
    AskMap: (MapName,),
    AskMapDefinition: (MapDefinition,),
    AskHello: (Hello,),
    AskPosition: (CurrentPosition,),
    AskOwnership: (Ownership,),
    AskMissing: (MissingUnits, MissingRetreats, MissingAdjustments),
    AskTime: (TimeLeft,),
}
"""The answers to each question that is not refused."""


def is_answer(
    received: ServerMessage | Unreadable, question: ClientMessage, tokens: Tokens
) -> TypeGuard[ServerMessage]:
    """Return whether *received* answers *question*, which was sent as *tokens*.

    PRN and HUH quote a message with changes, so they cannot be compared; since a
    client has one question open, they answer it.
    """
    match received:
        case Accepted(message=quoted) | Rejected(message=quoted):
            return quoted == tokens
        case BracketsRefused() | SyntaxRefused():
            return True
        case InDisorder(power=power) | Out(power=power):
            return isinstance(question, SendPress) and power in question.recipients
        case _:
            return isinstance(received, REPLIES.get(type(question), ()))
